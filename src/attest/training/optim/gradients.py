"""The common norm of all gradients, and their clipping to a largest norm."""

from collections.abc import Iterable

import torch
from torch import Tensor, nn


@torch.no_grad()
def clip_grad_norm(parameters: Iterable[nn.Parameter], max_norm: float) -> Tensor:
    """Scale all gradients in place by one factor, so that their common 2-norm is at most `max_norm`.

    Return the norm before.
    """
    norm = gradient_norm(parameters := [*parameters])
    nn.utils.clip_grads_with_norm_(parameters, max_norm, norm)
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
