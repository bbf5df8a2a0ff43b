"""The common norm of all gradients, and their clipping to a largest norm."""

from collections.abc import Iterable

import torch
from torch import Tensor, nn


@torch.no_grad()
def clip_grad_norm(parameters: Iterable[nn.Parameter], max_norm: float) -> Tensor:
    """Scale all gradients in place by one factor, so that their common 2-norm is at most `max_norm`.

    Return the norm before.
    """
    gradients = gradient_values(parameters)
    norm = nn.utils.get_total_norm(gradients)
    if gradients:
        factor = (max_norm / (norm + 1e-6)).clamp(max=1.0)
        torch._foreach_mul_(gradients, factor)  # pyright: ignore[reportPrivateImportUsage]
    return norm


@torch.no_grad()
def gradient_norm(parameters: Iterable[nn.Parameter]) -> Tensor:
    """Return the common 2-norm of all gradients."""
    return nn.utils.get_total_norm(gradient_values(parameters))


def gradient_values(parameters: Iterable[nn.Parameter]) -> list[Tensor]:
    """Return the values of all gradients; those of sparse gradients are summed by row first, in place."""
    gradients = []
    for parameter in parameters:
        if parameter.grad is not None:
            if parameter.grad.is_sparse:
                parameter.grad = parameter.grad.coalesce()
            gradients.append(parameter.grad.values() if parameter.grad.is_sparse else parameter.grad)
    return gradients
