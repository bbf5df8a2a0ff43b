"""The matchers against the paper's equations, one item at a time; padding, empty sentences, counts, small cases."""

import pytest
import torch
from naive import match, spans
from torch.overrides import TorchFunctionMode
from torch.testing import assert_close

from attest.models.attention import Layout
from attest.models.heads import Aggregation
from attest.models.matchers import DAM
from attest.models.matchers.context import NGrams
from attest.models.sizes import trained_parameters

FEATURES, HIDDEN = 3, 4
LENGTHS = ((5, 2), (1, 6), (4, 4))
CONTEXTS = [
    {"context": "none"},
    {"context": "recurrence"},
    {"context": "recurrence", "context_width": "kept"},
    {"context": "convolution", "span": 2},
    {"context": "convolution", "span": 3},
    {"context": "ngrams", "span": 1},
    {"context": "ngrams", "span": 3},
    {"context": "ngrams", "span": 9},
    {"context": "ngrams", "span": 2, "context_width": "kept"},
]
RECURRENT = [each for each in CONTEXTS if each["context"] in ("recurrence", "ngrams")]
ATTENTIONS = [
    {"attention": "dot"},
    {"attention": "general"},
    {"attention": "feed_forward"},
    {"attention": "feed_forward", "score_activation": "relu"},
]
USES_OF_F = [{"compared": "transformed"}, {"compared": "projected"}, {"compared": "projected", "scored": "items"}]
PAIRS = [
    {**context, **attention, **USES_OF_F[(place + number) % 3]}
    for place, context in enumerate(CONTEXTS)
    for number, attention in enumerate(ATTENTIONS)
]
"""Settings in which each context, attention and use of F meets each of the other two kinds."""


def model_of(**settings):
    return DAM(FEATURES, HIDDEN, **{"initialisation": "uniform", "initial": 0.8, **settings}).double()


def pairs_of(lengths=LENGTHS):
    return [tuple(torch.randn(length, FEATURES, dtype=torch.float64) for length in pair) for pair in lengths]


def padded(sentences, time):
    x, mask = torch.randn(len(sentences), time, FEATURES, dtype=torch.float64), torch.zeros(len(sentences), time).bool()
    for number, sentence in enumerate(sentences):
        x[number, : len(sentence)], mask[number, : len(sentence)] = sentence, True
    return x, mask


def fast(model, pairs, times=(6, 7)):
    firsts, seconds = zip(*pairs, strict=True)
    return torch.stack(model.match(*padded(firsts, times[0]), *padded(seconds, times[1])), dim=1)


def slow(model, pairs):
    return torch.stack([torch.stack(match(model, *pair)) for pair in pairs])


def assert_fast_is_slow(model):
    """Values, and gradients of every weight."""
    pairs = pairs_of()
    found, known = fast(model, pairs), slow(model, pairs)
    assert_close(found, known)
    into = torch.randn_like(known)
    gradients = [
        torch.autograd.grad((out * into).sum(), [*model.parameters()], allow_unused=True, materialize_grads=True)
        for out in (found, known)
    ]
    for (name, _), one, other in zip(model.named_parameters(), *gradients, strict=True):
        assert_close(one, other, msg=lambda text, name=name: f"{name}: {text}")


@pytest.mark.parametrize("settings", PAIRS, ids=lambda settings: "-".join(map(str, settings.values())))
def test_values_and_gradients_are_those_of_the_equations(settings):
    assert_fast_is_slow(model_of(**settings, features="all"))


@pytest.mark.parametrize("context", RECURRENT, ids=lambda settings: "-".join(map(str, settings.values())))
@pytest.mark.parametrize("scored", ["transformed", "items"])
def test_a_recurrence_can_read_word_vectors(context, scored):
    assert_fast_is_slow(model_of(**context, context_input="embedded", compared="projected", scored=scored))


@pytest.mark.parametrize("features", ["vectors", "differences"])
def test_what_is_compared(features):
    model, pairs = model_of(features=features), pairs_of()
    assert_close(fast(model, pairs), slow(model, pairs))


@pytest.mark.parametrize("context", CONTEXTS, ids=lambda settings: "-".join(map(str, settings.values())))
def test_empty_sentences_align_with_nothing(context):
    model, pairs = model_of(**context, attention="feed_forward"), pairs_of(((0, 3), (2, 0), (0, 0)))
    found = fast(model, pairs)
    assert_close(found, slow(model, pairs))
    assert found[2].eq(0).all()
    assert fast(model, pairs[2:]).eq(0).all()


