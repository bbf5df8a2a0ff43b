"""The two attention kernels of native/ as torch operators, which are differentiable and can be traced.

All matrices of a call are in fp32 or all are in bf16. The computation is in fp32 either way.

Legend: B sentences, N rows, D features.
"""

from typing import Any

import torch
from torch import Tensor

from attest.models.kernels.derivatives import refuse_second_derivative
from attest.models.kernels.kernel import Kernel
from attest.models.kernels.library import kernel_inputs
from attest.models.kernels.operator import operator

STEEPEST = 40.0
"""The largest scale c of the kernels: for larger ones exp(-2 c) is not a normal number in fp32."""

# -------------------------------------------------------------------------------------------- token2token


TOKEN2TOKEN_FORWARD = Kernel(
    "token2token_forward",
    """
    keys, queries, values: T (N, D)
    first, length: int64 (B)
    start, end: int32 (N)
    B, N, D
    skip_self, elu: bool
    c: float
    T
    attended: T (N, D)
    inverse: float32 (N, D)
    """,
)
TOKEN2TOKEN_BACKWARD = Kernel(
    "token2token_backward",
    """
    keys, queries, values, attended: T (N, D)
    inverse: float32 (N, D)
    gradient: T (N, D)
    first, length: int64 (B)
    start, end: int32 (N)
    B, N, D
    skip_self, elu: bool
    c: float
    T
    keys_gradient, queries_gradient, values_gradient: T (N, D)
    """,
)


def score_arguments(scale: float | None) -> tuple[bool, float]:
    """Return the kernels' two arguments for the score function: whether it is ELU, and the scale c (unused by ELU)."""
    return scale is None, 1.0 if scale is None else scale


