"""The clipping of the single numbers of a gradient, as a part of the graph: no copy and no loading can lose it."""

from typing import Any

import torch
from torch import Tensor


def clip_gradient(x: Tensor, limit: float) -> Tensor:
    """Return `x`, whose gradient has each of its numbers limited to +-limit.

    The gradient of one use is limited, and not the sum over several uses or several backward passes.
    """
    return ClipGradient.apply(x, limit)  # type: ignore[no-any-return]


class ClipGradient(torch.autograd.Function):
    """The autograd function of `clip_gradient`."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, limit: float) -> Tensor:  # pyright: ignore
        return x.view_as(x)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, float], output: Tensor) -> None:  # pyright: ignore
        ctx.limit = inputs[1]

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:  # pyright: ignore
        return gradient.clamp(-ctx.limit, ctx.limit), None
