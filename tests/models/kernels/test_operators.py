"""Public operators with every type and with wrong shapes, in this process: what cannot be computed is refused.

All of these are functions that call C++ kernels. Of the wrong calls some used to end in SIGSEGV, and others in numbers
from beyond an array.
"""

import itertools
import subprocess
import sys

import pytest
import torch
import torch.nn.functional as F
from marks import needs_kernels

from attest.models.attention import (
    Layout,
    attend_factorised,
    attend_phrases,
    attend_words,
    feature_attention,
    pool_words,
)
from attest.models.kernels import attention, backends
from attest.models.kernels.dropout import Dropout, dropout
from attest.models.kernels.gate import fuse, gate
from attest.models.kernels.gru import gru
from attest.models.kernels.lstm import lstm
from attest.models.matchers.pairs import pair_scores
from attest.training.optim.adadelta import Adadelta

MASK = torch.tensor([[True, True, True, False], [True, True, True, True]])
LAYOUT = Layout(MASK, packed=True, phrases_BT=torch.tensor([[1, 0, 1, 0], [1, 1, 0, 0]]))
PLACES = (LAYOUT.first_B, LAYOUT.length_B)
LENGTHS = torch.tensor([3, 4])
STEPS = [3, 2, 2]

pytestmark = needs_kernels


def step(weight, gradient):
    """The parameter after a step of Adadelta."""
    parameter = torch.nn.Parameter(weight.clone())
    parameter.grad = gradient.clone()
    Adadelta([parameter]).step()
    return parameter.detach()


def step_rows(weight, gradient):
    """The table after a step with a gradient of its first rows, and another one that those rows missed."""
    table = torch.nn.Parameter(weight.clone())
    optimizer = Adadelta([table], rows="dense")
    for rows in (slice(0, 4), slice(2, 6), slice(0, 4)):
        index = torch.arange(len(weight))[rows]
        table.grad = torch.sparse_coo_tensor(
            index[None], gradient[rows], weight.shape, check_invariants=False, is_coalesced=True
        )
        optimizer.step()
    return table.detach()


OPERATORS = {
    "dropout": (lambda x: Dropout(0.5)(x), [(7, 5)]),
    "dropout_operator": (lambda x: dropout(x, 0.5, 3, x.dtype), [(7, 5)]),
    "fuse": (fuse, [(7, 5), (7, 5), (5,), (7, 5), (7, 5)]),
    "gate": (gate, [(7, 5), (7, 5), (5,), (7, 5), (7, 5)]),
    "feature_attention": (lambda *x: feature_attention(*x, direction="forward", lengths=LENGTHS), [(2, 4, 5)] * 3),
    "attend_words": (lambda *x: attend_words(*x, LAYOUT, direction="diagonal"), [(7, 5)] * 3),
    "attend_phrases": (lambda *x: attend_phrases(*x, LAYOUT, 1, F.elu, lone_words_attend=True), [(7, 5)] * 3),
    "attend_factorised": (
        lambda *x: attend_factorised(*x, LAYOUT, direction="none", pair_weight="sigmoid"),
        [(7, 5)] * 4,
    ),
    "pool_words": (lambda *x: pool_words(*x, LAYOUT), [(7, 5)] * 2),
    "token2token": (
        lambda *x: attention.token2token(*x, *PLACES, *LAYOUT.key_range("none"), False, 5.0)[0],
        [(7, 5)] * 3,
    ),
    "source2token": (lambda *x: attention.source2token(*x, *PLACES)[0], [(7, 5)] * 2),
    "pair_scores": (pair_scores, [(2, 3, 5), (2, 4, 5), (2, 5)]),
    "lstm": (lambda *x: lstm(*x, STEPS), [(7, 20), (20, 5)]),
    "gru": (lambda *x: gru(*x, STEPS), [(7, 15), (15, 5), (15,)]),
    "adadelta": (step, [(7, 5)] * 2),
    "adadelta_rows": (step_rows, [(7, 5)] * 2),
}
"""The operators, and the shapes of their tensors."""
ONLY_KERNELS = ("dropout_operator", "gate", "token2token", "source2token", "lstm", "gru")
"""Operators that are kernels and nothing else: what a kernel does not take is converted by the caller, or refused."""
FREE = {"pair_scores": [(0, 1), (1, 1)], "adadelta_rows": [(0, 0), (1, 0)]}
"""The sizes that no other tensor shares, as (place of the tensor, axis): the items of a side, the rows of a table."""
TYPES = (torch.float32, torch.bfloat16, torch.float16, torch.float64)
REFUSED_BESIDE_FP32 = {
    "dropout_operator": ((torch.float16, torch.float64), (0,)),
    "attend_phrases": ((torch.float64,), (0, 1)),
    "attend_factorised": ((torch.float64,), (0, 1, 2, 3)),
    "pair_scores": ((torch.float64,), (0, 1, 2)),
    "adadelta": (TYPES[1:], (0, 1)),  # torch's optimisers want gradients of the parameter's type
    "adadelta_rows": (TYPES[1:], (0, 1)),
}
"""The types that one tensor may not have where the others are in fp32, and the places of these tensors."""