@pytest.mark.parametrize("context", CONTEXTS, ids=lambda settings: "-".join(map(str, settings.values())))
@pytest.mark.parametrize("packed", [True, False])
def test_padding_and_company_do_not_matter(context, packed):
    model, pairs = model_of(**context, attention="feed_forward"), pairs_of()
    together = fast(model, pairs, (9, 11))
    for number, pair in enumerate(pairs):
        assert_close(fast(model, [pair], (len(pair[0]), len(pair[1])))[0], together[number])
    firsts, seconds = zip(*pairs, strict=True)
    x, mask = padded([*firsts, *seconds], 8)
    layout = Layout(mask, packed=packed, multiple=8)
    assert_close(torch.stack(model.encode(layout.rows(x), layout).chunk(2), dim=1), together)


@pytest.mark.parametrize(("length", "span"), [(1, 4), (3, 4), (4, 4), (9, 4), (9, 1)])
def test_the_number_of_ngrams(length, span):
    """|S| N - sum of i for i below N, where the sentence has N words."""
    layout = Layout(torch.ones(2, length, dtype=torch.bool), packed=True)
    items, where = NGrams(2, 2, span, "doubled", 0.0)(torch.randn(2 * length, 2), layout)
    if length >= span:
        assert len(spans(length, span)) == length * span - span * (span - 1) // 2
    assert where.length_B.tolist() == [len(spans(length, span))] * 2
    assert items.shape == (2 * len(spans(length, span)), 4)


def test_alignments_are_distributions():
    model, pairs = model_of(context="ngrams", span=2), pairs_of()
    firsts, seconds = zip(*pairs, strict=True)
    weights = model.attend(*padded([*firsts, *seconds], 6))["alignment"]
    assert weights.shape == (6, 11, 11)
    assert_close(weights[0].sum(-1)[:9], torch.ones(9, dtype=torch.float64))
    assert weights[0, :, 3:].eq(0).all()  # two words have three n-grams


def test_dropout_is_drawn_in_training_alone():
    model, pairs = model_of(context="ngrams", span=2, attention="feed_forward", dropout=0.5), pairs_of()
    assert not fast(model, pairs).equal(fast(model, pairs))
    model.eval()
    assert_close(fast(model, pairs), slow(model, pairs))


@pytest.mark.parametrize(("rate", "equal"), [(0.0, True), (None, False)])
@pytest.mark.parametrize("context", [each for each in CONTEXTS if each["context"] != "none"], ids=str)
def test_without_dropout_in_the_context_a_sentence_is_like_itself(context, rate, equal):
    model = model_of(**context, compared="projected", dropout=0.5, context_dropout=rate)
    sentence = torch.randn(5, FEATURES, dtype=torch.float64)
    x, mask = padded([sentence, sentence], 5)
    layout = model.layout(mask, None)
    items_MW, items = model.items(layout.rows(x), layout)
    first, second = items.grid(items_MW)
    assert torch.allclose(first, second) == equal


def test_words_without_context_have_no_dropout_of_their_own():
    with pytest.raises(ValueError, match="context_dropout: context=none has no layer for it"):
        model_of(context_dropout=0.1)


def test_by_hand():
    """One feature, every weight 1 and bias 0: F, G and the projection pass on what is positive."""
    model = DAM(1, 1)
    for name, parameter in model.named_parameters():
        torch.nn.init.constant_(parameter, 0.0 if "bias" in name else 1.0)
    one, two = torch.tensor([[[1.0]]]), torch.tensor([[[2.0], [2.0]]])
    first, second = model.match(one, torch.ones(1, 1).bool(), two, torch.ones(1, 2).bool())
    # The word 1 is aligned with 2, each 2 with 1: V_1 = 1 + 2, V_2 = (2 + 1) + (2 + 1).
    assert (first.item(), second.item()) == (3.0, 6.0)


class AddedTypes(TorchFunctionMode):
    """The types in which `index_add` adds while the mode is on."""

    def __init__(self):
        super().__init__()
        self.types = set()

    def __torch_function__(self, function, types, arguments=(), options=None):
        if function is torch.Tensor.index_add and arguments[0].is_floating_point():
            self.types.add(arguments[0].dtype)
        return function(*arguments, **(options or {}))


@pytest.mark.parametrize("context", CONTEXTS, ids=lambda settings: "-".join(map(str, settings.values())))
def test_compared_items_in_bf16_are_added_in_fp32(context):
    """A GPU adds them one after another, and in bf16 the sum of hundreds of n-grams would be percents off."""
    with AddedTypes() as added, torch.autocast("cpu", torch.bfloat16):
        vectors = model_of(**context).float()(torch.randn(2, 5, FEATURES), torch.ones(2, 5, dtype=torch.bool))
    assert added.types == {torch.float32}
    assert vectors.dtype == torch.bfloat16