@operator("attest::token2token")
def token2token(
    keys: Tensor, queries: Tensor, values: Tensor, first: Tensor, length: Tensor, start: Tensor, end: Tensor,
    skip_self: bool, scale: float | None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Return the attention within each sentence, and the inverse of the softmax's denominator, both (N, D).

    The scores are c tanh((k + q) / c), where `scale` is c, or elu(k + q) if `scale` is None. `first` and `length` (B,)
    are those of a layout, `start` and `end` (N,) the ranges of words to attend to.
    """
    keys, queries, values = kernel_inputs(keys, queries, values)
    attended, inverse = torch.empty_like(values), torch.empty_like(values, dtype=torch.float32)
    TOKEN2TOKEN_FORWARD(
        keys, queries, values, first, length, start, end, skip_self, *score_arguments(scale), attended, inverse
    )
    return attended, inverse


@token2token.register_fake
def _(keys, queries, values, first, length, start, end, skip_self, scale):  # type: ignore[no-untyped-def]
    attended = torch.empty_like(values, memory_format=torch.contiguous_format)
    return attended, torch.empty_like(attended, dtype=torch.float32)


@operator("attest::token2token_backward")
def token2token_backward(
    keys: Tensor, queries: Tensor, values: Tensor, attended: Tensor, inverse: Tensor, gradient: Tensor,
    first: Tensor, length: Tensor, start: Tensor, end: Tensor, skip_self: bool, scale: float | None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """Return the gradients of keys, queries and values (N, D).

    `attended` and `inverse` are the results of `token2token`, and `gradient` is that of `attended`.
    """
    keys, queries, values, attended, gradient = kernel_inputs(keys, queries, values, attended, gradient)
    gradients = torch.empty_like(keys), torch.empty_like(queries), torch.empty_like(values)
    TOKEN2TOKEN_BACKWARD(
        keys, queries, values, attended, inverse, gradient, first, length, start, end,
        skip_self, *score_arguments(scale), *gradients,
    )  # fmt: skip
    return gradients


@token2token_backward.register_fake
def _(keys, queries, values, attended, inverse, gradient, first, length, start, end, skip_self, scale):  # type: ignore[no-untyped-def]
    return tuple(torch.empty_like(x, memory_format=torch.contiguous_format) for x in (keys, queries, values))


def _remember_token2token(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, Tensor]) -> None:
    *tensors, ctx.skip_self, ctx.scale = inputs
    ctx.save_for_backward(*tensors, *output)
    ctx.mark_non_differentiable(output[1])
    ctx.set_materialize_grads(False)  # otherwise torch would make a matrix of zeros for `inverse`


def _differentiate_token2token(ctx: Any, gradient: Tensor | None, unused: None) -> tuple[Tensor | None, ...]:
    if gradient is None:
        return (None,) * 9
    refuse_second_derivative()
    keys, queries, values, first, length, start, end, attended, inverse = ctx.saved_tensors
    gradients = token2token_backward(
        keys, queries, values, attended, inverse, gradient, first, length, start, end, ctx.skip_self, ctx.scale
    )
    return (*gradients, *[None] * 6)


token2token.register_autograd(_differentiate_token2token, setup_context=_remember_token2token)


def attend_ranges(
    keys_ND: Tensor,
    queries_ND: Tensor,
    values_ND: Tensor,
    *,
    sentences: tuple[Tensor, Tensor],
    ranges: tuple[Tensor, Tensor],
    skip_self: bool,
    scale: float | None,
) -> Tensor:
    """Return the attention (N, D) of each word to a range of words of its sentence, as `token2token` computes it.

    The rows have the form that `kernel_inputs` gives them. `sentences` are the first row and the length (B,) of each
    sentence, `ranges` the first word of each word's range and the one behind the last (N,). If `skip_self` is true, no
    word attends to itself. `scale` is c; None: ELU.
    """
    return token2token(keys_ND, queries_ND, values_ND, *sentences, *ranges, skip_self, scale)[0]


# ------------------------------------------------------------------------------------------- source2token

SOURCE2TOKEN_FORWARD = Kernel(
    "source2token_forward",
    """
    scores, values: T (N, D)
    first, length: int64 (B)
    B, N, D, T
    pooled: T (B, D)
    largest, inverse: float32 (B, D)
    """,
)
SOURCE2TOKEN_BACKWARD = Kernel(
    "source2token_backward",
    """
    scores, values: T (N, D)
    pooled: T (B, D)
    largest, inverse: float32 (B, D)
    gradient: T (B, D)
    first, length: int64 (B)
    B, N, D, T
    scores_gradient, values_gradient: T (N, D)
    """,
)


@operator("attest::source2token")
def source2token(scores: Tensor, values: Tensor, first: Tensor, length: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return for each sentence the mean of its rows, weighted by the softmax of their scores (B, D).

    Return too what the gradient needs: the largest score and the inverse of the softmax's denominator, both (B, D).
    """
    scores, values = kernel_inputs(scores, values)
    pooled = values.new_empty(*first.shape, *values.shape[1:])
    largest, inverse = (torch.empty_like(pooled, dtype=torch.float32) for _ in range(2))
    SOURCE2TOKEN_FORWARD(scores, values, first, length, pooled, largest, inverse)
    return pooled, largest, inverse


@source2token.register_fake
def _(scores, values, first, length):  # type: ignore[no-untyped-def]
    pooled = values.new_empty(*first.shape, *values.shape[1:])
    return pooled, torch.empty_like(pooled, dtype=torch.float32), torch.empty_like(pooled, dtype=torch.float32)


@operator("attest::source2token_backward")
def source2token_backward(
    scores: Tensor, values: Tensor, pooled: Tensor, largest: Tensor, inverse: Tensor, gradient: Tensor,
    first: Tensor, length: Tensor,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Return the gradients of scores and values (N, D).

    `pooled`, `largest` and `inverse` are the results of `source2token`, and `gradient` is that of `pooled`.
    """
    scores, values, pooled, gradient = kernel_inputs(scores, values, pooled, gradient)
    gradients = torch.empty_like(scores), torch.empty_like(values)
    SOURCE2TOKEN_BACKWARD(scores, values, pooled, largest, inverse, gradient, first, length, *gradients)
    return gradients


@source2token_backward.register_fake
def _(scores, values, pooled, largest, inverse, gradient, first, length):  # type: ignore[no-untyped-def]
    return tuple(torch.empty_like(x, memory_format=torch.contiguous_format) for x in (scores, values))


def _remember_source2token(ctx: Any, inputs: tuple[Tensor, ...], output: tuple[Tensor, Tensor, Tensor]) -> None:
    ctx.save_for_backward(*inputs, *output)
    ctx.mark_non_differentiable(*output[1:])
    ctx.set_materialize_grads(False)


def _differentiate_source2token(ctx: Any, gradient: Tensor | None, *unused: None) -> tuple[Tensor | None, ...]:
    if gradient is None:
        return (None,) * 4
    refuse_second_derivative()
    scores, values, first, length, pooled, largest, inverse = ctx.saved_tensors
    gradients = source2token_backward(scores, values, pooled, largest, inverse, gradient, first, length)
    return (*gradients, None, None)


source2token.register_autograd(_differentiate_source2token, setup_context=_remember_source2token)
