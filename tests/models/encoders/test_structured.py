"""Structured self-attention: by hand, counted, against a plain formulation, and its penalty in both forms."""

import numpy as np
import pytest
import torch
from models.doubled_dropout import double_dropout

from attest.data.batches.batch import Batch
from attest.models.attention import Layout
from attest.models.encoders import BiLSTMMax, CNNMax, StructuredSelfAttention
from attest.models.encoders.recurrent import Recurrent
from attest.models.encoders.structured import mean_redundancy, redundancy
from attest.models.heads import PairClassifier
from attest.models.sizes import trained_parameters
from attest.models.word_vectors import WordVectors
from attest.training.optim.parameters import decayed_names
from attest.training.tasks import Classification

LENGTHS = torch.tensor([11, 5, 2, 1])
MASK = torch.arange(11) < LENGTHS[:, None]


@pytest.mark.parametrize(
    ("encoder", "number"),
    [
        (lambda: StructuredSelfAttention(100), 962_400 + 350 * 600 + 30 * 350),  # 1,182,900: Yelp and Age
        (lambda: StructuredSelfAttention(100, biases=True), 1_183_280),
        (lambda: StructuredSelfAttention(300), 1_662_900),
        (lambda: StructuredSelfAttention(300, attention_size=150), 1_442_400 + 94_500),  # SNLI
        (lambda: BiLSTMMax(100), 962_400),
        (lambda: CNNMax(100), 3 * 100 * 600 + 600),
    ],
)
def test_parameters(encoder, number):
    with torch.device("meta"):
        assert trained_parameters(encoder()) == number


def test_one_hop_with_even_scores_is_the_mean():
    encoder, x = StructuredSelfAttention(3, 2, hops=1), torch.randn(1, 4, 3)
    torch.nn.init.zeros_(encoder.score.weight)
    layout = Layout(torch.ones(1, 4, dtype=torch.bool), packed=True)
    torch.testing.assert_close(encoder(x, layout.mask_BT), encoder.encode_words(x[0], layout).mean(0, keepdim=True))


def test_rows_by_hand(monkeypatch):
    # H is x itself: two words (1, 0) and (0, 1). W_s1 = I, and W_s2 makes the scores of hop 0 (t, 0), of hop 1 (0, 0)
    # with t = tanh(1); A = ((p, 1 - p), (1/2, 1/2)), and M = A H has the rows of A.
    monkeypatch.setattr(Recurrent, "encode_words", lambda self, x, layout: x)
    encoder = StructuredSelfAttention(2, 1, attention_size=2, hops=2)
    with torch.no_grad():
        encoder.hidden.weight.copy_(torch.eye(2))
        encoder.score.weight.copy_(torch.tensor([[1.0, 0.0], [0.0, 0.0]]))
    p = torch.tensor(1.0).tanh().sigmoid().item()
    got = encoder(torch.eye(2)[None], torch.ones(1, 2, dtype=torch.bool))
    torch.testing.assert_close(got, torch.tensor([[p, 1 - p, 0.5, 0.5]]))


def test_values_and_gradients_are_those_of_the_plain_formula():
    encoder, x = StructuredSelfAttention(7, 3, attention_size=5, hops=4, biases=True), torch.randn(4, 11, 7)
    got = encoder(x, MASK)
    got.square().sum().backward()
    gradients = {name: p.grad.clone() for name, p in encoder.named_parameters() if p.requires_grad}
    encoder.zero_grad()
    rows = []
    for sentence, length in zip(x, LENGTHS.tolist(), strict=True):
        words = sentence[:length]
        forward, _ = encoder.forward_lstm(words)
        backward, _ = encoder.backward_lstm(words.flip(0))
        h = torch.cat([forward, backward.flip(0)], dim=1)
        hidden = torch.tanh(encoder.hidden.weight @ h.T + encoder.hidden.bias[:, None])
        a = torch.softmax(encoder.score.weight @ hidden + encoder.score.bias[:, None], dim=1)
        rows.append((a @ h).flatten())
    torch.testing.assert_close(got, torch.stack(rows))
    torch.stack(rows).square().sum().backward()
    for name, gradient in gradients.items():
        torch.testing.assert_close(gradient, encoder.get_parameter(name).grad, msg=name)


