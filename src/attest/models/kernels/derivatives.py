"""The derivatives that kernels do not have: second ones, those of forward mode, and those by torch.func."""

import torch
from torch.autograd import forward_ad

REFERENCE = "call attest.models.kernels.backends.use('reference') before the forward pass"


def refuse_second_derivative(remedy: str = REFERENCE) -> None:
    """Raise RuntimeError in a backward pass that is to be differentiated itself (create_graph=True).

    The gradient that a kernel computes is a constant to autograd, so that a second derivative would be incomplete.
    """
    if torch.is_grad_enabled():
        raise RuntimeError(f"the gradient of this operation cannot be differentiated again; {remedy}")


def is_transformed() -> bool:
    """Return whether torch.func, torch.vmap or forward mode is at work, which need rules that kernels lack."""
    return forward_ad._current_level >= 0 or torch._C._are_functorch_transforms_active()
