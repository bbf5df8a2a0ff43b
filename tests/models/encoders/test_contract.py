"""What every encoder promises, on prime sizes: 5 sentences, 11 words, 7 features, 3 hidden features."""

import math

import pytest
import torch
from models.model_cases import ENCODERS, LENGTHS, MASK

from attest.models.attention import Layout
from attest.models.encoders import BiLSTMMax

on_each_back_end = pytest.mark.usefixtures("backend")


@pytest.fixture(params=ENCODERS)
def make(request):
    return ENCODERS[request.param]


def test_one_vector_per_sentence(make):
    encoder = make()
    assert encoder(torch.randn(5, 11, 7), MASK).shape == (5, encoder.width)


@on_each_back_end
def test_padding_changes_nothing(make):
    encoder, x = make(), torch.randn(5, 11, 7)
    together = encoder(x, MASK)
    for row, length in enumerate(LENGTHS.tolist()):
        alone = encoder(x[row : row + 1, : max(1, length)], MASK[row : row + 1, : max(1, length)])
        torch.testing.assert_close(together[row : row + 1], alone)


@on_each_back_end
def test_poisoned_padding_changes_neither_values_nor_gradients(make):
    encoder, x = make(), torch.randn(5, 11, 7)
    results = []
    for filling in (0.0, math.nan):
        filled = x.masked_fill(~MASK[..., None], filling).requires_grad_()
        encoder.zero_grad()
        vectors = encoder(filled, MASK)
        vectors.square().sum().backward()
        gradients = [p.grad.clone() for p in encoder.parameters() if p.requires_grad]
        results.append((vectors, filled.grad, gradients))
    torch.testing.assert_close(results[0], results[1])
    assert results[0][1][~MASK].eq(0).all()


@on_each_back_end
@on_each_back_end
def test_the_default_device_does_not_matter(make):
    """Scripts often begin with torch.set_default_device("cuda"); nothing may be computed on "meta" here."""
    encoder, x = make(dropout=0.5).train(), torch.randn(5, 11, 7)
    with torch.device("meta"):
        vectors = encoder(x, MASK)
    assert vectors.device.type == "cpu"


def test_a_sentence_without_tokens_gives_zeros(make):
    assert make()(torch.randn(5, 11, 7), MASK)[4].eq(0).all()
    assert make()(torch.randn(2, 1, 7), torch.zeros(2, 1, dtype=torch.bool)).eq(0).all()


@on_each_back_end
def test_nan_in_a_token_shows_in_its_sentence_alone(make):
    """A call is refused in a sentence; in training, where `encode` gets rows, it shows in the loss."""
    x, encoder = torch.randn(5, 11, 7), make()
    x[1, 2, 3] = math.nan
    layout = encoder.layout(MASK, None)
    broken = encoder.encode(layout.rows(x), layout).isnan().any(1)
    assert broken.tolist() == [False, True, False, False, False]
    with pytest.raises(ValueError, match="x is not finite at a word of sentence 1; use numbers without NaN"):
        encoder(x, MASK)


@on_each_back_end
def test_every_parameter_learns(make):
    encoder = make()
    encoder(torch.randn(5, 11, 7), MASK).square().sum().backward()
    untouched = [name for name, p in encoder.named_parameters() if p.requires_grad and not p.grad.abs().sum() > 0]
    # Adding the same to all scores of a softmax changes nothing, so the last bias of source2token cannot learn.
    assert all(name.endswith("score.bias") for name in untouched)


@on_each_back_end
def test_dropout_acts_in_training_only(make):
    encoder, x = make(dropout=0.5), torch.randn(5, 11, 7)
    assert not encoder(x, MASK).equal(encoder(x, MASK))
    encoder.eval()
    assert encoder(x, MASK).equal(encoder(x, MASK))


@on_each_back_end
def test_maps_are_distributions_and_name_themselves(make):
    encoder = make().eval()
    for name, weights in encoder.attend(torch.randn(5, 11, 7), MASK).items():
        assert weights.isfinite().all(), name
        assert weights.shape[1] == 11
        if name.startswith("attention"):
            assert weights.shape[2] == 11, name
            assert weights[~MASK].eq(0).all(), name
            assert weights.transpose(1, 2)[~MASK].eq(0).all(), name
            total = weights.sum(2)
            torch.testing.assert_close(total, (total > 0.5).to(total))
        if name in ("source2token", "additive", "hops", "maximum"):
            expected = (LENGTHS > 0).float()
            torch.testing.assert_close(
                weights.sum(1), expected[:, None].expand_as(weights.sum(1)) if weights.dim() == 3 else expected
            )


def test_every_parameter_has_a_symbol(make):
    from attest.reproduction.pages.terminal.parameters import symbol

    encoder = make()
    assert all(symbol(encoder, name) for name, p in encoder.named_parameters() if p.requires_grad)


def test_structures_are_refused(make):
    encoder = make()
    with pytest.raises(ValueError, match="phrases"):
        encoder(torch.randn(1, 2, 7), torch.ones(1, 2, dtype=torch.bool), torch.zeros(1))


@on_each_back_end
def test_padding_may_stand_anywhere(make):
    encoder, x = make(), torch.randn(2, 5, 7)
    mask = torch.tensor([[False, True, True, False, True], [True, True, False, False, False]])
    alone = encoder(x[:1, [1, 2, 4]], torch.ones(1, 3, dtype=torch.bool))
    torch.testing.assert_close(encoder(x, mask)[:1], alone)


@on_each_back_end
def test_all_layouts_give_the_same(make):
    encoder, x = make(), torch.randn(5, 11, 7)
    results = []
    for layout in (Layout(MASK, packed=True), Layout(MASK, packed=False), Layout(MASK, packed=True, multiple=8)):
        encoder.zero_grad()
        vectors = encoder.encode(layout.rows(x), layout)
        vectors.square().sum().backward()
        results.append((vectors, [p.grad.clone() for p in encoder.parameters() if p.requires_grad]))
    torch.testing.assert_close(results[1], results[0])
    torch.testing.assert_close(results[2], results[0])


def test_unknown_activations_are_refused(make):
    if isinstance(make(), BiLSTMMax):
        pytest.skip("has no activation to choose")
    with pytest.raises(ValueError, match="elu, relu, tanh, linear"):
        make(activation="elo")


@on_each_back_end
def test_sentences_of_no_length_give_zeros(make):
    encoder = make()
    phrases = torch.zeros(3, 0, dtype=torch.uint8) if encoder.levels else None
    vectors = encoder(torch.zeros(3, 0, 7), torch.zeros(3, 0, dtype=torch.bool), phrases)
    assert (vectors.shape, bool(vectors.any())) == ((3, encoder.width), False)