def test_dropout_falls_on_the_inputs_of_both_layers_of_the_scores_and_on_nothing_else(monkeypatch):
    """Not on the words that the LSTMs read, not on the H that is summed, and not on A."""
    double_dropout(monkeypatch)
    encoder, x = StructuredSelfAttention(7, 3, attention_size=5, hops=4, dropout=0.5), torch.randn(4, 7)
    layout = Layout(torch.ones(1, 4, dtype=torch.bool), packed=True)
    h = torch.cat([encoder.forward_lstm(x)[0], encoder.backward_lstm(x.flip(0))[0].flip(0)], dim=1)
    hidden = torch.tanh(2 * h @ encoder.hidden.weight.T)
    a = torch.softmax(2 * hidden @ encoder.score.weight.T, dim=0)
    torch.testing.assert_close(encoder(x[None], layout.mask_BT), (a.T @ h).flatten()[None])


def test_maps_are_the_hops():
    encoder = StructuredSelfAttention(7, 3, hops=4).eval()
    assert encoder.attend(torch.randn(4, 11, 7), MASK)["hops"].shape == (4, 11, 4)


def test_redundancy_by_hand():
    same = torch.tensor([[[1.0, 1.0], [0.0, 0.0]]])  # both hops on the first word: A A^T is all ones
    apart = torch.eye(2)[None]
    spread = torch.full((1, 2, 2), 0.5)  # A A^T is all halves: 4 x 1/4
    assert [redundancy(a).item() for a in (same, apart, spread)] == [2.0, 0.0, 1.0]


def test_the_authors_form_is_the_mean_over_the_large_matrix():
    """Also where a sentence is shorter than the longest, whose length counts, and shorter than there are hops."""
    logits = torch.randn(4, 11, 3, dtype=torch.double).masked_fill(~MASK[..., None], -1e36)
    attention = logits.softmax(1).requires_grad_()
    large = attention @ attention.transpose(1, 2) - torch.eye(11, dtype=torch.double)
    expected = large.square().mean((1, 2))
    got = mean_redundancy(attention, torch.full((4,), 11))
    torch.testing.assert_close(got, expected)
    (one,) = torch.autograd.grad(got.sum(), attention, retain_graph=True)
    (other,) = torch.autograd.grad(expected.sum(), attention)
    torch.testing.assert_close(one, other)


def test_sides_have_longest_sentences_of_their_own():
    mask = torch.arange(5) < torch.tensor([[5], [2], [3], [0]])
    assert Layout(mask, packed=True, sides=2).longest_B.tolist() == [5, 5, 3, 3]
    assert Layout(mask, packed=True).longest_B.tolist() == [5] * 4


@pytest.mark.parametrize("form", ["norm", "mean"])
def test_the_penalty_is_there_in_training_alone(form):
    encoder = StructuredSelfAttention(7, 3, hops=2, penalty=0.3, penalty_form=form)
    encoder(torch.randn(4, 11, 7), MASK)
    assert encoder.auxiliary_loss is not None
    assert encoder.auxiliary_loss.item() > 0
    encoder.eval()(torch.randn(4, 11, 7), MASK)
    assert encoder.auxiliary_loss is None
    encoder.train()(torch.randn(4, 11, 7), MASK)
    encoder(torch.randn(4, 0, 7), MASK[:, :0])  # a batch without words
    assert encoder.auxiliary_loss is None
    off = StructuredSelfAttention(7, 3, penalty=0.0)
    off(torch.randn(4, 11, 7), MASK)
    assert off.auxiliary_loss is None


