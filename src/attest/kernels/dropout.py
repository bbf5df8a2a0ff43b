"""Dropout that draws its numbers as it goes and stores no mask.

Drawing one number after the other, as torch does on a CPU, takes a quarter of a training step.
"""

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attest.kernels.backends import backend_for
from attest.kernels.library import call


@torch.library.custom_op("attest::dropout", mutates_args=())
def dropout(x: Tensor, p: float, seed: int, to: torch.dtype) -> Tensor:
    """x / (1 - p) at places that the seed keeps, 0 at the others; in fp32 or bf16."""
    x = x.contiguous()
    y = torch.empty_like(x, dtype=to)
    call("dropout", x, x.numel(), seed, p, x.dtype == torch.bfloat16, to == torch.bfloat16, y)
    return y


@dropout.register_fake
def _(x, p, seed, to):  # type: ignore[no-untyped-def]
    return torch.empty_like(x, dtype=to, memory_format=torch.contiguous_format)


def _remember(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    x, ctx.p, ctx.seed, _ = inputs
    ctx.dtype = x.dtype


def _differentiate(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None, None]:
    return dropout(gradient, ctx.p, ctx.seed, ctx.dtype), None, None, None


dropout.register_autograd(_differentiate, setup_context=_remember)


class Dropout(nn.Module):
    """Sets each number to zero with probability p while training, and scales the others up.

    Its result is for a dense layer: where autocast runs those in bf16, it is in bf16.
    """

    def __init__(self, p: float) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"dropout is a probability; got {p}")
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        if not self.training or self.p == 0:
            return x
        if backend_for(x) != "native":
            return F.dropout(x, self.p)
        half = torch.is_autocast_enabled("cpu") and torch.get_autocast_dtype("cpu") == torch.bfloat16
        return dropout(x, self.p, int(torch.randint(2**62, ())), torch.bfloat16 if half else x.dtype)

    def extra_repr(self) -> str:
        return f"p={self.p}"