def drawn(shapes, kind=torch.float32):
    torch.manual_seed(0)
    return [torch.randn(shape).to(kind) for shape in shapes]


def result(name, tensors, backend="native"):
    backends.use(backend)
    torch.manual_seed(1)
    return OPERATORS[name][0](*tensors)


@pytest.mark.parametrize("kind", TYPES, ids=str)
@pytest.mark.parametrize("name", OPERATORS)
def test_every_type_gives_the_numbers_of_the_reference(name, kind):
    tensors = drawn(OPERATORS[name][1], kind)
    if name == "dropout_operator" and kind not in (torch.float32, torch.bfloat16):
        with pytest.raises(ValueError, match=r"^dropout: x is float\d\d \(7, 5\) on cpu; use float32 or bfloat16"):
            result(name, tensors)
        return
    if name.startswith("adadelta") and kind == torch.float16:
        with pytest.raises(ValueError, match="eps is 1e-08, which is 0 in torch.float16; use parameters in fp32"):
            result(name, tensors)
        return
    found = result(name, tensors)
    if name not in ONLY_KERNELS:
        assert found.dtype == (torch.float32 if name == "pair_scores" and kind != torch.float64 else kind)
        torch.testing.assert_close(found, result(name, tensors, "reference"), rtol=2**-7, atol=2**-7)
    expected = result(name, [x.float() for x in tensors])
    torch.testing.assert_close(found.float(), expected, rtol=2**-6, atol=2**-6)


@pytest.mark.parametrize("name", OPERATORS)
def test_types_may_be_mixed(name):
    """One tensor has another type than the others: the result is near that of fp32, or the call is refused."""
    shapes = OPERATORS[name][1]
    types, places = REFUSED_BESIDE_FP32.get(name, ((), ()))
    expected = result(name, drawn(shapes))
    for kind, place in itertools.product(TYPES, range(len(shapes))):
        tensors = drawn(shapes)
        tensors[place] = tensors[place].to(kind)
        if kind in types and place in places:
            with pytest.raises((RuntimeError, ValueError), match=r"(?i)(float|double|half)"):
                result(name, tensors)
        else:
            found = result(name, tensors)
            torch.testing.assert_close(found.float(), expected.float(), rtol=2**-5, atol=2**-5)


def wrong_shapes(name, place):
    """Shapes that differ from that of a tensor in one size or in their number of sizes."""
    shape = OPERATORS[name][1][place]
    for axis, size in enumerate(shape):
        if (place, axis) in FREE.get(name, []):
            continue
        for other in {0, 1, size - 1, size + 1, 1000} - {size}:
            yield (*shape[:axis], other, *shape[axis + 1 :])
    yield from (shape[1:], (1, *shape), (*shape, 1))