@pytest.mark.parametrize("form", ["norm", "mean"])
def test_a_batch_without_sentences_has_a_penalty_of_zero(form):
    """It used to be NaN, the mean of no numbers."""
    encoder = StructuredSelfAttention(7, 3, hops=2, penalty_form=form)
    vectors = encoder(torch.zeros(0, 5, 7), MASK[:0, :5])
    assert encoder.auxiliary_loss is not None
    assert encoder.auxiliary_loss.item() == 0
    (vectors.sum() + encoder.auxiliary_loss).backward()
    assert all(p.grad is None or p.grad.eq(0).all() for p in encoder.parameters())


@pytest.mark.parametrize("form", ["norm", "mean"])
@pytest.mark.parametrize("packed", [True, False])
def test_the_loss_of_a_pair_has_the_penalties_of_both_sides(form, packed):
    encoder = StructuredSelfAttention(7, 3, hops=2, penalty=0.3, penalty_form=form)
    table = torch.randn(13, 7)
    table[:2] = 0.0
    words = WordVectors(table, 11, trainable=True, unknown_range=0.05, sparse=False)
    task = Classification(words, encoder, PairClassifier(12, 3, hidden_size=5), torch.optim.SGD, 0.0, packed)
    first, second = torch.tensor([[3, 4, 5, 6], [7, 8, 0, 0]]), torch.tensor([[9, 2], [3, 0]])
    batch = Batch((first, second), torch.tensor([0, 2]), np.arange(2))
    loss = task.training_step(batch, 0)
    penalties = 0.0
    for tokens in (first, second):
        mask = tokens != 0
        encoder(words(tokens.flatten()).reshape(*tokens.shape, 7), mask)
        penalties += encoder.auxiliary_loss
    torch.testing.assert_close(loss, task.loss(task(batch), batch) + penalties)


def test_only_the_attention_is_under_the_l2_penalty():
    assert decayed_names(StructuredSelfAttention(7, 3)) == {"hidden.weight", "score.weight"}
    assert len(decayed_names(BiLSTMMax(7, 3))) == 4  # the script of that baseline has the LSTM in it


def test_gradients_of_the_lstm_are_clipped_and_no_others():
    encoder = StructuredSelfAttention(7, 3, hops=2, clip=1e-3)
    (1e3 * encoder(torch.randn(4, 11, 7), MASK)).square().sum().backward()
    highest = {name: p.grad.abs().max().item() for name, p in encoder.named_parameters() if p.requires_grad}
    assert all((value <= 1.01e-3) == ("lstm" in name) for name, value in highest.items())


def test_max_pooling_by_hand():
    encoder = CNNMax(1, 1, window=3, activation="linear")
    with torch.no_grad():
        encoder.filters.weight.copy_(torch.tensor([[[1.0, 2.0, 4.0]], [[0.0, -1.0, 0.0]]]))
    x = torch.tensor([[[1.0], [3.0], [2.0], [9.0]]])
    mask = torch.tensor([[True, True, True, False]])
    # Windows (0, 1, 3), (1, 3, 2), (3, 2, 0): 14, 15, 7; and the negative of each word.
    assert encoder(x, mask).tolist() == [[15.0, -1.0]]
    assert encoder.attend(x, mask)["maximum"][0].argmax(0).tolist() == [1, 0]


def test_dropout_falls_on_the_word_vectors_of_a_convolution(monkeypatch):
    double_dropout(monkeypatch)
    encoder, x = CNNMax(7, 3, dropout=0.5, activation="linear"), torch.randn(4, 11, 7)
    torch.nn.init.ones_(encoder.filters.bias)
    torch.testing.assert_close(encoder(x, MASK), encoder.eval()(2 * x, MASK))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: CNNMax(7, 3, window=2), "window is 2; use an odd number"),
        (lambda: StructuredSelfAttention(7, 3, hops=0), "hops is 0; use a whole number of at least 1"),
        (lambda: StructuredSelfAttention(7, 3, penalty=-1.0), "penalty is -1.0; use 0 or a positive number"),
        (lambda: StructuredSelfAttention(7, 3, clip=0.0), "clip is 0.0; use a positive number, or null"),
        (lambda: StructuredSelfAttention(7, 3, penalty_form="sum"), "penalty_form is .sum.; use one of norm, mean"),
    ],
)
def test_values_out_of_range_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
