"""Heads for matrix embeddings: by hand, against plain loops, and as many parameters as Appendix A and the log say."""

import pytest
import torch

from attest.models.encoders import BiLSTMMax, StructuredSelfAttention
from attest.models.heads import SentenceClassifier
from attest.models.heads.matrix import (
    GatedEncoder,
    GatedPairClassifier,
    PrunedHidden,
    PrunedPairClassifier,
    PrunedSentenceClassifier,
)
from attest.models.kernels.dropout import Dropout
from attest.training.optim.parameters import decayed_names


def number(*modules):
    return sum(p.numel() for module in modules for p in module.parameters() if p.requires_grad)


@pytest.fixture(autouse=True)
def without_memory(request):
    if "count" not in request.node.name:
        yield
        return
    with torch.device("meta"):
        yield


def test_the_count_of_the_authors_log():
    """107,527,783, less 41,245 word vectors and 1,200 first states of the LSTMs, which are not trained here."""
    encoder = StructuredSelfAttention(300, attention_size=150, biases=True)
    head = GatedPairClassifier(encoder.width, 3)
    assert number(encoder, head) == 95_153_083 == 107_527_783 - 41_245 * 300 - 1_200
    assert number(encoder, head.relation) - 180 == 1_442_400 + 94_500 + 21_600_000  # Table 4 prints 22.9M


@pytest.mark.parametrize(
    ("classes", "hidden_size", "hidden", "softmax"),
    [(5, 3000, 54_003_000, 15_005), (5, 4000, 72_004_000, 20_005), (3, 4000, 72_004_000, 12_003)],
)
def test_the_count_of_full_layers_in_table_4(classes, hidden_size, hidden, softmax):
    head = SentenceClassifier(18_000, classes, hidden_size=hidden_size, bias=True)
    assert (number(head.hidden), number(head.output)) == (hidden, softmax)


@pytest.mark.parametrize(
    ("classes", "units", "rows", "columns", "biases", "softmax"),
    [
        (5, (150, 10), 2_700_000, 180_000, 10_500, 52_500),  # Yelp, printed as 2.7M and 52.5K
        (5, (25, 20), 450_000, 360_000, 12_750, 63_750),  # Age, printed as 822K and 63.75K
        (3, (300, 10), 5_400_000, 180_000, 15_000, 45_000),  # SNLI, printed as 5.6M and 45K
    ],
)
def test_the_count_of_pruned_layers_in_table_4(classes, units, rows, columns, biases, softmax):
    head = PrunedSentenceClassifier(18_000, classes, row_units=units[0], column_units=units[1])
    assert head.hidden.rows.numel() == rows
    assert head.hidden.columns.numel() == columns
    assert number(head.hidden) == rows + columns + biases
    assert number(head.output) == softmax


def test_the_count_of_the_baseline():
    assert number(BiLSTMMax(100), SentenceClassifier(600, 5, hidden_size=3000, bias=True)) == 962_400 + 1_818_005


def test_the_gated_encoder_by_hand():
    # Two rows of one number: W_fh = (2, 3), W_fp = (5, 7); rows (1, 2) of h and (1, -1) of p: 2 x 5 and 6 x -7.
    gate = GatedEncoder(2, 1)
    gate.hypothesis.data = torch.tensor([[[2.0]], [[3.0]]])
    gate.premise.data = torch.tensor([[[5.0]], [[7.0]]])
    premise, hypothesis = torch.tensor([[[1.0], [-1.0]]]), torch.tensor([[[1.0], [2.0]]])
    assert gate(premise, hypothesis).tolist() == [[[10.0], [-42.0]]]


def test_the_gated_encoder_is_the_plain_loop():
    gate, premise, hypothesis = GatedEncoder(3, 5), torch.randn(2, 3, 5), torch.randn(2, 3, 5)
    rows = [(hypothesis[:, i] @ gate.hypothesis[i]) * (premise[:, i] @ gate.premise[i]) for i in range(3)]
    torch.testing.assert_close(gate(premise, hypothesis), torch.stack(rows, dim=1))


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
    assert int(full.count_nonzero()) == number(hidden) - hidden.width


@pytest.mark.parametrize("head", [PrunedPairClassifier, GatedPairClassifier])
def test_rows_of_the_encoder_are_rows_of_the_head(head):
    """Only what stands in one row of both sentences comes together in the gated encoder."""
    built = head(6, 3, rows=2)
    premise, hypothesis = torch.zeros(1, 6), torch.zeros(1, 6)
    premise[0, :3], hypothesis[0, 3:] = 1.0, 1.0
    nothing = built(torch.zeros(1, 6), torch.zeros(1, 6))
    torch.testing.assert_close(built(premise, hypothesis), nothing)
    hypothesis[0, :3] = 1.0
    assert not built(premise, hypothesis).allclose(nothing)


@pytest.mark.parametrize(
    ("head", "sentences"),
    [
        (lambda: GatedPairClassifier(6, 3, rows=2, hidden_size=5, dropout=0.5), 2),
        (lambda: PrunedPairClassifier(6, 3, rows=2, dropout=0.5), 2),
        (lambda: PrunedSentenceClassifier(6, 3, rows=2, dropout=0.5), 1),
    ],
)
def test_dropout_falls_on_the_features_and_on_the_hidden_layer(head, sentences, monkeypatch):
    drawn = []
    monkeypatch.setattr(Dropout, "forward", lambda self, x: drawn.append(self.p) or x)
    built = head()
    built(*[torch.randn(4, 6)] * sentences).sum().backward()
    assert drawn == [0.5, 0.5]
    assert all(p.grad is not None for p in built.parameters())


def test_matrices_are_decayed_and_biases_are_not():
    names = decayed_names(PrunedPairClassifier(6, 3, rows=2))
    assert names == {"hidden.rows", "hidden.columns", "output.weight", "relation.hypothesis", "relation.premise"}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: GatedPairClassifier(7, 3, rows=2), "rows is 2, which does not divide the sentence vector of 7"),
        (
            lambda: PrunedSentenceClassifier(6, 3, rows=2, row_units=0),
            "row_units is 0; use a whole number",
        ),
    ],
)
def test_sizes_that_do_not_fit_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