@pytest.mark.parametrize("backend", ["native", "reference"])
@pytest.mark.parametrize("name", [name for name in OPERATORS if len(OPERATORS[name][1]) > 1])
def test_shapes_that_do_not_fit_are_refused(name, backend):
    shapes = OPERATORS[name][1]
    for place, kind in itertools.product(range(len(shapes)), (torch.float32, torch.bfloat16)):
        for shape in wrong_shapes(name, place):
            tensors = drawn([*shapes[:place], shape, *shapes[place + 1 :]], kind)
            if name == "fuse" and is_broadcast(tensors):
                continue
            with pytest.raises((ValueError, RuntimeError)) as error:
                result(name, tensors, backend)
            assert str(error.value)


def is_broadcast(tensors):
    """Whether plain torch can compute with the shapes, which is what the gate's reference then does."""
    try:
        torch.broadcast_shapes(*(x.shape for x in tensors))
    except RuntimeError:
        return False
    return True


@pytest.mark.parametrize("name", OPERATORS)
def test_order_in_memory_does_not_matter(name):
    tensors = drawn(OPERATORS[name][1])
    strided = [torch.stack([x, x], dim=-1)[..., 0] for x in tensors]
    assert result(name, strided).equal(result(name, tensors))


@pytest.mark.parametrize("name", OPERATORS)
def test_other_default_types_do_not_matter(name):
    """Buffers that a kernel writes are in fp32, whatever torch makes by default."""
    tensors = drawn(OPERATORS[name][1])
    expected = result(name, tensors)
    torch.set_default_dtype(torch.float64)
    try:
        found = result(name, tensors)
    finally:
        torch.set_default_dtype(torch.float32)
    assert found.equal(expected)


@pytest.mark.parametrize(
    ("keys", "queries", "values"),
    [
        ((2, 50, 700), (2, 50, 700), (2, 50, 7)),
        ((2, 5, 7), (2, 5, 7), (2, 5000, 7)),
        ((2, 50, 700), (1, 1, 700), (2, 50, 700)),
        ((2, 5, 7), (2, 5, 7), (2, 5)),
    ],
    ids=["narrow values", "long values", "one query", "flat values"],
)
def test_feature_attention_names_the_shapes(keys, queries, values):
    tensors, lengths = drawn([keys, queries, values]), torch.tensor([5, 5])
    with pytest.raises(
        ValueError, match=r"^keys, queries, values, lengths are .*; use \(batch, time, features\) thrice"
    ):
        feature_attention(*tensors, direction="none", lengths=lengths)
    x = drawn([(2, 5, 7)] * 3)
    for others in (torch.tensor([5]), torch.tensor([[5, 5]]), torch.tensor(5)):
        with pytest.raises(ValueError, match="and \\(batch,\\)"):
            feature_attention(*x, direction="none", lengths=others)


@pytest.mark.parametrize("lengths", [[-3, 4], [9, 4], [2**40, 0]], ids=str)
def test_lengths_beyond_the_words_are_refused(lengths):
    x = drawn([(2, 4, 5)] * 3)
    with pytest.raises(ValueError, match=r"lengths are \[.*\]; use whole numbers of words from 0 to 4"):
        feature_attention(*x, direction="none", lengths=torch.tensor(lengths))


def test_gradients_in_another_type_than_the_rest_are_converted():
    """The gate read a gradient in fp32 as if it were in bf16."""
    tensors = [x.requires_grad_() for x in drawn(OPERATORS["gate"][1])]
    plain = torch.autograd.grad(gate(*tensors).sum(), tensors)
    half = [x.detach().bfloat16().requires_grad_() if x.dim() == 2 else x for x in tensors]
    found = torch.ops.attest.gate_backward(*(x.detach() for x in half), torch.ones(7, 5))
    torch.testing.assert_close(found[0].float(), plain[0], rtol=0, atol=2**-6)


def test_encoding_does_not_load_the_compiler():
    """The first call of an operator loads it, which takes a second."""
    code = """
import sys, torch
from attest.models import DiSAN
from attest.models.kernels import backends
backends.use("native")
with torch.inference_mode():
    DiSAN(5, 5)(torch.ones(2, 3, 5), torch.ones(2, 3, dtype=torch.bool))
sys.exit("torch._dynamo" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
