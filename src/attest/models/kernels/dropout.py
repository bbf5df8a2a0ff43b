"""Dropout that computes its mask from a seed and stores none.

torch on a CPU draws the numbers of a mask one after another, which takes a quarter of a training step.
"""

from typing import Any

import torch
from torch import Tensor, nn

from attest.models.kernels.backends import backend_for
from attest.models.kernels.kernel import Kernel
from attest.models.kernels.operator import operator

DROPOUT = Kernel(
    "dropout",
    """
    x: T (*)
    *
    seed, kept: int
    scale: float
    y: U (*)
    T, U
    """,
)


@operator("attest::dropout")
def dropout(x: Tensor, p: float, seed: int, to: torch.dtype) -> Tensor:
    """Return x / (1 - p) at the positions that the seed keeps and 0 elsewhere, in the dtype `to` (fp32 or bf16)."""
    x = x.contiguous()
    y = torch.empty_like(x, dtype=to)
    DROPOUT(x, seed, keep_threshold(p), keep_scale(p), y)
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


RESOLUTION = 2**16
"""The resolution of probabilities: the probability of keeping a number is rounded to a multiple of 1 / RESOLUTION."""


def keep_threshold(p: float) -> int:
    """Return the probability of keeping a number, 1 - p, in units of 1 / RESOLUTION."""
    return round((1 - p) * RESOLUTION)


def keep_scale(p: float) -> float:
    """Return the factor of the numbers that are kept, the inverse of the rounded probability of keeping them."""
    return RESOLUTION / keep_threshold(p) if keep_threshold(p) else 0.0


LOW_32_BITS, LOW_64_BITS = 2**32 - 1, 2**64 - 1


def reference_dropout(x: Tensor, p: float, seed: int) -> Tensor:
    """Return the result of `dropout` computed in plain torch.

    The random bits come from the position and the seed by a mixing permutation of 32-bit numbers.
    """
    key = (seed + 0x9E3779B97F4A7C15) & LOW_64_BITS
    key = ((key ^ (key >> 30)) * 0xBF58476D1CE4E5B9) & LOW_64_BITS
    key = ((key ^ (key >> 27)) * 0x94D049BB133111EB) & LOW_64_BITS
    key ^= key >> 31
    pairs = -(-x.numel() // 32) * 16  # of positions 16 numbers apart, which share 32 random bits
    bits = (torch.arange(pairs, device=x.device) * 0x9E3779B1 + (key & LOW_32_BITS)) & LOW_32_BITS
    bits = ((bits ^ (bits >> 16)) * 0x21F0AAAD) & LOW_32_BITS
    bits = (((bits ^ (bits >> 15)) + (key >> 32)) * 0x735A2D97) & LOW_32_BITS
    bits = (bits ^ (bits >> 15)).reshape(-1, 1, 16)
    halves = torch.cat([bits & (RESOLUTION - 1), bits >> 16], dim=1).flatten()[: x.numel()]
    return torch.where(halves.reshape(x.shape) < keep_threshold(p), x * keep_scale(p), 0.0)


class Dropout(nn.Dropout):
    """A dropout layer: in training it sets each number to zero with probability p and scales the others up.

    The mask follows from torch's seed and is the same on every device. If autocast runs dense layers in bf16, the
    result of the C++ kernel is in bf16 as well; that of the reference has the type of its input.
    """

    def __init__(self, p: float) -> None:
        if not 0 <= p <= 1:
            raise ValueError(f"dropout is {p}; use a probability from 0 to 1")
        super().__init__(p)

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002  the name in torch
        """Return the input with some numbers set to zero in training; in evaluation, or if p is 0, the input itself."""
        if not self.training or self.p == 0:
            return input
        seed = int(torch.randint(2**62, (), device="cpu"))
        if backend_for(input) != "native":
            return reference_dropout(input, self.p, seed)
        half = torch.is_autocast_enabled("cpu") and torch.get_autocast_dtype("cpu") == torch.bfloat16
        return dropout(input, self.p, seed, torch.bfloat16 if half else input.dtype)

    def extra_repr(self) -> str:
        return f"p={self.p}"
