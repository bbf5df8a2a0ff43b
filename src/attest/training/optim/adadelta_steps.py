"""The equations of Adadelta (Zeiler 2012) in torch, for many parameters at once."""

# pyright: reportPrivateImportUsage=false
# The functions _foreach_*, on which torch's own optimisers rest, are not exported.
import torch
from torch import Tensor


def adadelta_steps(
    gradients: list[Tensor],
    squares: list[Tensor],
    deltas: list[Tensor],
    rho: float,
    eps: float,
    row_factor: Tensor | None = None,
) -> list[Tensor]:
    """Return Adadelta's step of each parameter before the learning rate, and update both accumulators in place.

    g' = rho g' + (1 - rho) g^2,  step = sqrt((d' + eps) / (g' + eps)) g,  d' = rho d' + (1 - rho) step^2

    `gradients` are g, `squares` g' and `deltas` d'. `row_factor` is the factor of the accumulators' earlier values in
    each row; rho in all rows if it is None.
    """
    factor = rho if row_factor is None else row_factor
    multiply(squares, factor)
    torch._foreach_addcmul_(squares, gradients, gradients, value=1 - rho)
    steps = list(torch._foreach_add(deltas, eps))
    torch._foreach_div_(steps, torch._foreach_add(squares, eps))
    torch._foreach_sqrt_(steps)
    torch._foreach_mul_(steps, gradients)
    multiply(deltas, factor)
    torch._foreach_addcmul_(deltas, steps, steps, value=1 - rho)
    return steps


def multiply(tensors: list[Tensor], factor: float | Tensor) -> None:
    """Multiply tensors by a number, or by one number for each row, in place."""
    if isinstance(factor, float) and not any(tensor.is_cpu for tensor in tensors):
        torch._foreach_mul_(tensors, factor)
    else:
        for tensor in tensors:  # on a CPU, the common operation would round the factor to the type of the tensors
            tensor.mul_(factor)
