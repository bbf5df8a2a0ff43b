"""The arguments of public constructors and functions: each wrong one is refused in one sentence that names it."""

import inspect
import math
from collections.abc import Sequence
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
import pytest
import torch
from models.model_cases import MODELS, inputs_of

from attest import models
from attest.models import DAM, DiSAN, Encoder, Head, Layout, PairClassifier, WordVectors
from attest.models.arguments import CheckedArguments, Size
from attest.models.attention import (
    allowed_keys,
    attend_factorised,
    attend_phrases,
    attend_words,
    feature_attention,
    masked_softmax,
    max_words,
    pooling_weights,
)

CLASSES = [
    cls
    for name in models.__all__
    if isinstance(cls := getattr(models, name), type) and not inspect.isabstract(cls) and cls is not Head
    if issubclass(cls, Encoder | Head)
]
GIVEN: dict[str, Any] = {"input_size": 8, "width": 60, "classes": 3}
WRONG = {
    bool: [None, 2.5, "yes", -1],
    int: [None, "3", 2.5, True, math.nan],
    Size: [-1, 0, None, "300", 2.5, math.nan, True, [3]],
    float: [None, "0.1", math.nan, math.inf, True, [0.1]],
}


def wrong_values(hint):
    """Return values that are wrong for a parameter's annotation."""
    if get_origin(hint) is Literal:
        return [None, -1, "other", ["elu"], True]
    if get_origin(hint) is Sequence:
        return [None, 3, "forward", b"forward", [], ["other"], [None]]
    options = [option for option in get_args(hint) if option is not type(None)]
    if hint not in WRONG and len(options) == 1:
        return [value for value in wrong_values(options[0]) if value is not None]
    return WRONG[hint]


def sentence_of(function, *arguments, **named):
    """Return the text of the ValueError of a call, one sentence."""
    with pytest.raises(ValueError, match=".") as error:
        function(*arguments, **named)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("cls", CLASSES)
def test_every_wrong_argument_of_a_constructor_is_named(cls):
    given = {name: value for name, value in GIVEN.items() if name in inspect.signature(cls).parameters}
    hints = {name: hint for name, hint in get_type_hints(cls.__init__, include_extras=True).items() if name != "return"}
    assert len(hints) >= 3
    for name, hint in hints.items():
        for value in wrong_values(hint):
            assert sentence_of(cls, **{**given, name: value}).startswith(name), (name, value)


def test_numbers_of_numpy_are_numbers():
    assert DiSAN(np.int64(7), hidden_size=np.int32(3), dropout=np.float32(0.5)).width == 6


def test_missing_and_unknown_arguments_are_named():
    with pytest.raises(TypeError, match="input_size"):
        DiSAN()
    with pytest.raises(TypeError, match="hidden"):
        DiSAN(7, hidden=3)


class Mine(Encoder):
    """An encoder whose annotations hold a name that exists for type checkers alone."""

    def __init__(self, input_size: Size, like: "Elsewhere" = None) -> None:  # type: ignore[name-defined]  # noqa: F821
        super().__init__()
        self.input_size = self.width = input_size

    def encode(self, x_ND, layout):
        return layout.grid(x_ND).sum(1)


def test_an_encoder_with_annotations_of_its_own_is_built():
    assert Mine(7)(torch.randn(2, 3, 7), torch.ones(2, 3, dtype=torch.bool)).shape == (2, 7)


@pytest.mark.parametrize("name", MODELS)
def test_only_finite_tensors_are_taken(name):
    model = MODELS[name]()
    x, (mask, *phrases) = inputs_of(model)
    broken = x.clone()
    broken[1, 0, 2] = math.inf
    for function in (model, model.attend):
        for other in (x.tolist(), x.numpy(), None, "words"):
            assert sentence_of(function, other, mask, *phrases).startswith("x is of type ")
        assert sentence_of(function, x, mask.tolist(), *phrases) == "mask is of type list; use a torch.Tensor"
        assert sentence_of(function, broken, mask, *phrases).startswith("x is not finite at a word of sentence 1;")
        if phrases:
            assert sentence_of(function, x, mask, phrases[0].tolist()).startswith("phrases is of type list")


