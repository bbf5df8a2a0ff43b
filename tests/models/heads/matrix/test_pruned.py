"""Pruned layers: full layers with most weights zero, and as many weights as Table 4 says."""

import pytest
import torch

from attest.models.heads.matrix.pruned import PrunedHidden, PrunedSentenceClassifier
from attest.models.sizes import trained_parameters


@pytest.mark.parametrize(
    ("classes", "units", "rows", "columns", "biases", "softmax"),
    [
        (5, (150, 10), 2_700_000, 180_000, 10_500, 52_500),  # Yelp, printed as 2.7M and 52.5K
        (5, (25, 20), 450_000, 360_000, 12_750, 63_750),  # Age, printed as 822K and 63.75K
        (3, (300, 10), 5_400_000, 180_000, 15_000, 45_000),  # SNLI, printed as 5.6M and 45K
    ],
)
def test_the_count_of_pruned_layers_in_table_4(classes, units, rows, columns, biases, softmax):
    with torch.device("meta"):
        head = PrunedSentenceClassifier(18_000, classes, row_units=units[0], column_units=units[1])
    assert head.hidden.rows.numel() == rows
    assert head.hidden.columns.numel() == columns
    assert trained_parameters(head.hidden) == rows + columns + biases
    assert trained_parameters(head.output) == softmax


def test_a_pruned_layer_is_a_full_layer_with_most_weights_zero():
    hidden, matrix = PrunedHidden(3, 5, 2, 4), torch.randn(2, 3, 5)
    for bias in (hidden.row_bias, hidden.column_bias):
        torch.nn.init.normal_(bias)
    full = torch.zeros(3, 5, hidden.width)
    for i in range(3):
        full[i, :, 2 * i : 2 * i + 2] = hidden.rows[i]
    for j in range(5):
        full[:, j, 6 + 4 * j : 6 + 4 * j + 4] = hidden.columns[j]
    expected = matrix.flatten(1) @ full.flatten(0, 1) + torch.cat([hidden.row_bias, hidden.column_bias])
    torch.testing.assert_close(hidden(matrix), expected)
    assert int(full.count_nonzero()) == trained_parameters(hidden) - hidden.width