@pytest.mark.parametrize(
    ("hidden", "settings", "parameters"),
    [
        (200, {}, 381_803),  # Parikh et al.: 382k
        (300, {}, 812_703),
        (200, {"compared": "projected"}, 381_803),
        (200, {"attention": "feed_forward"}, 381_803 + 2 * 200 * 200 + 200 + 201),
        (200, {"attention": "general"}, 381_803 + 200 * 200),
        # FFNet in F's place has one number to give, F 200.
        (200, {"compared": "projected", "scored": "items"}, 381_803 - 80_400),
        (200, {"compared": "projected", "scored": "items", "attention": "feed_forward"}, 381_803 - 80_400 + 80_401),
        # G sees two items of twice the width: 2 x 2 x 200 x 200 more than 2 x 200 x 200.
        (200, {"context": "ngrams", "span": 4}, 381_803 + 80_000 + 2 * (3 * 200 * 400 + 6 * 200)),
        (200, {"context": "recurrence"}, 381_803 + 80_000 + 2 * (3 * 200 * 400 + 6 * 200)),
        (200, {"context": "convolution", "span": 3}, 381_803 + 80_000 + 3 * 200 * 200 + 200),
        (200, {"context": "ngrams", "span": 4, "context_width": "kept"}, 381_803 + 2 * (3 * 100 * 300 + 6 * 100)),
        # F and G see items of twice the width. There is no projection, and the GRU reads 300 features, not 200.
        (
            200,
            {"context": "recurrence", "compared": "projected", "context_input": "embedded"},
            381_803 + 120_000 - 60_000 + 2 * (3 * 200 * 500 + 6 * 200),
        ),
    ],
)
def test_parameters(hidden, settings, parameters):
    assert trained_parameters(DAM(300, hidden, **settings), Aggregation(hidden, 3, hidden_size=hidden)) == parameters


@pytest.mark.parametrize(("activation", "learns"), [("linear", True), ("relu", False)])
def test_scores_that_are_all_below_zero_learn_only_without_a_relu(activation, learns):
    model = model_of(attention="feed_forward", score_activation=activation)
    with torch.no_grad():
        model.attention.output.bias.fill_(-1e3)
    fast(model, pairs_of()).sum().backward()
    assert bool(model.attention.hidden.weight.grad.any()) == learns


@pytest.mark.parametrize(
    "settings",
    [
        {"context": "ngrams"},
        {"span": 2},
        {"context": "ngrams", "span": 0},
        {"context": "trees"},
        {"context_width": "kept"},
        {"attention": "none"},
        {"score_activation": "relu"},
        {"compared": "words"},
        {"scored": "words"},
        {"scored": "items"},
        {"features": "none"},
        {"initialisation": "ones"},
        {"initial": 0.0},
        {"initialised": "some"},
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused(settings):
    with pytest.raises(ValueError, match="|".join([*settings, "span"])):
        DAM(FEATURES, HIDDEN, **settings)


@pytest.mark.parametrize(
    "settings",
    [
        {"context": "ngrams", "span": 2, "context_input": "words"},
        {"context": "none", "compared": "projected", "context_input": "embedded"},
        {"context": "convolution", "span": 2, "compared": "projected", "context_input": "embedded"},
        {"context": "recurrence", "context_input": "embedded"},
    ],
    ids=str,
)
def test_word_vectors_are_for_a_recurrence_before_f(settings):
    with pytest.raises(ValueError, match="^context_input"):
        DAM(FEATURES, HIDDEN, **settings)


@pytest.mark.parametrize(("how", "spread"), [("normal", 0.01), ("uniform", 0.01 / 3**0.5), ("glorot", 0.0)])
def test_first_weights(how, spread):
    model = DAM(300, 100, initialisation=how)
    assert model.compare.hidden.bias.std().item() == pytest.approx(spread, rel=0.3)
    assert model.projection.weight.abs().max() > 0.009


@pytest.mark.parametrize(("initialised", "spread"), [("all", 0.01), ("linear", 1 / 300**0.5)])
def test_a_recurrence_may_begin_as_torch_makes_it(initialised, spread):
    model = DAM(300, 100, context="ngrams", span=2, initialised=initialised)
    assert [gru.std().item() for gru in model.context.parameters()] == pytest.approx([spread] * 8, rel=0.3)
    assert model.compare.hidden.weight.std().item() == pytest.approx(0.01, rel=0.3)


def test_directions_that_share_the_width_need_an_even_one():
    with pytest.raises(
        ValueError, match="context_width: kept halves hidden_size, and 5 is odd; use an even hidden_size"
    ):
        DAM(FEATURES, 5, context="recurrence", context_width="kept")