def test_padding_may_hold_anything():
    x, mask = torch.full((1, 3, 7), math.nan), torch.tensor([[True, True, False]])
    x[:, :2] = 1
    assert DiSAN(7, 3)(x, mask).isfinite().all()


def test_pairs_and_sentence_vectors_are_tensors():
    x, mask, vector = torch.randn(2, 4, 7), torch.ones(2, 4, dtype=torch.bool), torch.randn(2, 6)
    assert sentence_of(DAM(7, 3).match, x, mask, x.numpy(), mask) == "second is of type ndarray; use a torch.Tensor"
    head = PairClassifier(6, 3)
    assert sentence_of(head, vector, vector.tolist()) == "a sentence vector is of type list; use a torch.Tensor"
    assert sentence_of(head, vector.half(), vector.half()).endswith("PairClassifier are torch.float32; convert it")


def test_tables_of_word_vectors():
    table, usual = torch.randn(6, 2), {"trainable": True, "unknown_range": 0.05, "sparse": True}
    for wrong, words, settings in (
        (table.tolist(), 3, {}),
        (table[0], 3, {}),
        (table.long(), 3, {}),
        (table, -1, {}),
        (table, 5, {}),
        (table, 2.5, {}),
        (table, 3, {"reserved": -1}),
        (table, 3, {"unknown": "zeros"}),
        (table, 3, {"unknown_range": -0.1}),
        (table, 3, {"unknown_range": math.nan}),
        (table, 3, {"trainable": "yes"}),
    ):
        assert "; use " in sentence_of(WordVectors, wrong, words, **{**usual, **settings})
    words = WordVectors(table, 3, **usual)
    for tokens in (6, 100, -1):
        assert sentence_of(words, torch.tensor([tokens])) == "tokens: one is no row of the table; use 0 to 5"
    for vectors in (torch.randn(2, 3), torch.randn(2), [[1.0, 2.0]], torch.full((1, 2), math.nan)):
        assert sentence_of(words.extend, vectors).startswith("vectors ")


def test_functions_of_attention():
    keys, lengths, mask = torch.randn(2, 4, 3), torch.tensor([4, 2]), torch.ones(2, 4, dtype=torch.bool)
    usual: dict[str, Any] = {"direction": "forward", "lengths": lengths}
    for wrong in (
        {"direction": "up"}, {"lengths": [4, 2]}, {"lengths": torch.tensor([5, 2])}, {"lengths": torch.tensor([-1, 2])},
        {"lengths": torch.tensor([4.0, 2.0])}, {"scale": 0.0}, {"scale": "5"}, {"scale": math.nan},
    ):  # fmt: skip
        assert "; use " in sentence_of(feature_attention, keys, keys, keys, **{**usual, **wrong})
    assert sentence_of(feature_attention, keys.tolist(), keys, keys, **usual).startswith("keys is of type list")
    layout, rows = Layout(mask, packed=True), torch.randn(8, 3)
    for function, arguments, named in (
        (attend_words, (rows, rows, rows, layout), {"direction": "forward", "scale": -1.0}),
        (attend_phrases, (rows, rows, rows, layout, -1, torch.tanh), {}),
        (attend_factorised, (rows, rows, rows, rows, layout), {"direction": "forward", "pair_weight": "product"}),
        (pooling_weights, (rows[:3], layout), {}),
        (max_words, (rows[:3], layout), {}),
        (masked_softmax, (rows, rows, 1), {}),
        (allowed_keys, ("forward", "3"), {}),
        (Layout, (mask, 1), {}),
        (Layout, (mask, True, 0), {}),
    ):
        assert "; use " in sentence_of(function, *arguments, **named)


def test_arguments_without_names_of_their_own_are_checked_one_by_one():
    class Any(CheckedArguments):
        def __init__(self, *sizes: int, **options: int) -> None:
            self.given = sizes, options

    assert Any(1, 2, depth=3).given == ((1, 2), {"depth": 3})
    with pytest.raises(ValueError, match=r"sizes\[1\] is 'a'"):
        Any(1, "a")
    with pytest.raises(ValueError, match="depth is 'b'"):
        Any(depth="b")
