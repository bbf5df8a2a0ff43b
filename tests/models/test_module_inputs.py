"""What public modules are given: shapes and types that do not fit are refused in a sentence."""

import pytest
import torch
from models.model_cases import MODELS, inputs_of

from attest.models import (
    DAM,
    Aggregation,
    DiSAN,
    GatedPairClassifier,
    Layout,
    PairClassifier,
    PrunedPairClassifier,
    PrunedSentenceClassifier,
    RelatednessScorer,
    SentenceClassifier,
    WordVectors,
)


@pytest.fixture(params=MODELS)
def model(request):
    return MODELS[request.param]()


def both(model, *inputs):
    """The sentences of the errors of a call, and of `attend`, which are the same."""
    errors = []
    for function in (model, model.attend):
        with pytest.raises(ValueError, match=".") as error:
            function(*inputs)
        errors.append(str(error.value))
    assert errors[0] == errors[1]
    assert "\n" not in errors[0]
    return errors[0]


def test_a_mask_of_other_words_or_sentences_is_refused(model):
    """A narrow one used to mix the words of sentences, and a wide one to raise a bare IndexError."""
    x, (own, *phrases) = inputs_of(model)
    for sentences, words in ((0, -1), (0, 1), (0, -8), (-2, 0), (2, 0)):
        mask = torch.ones(len(own) + sentences, own.shape[1] + words, dtype=torch.bool)
        assert both(model, x, mask, *(torch.zeros(mask.shape, dtype=torch.long) for _ in phrases)) == (
            f"x is {tuple(x.shape)} and the mask {tuple(mask.shape)}; use one batch and time for both"
        )


def test_masks_are_boolean_and_have_two_dimensions(model):
    x, (mask, *phrases) = inputs_of(model)
    for other in (
        mask.float(),
        mask.long(),
        mask[..., None],
        mask[:, 0] if not model.pairs else mask[:, 0, None, None],
    ):
        assert "use boolean (batch, time)" in both(model, x, other, *phrases)


def test_word_vectors_of_another_width_or_rank_are_refused(model):
    x, inputs = inputs_of(model)
    for other in (x[..., :6], torch.cat([x, x], dim=-1), x[..., 0], x[..., None], x[0]):
        error = both(model, other, *inputs)
        assert error == f"x is {tuple(other.shape)}; {type(model).__name__} takes word vectors (batch, time, 7)"


def test_phrases_have_the_shape_of_the_mask():
    model = MODELS["psan_levels"]()
    x, (mask, phrases) = inputs_of(model)
    for other in (phrases[:, :-1], phrases[:-1], phrases[..., None], phrases.float(), phrases.bool()):
        assert both(model, x, mask, other).endswith("use integers of the shape of the mask, (5, 11)")


def test_a_batch_without_sentences_gives_none(model):
    x, inputs = inputs_of(model)
    x, *inputs = (tensor[:0] for tensor in (x, *inputs))
    assert model(x, *inputs).shape == (0, model.width)


# ------------------------------------------------------------------------------------------------- attention maps


def test_sentences_of_no_length_have_no_maps(model):
    x, inputs = inputs_of(model)
    with pytest.raises(ValueError, match=r"^the mask is \(\d, 0\); give sentences of at least one word to get maps$"):
        model.attend(x[:, :0], *(tensor[:, :0] for tensor in inputs))


@pytest.mark.parametrize("name", MODELS)
def test_maps_are_those_of_evaluation_also_in_training(name):
    """Dropout used to act on the maps of some encoders and not on those of others."""
    model = MODELS[name](dropout=0.5)
    part = next(model.children()).eval()  # a part that is frozen stays so
    x, inputs = inputs_of(model)
    torch.manual_seed(1)
    before = torch.get_rng_state()
    in_training = model.attend(x, *inputs)
    assert torch.get_rng_state().equal(before)
    assert model.training
    assert not part.training
    for key, weights in model.eval().attend(x, *inputs).items():
        assert in_training[key].equal(weights), key


def test_the_mode_comes_back_after_an_error(model, monkeypatch):
    x, inputs = inputs_of(model)
    monkeypatch.setattr(type(model), "maps", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        model.attend(x, *inputs)
    assert all(part.training for part in model.modules())


# ----------------------------------------------------------------------------------------------- the other modules


def test_matchers_take_pairs():
    model = DAM(7, 3)
    x, mask = torch.randn(3, 4, 7), torch.ones(3, 4, dtype=torch.bool)
    assert both(model, x, mask) == "the mask has 3 sentences; DAM takes pairs, all first sentences first"
    for others in (
        (x, mask[:, :3], x, mask),  # used to lose the last word
        (x, mask, x[:2], mask[:2]),  # three first sentences and two second ones
        (x[:, :, :5], mask, x, mask),
        (x[0], mask[0], x[0], mask[0]),
    ):
        with pytest.raises(
            ValueError, match="^the first sentences and their mask are .*; use .*, with a time for each"
        ):
            model.match(*others)
    first, second = model.match(x, mask, x[:, :2], mask[:, :2])
    assert first.shape == second.shape == (3, 3)


HEADS = {
    "pair": (lambda: PairClassifier(6, 3), 2),
    "sentence": (lambda: SentenceClassifier(6, 3), 1),
    "grades": (lambda: RelatednessScorer(6, 5), 2),
    "aggregation": (lambda: Aggregation(6, 3), 2),
    "gated": (lambda: GatedPairClassifier(6, 3, rows=2, hidden_size=5), 2),
    "pruned": (lambda: PrunedSentenceClassifier(6, 3, rows=2), 1),
    "pruned pair": (lambda: PrunedPairClassifier(6, 3, rows=2), 2),
}


@pytest.mark.parametrize("name", HEADS)
def test_heads_take_vectors_of_their_width(name):
    make, sentences = HEADS[name]
    head, vector = make(), torch.randn(4, 6)
    assert head(*[vector] * sentences).shape[0] == 4
    wrong = [(4, 5), (4, 12), (6,), (1, 4, 6)]
    cases = [[torch.randn(shape)] * sentences for shape in wrong]
    if sentences == 2:
        cases += [[vector, torch.randn(shape)] for shape in (*wrong, (1, 6), (3, 6))]
    for vectors in cases:
        with pytest.raises(
            ValueError, match=rf"^{type(head).__name__} was given .*; use sentence vectors \(batch, 6\)$"
        ):
            head(*vectors)


@pytest.mark.parametrize("kind", [torch.float32, torch.bool, torch.int16, torch.complex64], ids=str)
def test_tokens_are_integers(kind):
    words = WordVectors(torch.randn(6, 2), 3, trainable=True, unknown_range=0.05, sparse=True)
    with pytest.raises(ValueError, match=rf"^tokens are {kind}; use torch.int64, the rows of the table$"):
        words(torch.ones(2, 3).to(kind))


def test_sides_divide_the_sentences():
    with pytest.raises(ValueError, match="sides is 2, which does not divide the 3 sentences"):
        Layout(torch.ones(3, 2, dtype=torch.bool), packed=True, sides=2)


def test_rows_of_another_layout_are_refused():
    """Attention on rows reads the places of words from the layout."""
    model = DiSAN(7, 3)
    layout = Layout(torch.ones(2, 3, dtype=torch.bool), packed=True)
    with pytest.raises(ValueError, match=r"^keys \(5, 3\), queries \(5, 3\), values \(5, 3\); use one shape .* 6 rows"):
        model.encode(torch.randn(5, 7), layout)
