"""DiSAN's fusion gate (equations 19 and 20), computed in one pass over memory.

Legend: N rows, D features.
"""

from typing import Any

import torch
from torch import Tensor

from attest.models.kernels.backends import backend_for
from attest.models.kernels.derivatives import refuse_second_derivative
from attest.models.kernels.kernel import Kernel
from attest.models.kernels.library import kernel_inputs
from attest.models.kernels.operator import operator

FORWARD = Kernel(
    "gate_forward",
    """
    x, y: T (N, D)
    bias: float32 (D)
    h, s: T (N, D)
    N, D, T
    u: T (N, D)
    """,
)
BACKWARD = Kernel(
    "gate_backward",
    """
    x, y: T (N, D)
    bias: float32 (D)
    h, s, gradient: T (N, D)
    N, D, T
    x_gradient, h_gradient, s_gradient: T (N, D)
    """,
)


def fuse(x_ND: Tensor, y_ND: Tensor, bias_D: Tensor, h_ND: Tensor, s_ND: Tensor) -> Tensor:
    """Return u (N, D) = F (.) h + (1 - F) (.) s with F = sigmoid(x + y + bias), DiSAN's equations 19 and 20."""
    rows = (x_ND, y_ND, h_ND, s_ND)
    plain = h_ND.dim() == 2 and all(x.shape == h_ND.shape for x in rows) and bias_D.shape == h_ND.shape[1:]
    if not plain or backend_for(*rows, bias_D) != "native":
        gate_ND = torch.sigmoid(x_ND + y_ND + bias_D)
        return gate_ND * h_ND + (1 - gate_ND) * s_ND
    x_ND, y_ND, h_ND, s_ND = kernel_inputs(*rows)
    return gate(x_ND, y_ND, bias_D, h_ND, s_ND)


@operator("attest::gate")
def gate(x: Tensor, y: Tensor, bias: Tensor, h: Tensor, s: Tensor) -> Tensor:
    """Return the u of `fuse`, computed by the C++ kernel."""
    x, y, h, s = kernel_inputs(x, y, h, s)
    u = torch.empty_like(h)
    FORWARD(x, y, bias.float().contiguous(), h, s, u)
    return u


@gate.register_fake
def _(x, y, bias, h, s):  # type: ignore[no-untyped-def]
    return torch.empty_like(h, memory_format=torch.contiguous_format)


@operator("attest::gate_backward")
def gate_backward(
    x: Tensor, y: Tensor, bias: Tensor, h: Tensor, s: Tensor, gradient: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the gradients of x (which is also that of y), h and s, each (N, D)."""
    inputs = kernel_inputs(x, y, h, s, gradient)
    gradients = torch.empty_like(inputs[0]), torch.empty_like(inputs[0]), torch.empty_like(inputs[0])
    BACKWARD(inputs[0], inputs[1], bias.float().contiguous(), *inputs[2:], *gradients)
    return gradients


@gate_backward.register_fake
def _(x, y, bias, h, s, gradient):  # type: ignore[no-untyped-def]
    return tuple(torch.empty_like(t, memory_format=torch.contiguous_format) for t in (x, h, s))


def _remember(ctx: Any, inputs: tuple[Tensor, ...], output: Tensor) -> None:
    ctx.save_for_backward(*inputs)


def _differentiate(ctx: Any, gradient: Tensor) -> tuple[Tensor, ...]:
    refuse_second_derivative()
    to_x, to_h, to_s = gate_backward(*ctx.saved_tensors, gradient)
    return to_x, to_x, to_x.sum(0, dtype=torch.float32), to_h, to_s


gate.register_autograd(_differentiate, setup_context=_remember)
