"""What all heads for matrix embeddings have in common, and as many parameters as Table 4 and the authors' log say."""

import pytest
import torch

from attest.models.encoders import BiLSTMMax, StructuredSelfAttention
from attest.models.heads import (
    GatedPairClassifier,
    PrunedPairClassifier,
    PrunedSentenceClassifier,
    SentenceClassifier,
)
from attest.models.heads.matrix.rows import row_length, to_matrix
from attest.models.kernels.dropout import Dropout
from attest.models.sizes import trained_parameters
from attest.training.optim.parameters import decayed_names


@pytest.fixture
def on_meta():
    """Parameters of the test have shapes alone: some heads of the paper take hundreds of megabytes."""
    with torch.device("meta"):
        yield


@pytest.mark.usefixtures("on_meta")
def test_the_count_of_the_authors_log():
    """107,527,783, less 41,245 word vectors and 1,200 first states of the LSTMs, which are not trained here."""
    encoder = StructuredSelfAttention(300, attention_size=150, biases=True)
    head = GatedPairClassifier(encoder.width, 3)
    assert trained_parameters(encoder, head) == 95_153_083 == 107_527_783 - 41_245 * 300 - 1_200
    assert trained_parameters(encoder, head.relation) - 180 == 1_442_400 + 94_500 + 21_600_000  # Table 4 prints 22.9M


@pytest.mark.parametrize(
    ("classes", "hidden_size", "hidden", "softmax"),
    [(5, 3000, 54_003_000, 15_005), (5, 4000, 72_004_000, 20_005), (3, 4000, 72_004_000, 12_003)],
)
@pytest.mark.usefixtures("on_meta")
def test_the_count_of_full_layers_in_table_4(classes, hidden_size, hidden, softmax):
    head = SentenceClassifier(18_000, classes, hidden_size=hidden_size, bias=True)
    assert (trained_parameters(head.hidden), trained_parameters(head.output)) == (hidden, softmax)


@pytest.mark.usefixtures("on_meta")
def test_the_count_of_the_baseline():
    assert (
        trained_parameters(BiLSTMMax(100), SentenceClassifier(600, 5, hidden_size=3000, bias=True))
        == 962_400 + 1_818_005
    )


def test_a_vector_becomes_a_matrix_row_after_row():
    assert row_length(6, rows=2) == 3
    assert to_matrix(torch.arange(6)[None], rows=2).tolist() == [[[0, 1, 2], [3, 4, 5]]]


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
