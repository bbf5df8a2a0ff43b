"""Parameter groups with and without weight decay, gradient clipping, and fused optimiser steps."""

from collections.abc import Iterable
from typing import Any, Literal

import torch
from torch import Tensor, nn

Rows = Literal["touched", "dense"]
"""The word vectors whose accumulators a step of an optimiser updates: those of the batch, or all."""


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


def decayed_names(module: nn.Module) -> set[str]:
    """Return the names of the parameters with weight decay: all matrices except those listed in `not_decayed`.

    The authors add wd * 0.5 * ||W||^2 to the loss, which has the gradient of `weight_decay=wd`.
    """
    return {
        name
        for name, parameter in module.named_parameters()
        if parameter.dim() >= 2 and not is_exempt_from_decay(module, name)
    }


def is_exempt_from_decay(module: nn.Module, name: str) -> bool:
    """Return whether `module`, or a submodule that contains the parameter `name`, lists it in `not_decayed`."""
    parts = name.split(".")
    for depth in range(len(parts)):
        owner, rest = module.get_submodule(".".join(parts[:depth])), ".".join(parts[depth:])
        if rest in getattr(owner, "not_decayed", ()):
            return True
    return False


def parameter_groups(
    modules: Iterable[nn.Module], tables: Iterable[nn.Parameter], weight_decay: float
) -> list[dict[str, Any]]:
    """Return three parameter groups for an optimiser.

    The first holds the matrices of `modules`, with weight decay; the second their other parameters; the third the
    tables of word vectors, which have neither weight decay nor fused steps (torch has none for sparse gradients), and
    are marked as tables for optimisers that treat rows without a gradient in a way of their own.
    """
    decayed: list[nn.Parameter] = []
    undecayed: list[nn.Parameter] = []
    for module in modules:
        names = decayed_names(module)
        for name, parameter in module.named_parameters():
            if parameter.requires_grad:
                (decayed if name in names else undecayed).append(parameter)
    return [
        {"params": decayed, "weight_decay": weight_decay},
        {"params": undecayed, "weight_decay": 0.0},
        {
            "params": [table for table in tables if table.requires_grad],
            "weight_decay": 0.0,
            "fused": False,
            "table": True,
        },
    ]


def enable_fused_steps(optimizer: torch.optim.Optimizer) -> torch.optim.Optimizer:
    """Switch on fused steps in parameter groups on the CPU that have no setting for it, and return the optimiser.

    A fused step reads each number once; torch's default step reads each several times and takes twice the memory. A
    checkpoint, which may be from another device, does not change the setting.
    """
    for group in optimizer.param_groups:
        if group.get("fused", False) is None and group.get("foreach") is None:
            group["fused"] = all(parameter.is_cpu for parameter in group["params"])
    optimizer.register_load_state_dict_pre_hook(with_own_fused_setting)
    return optimizer


def with_own_fused_setting(optimizer: torch.optim.Optimizer, state_dict: dict[str, Any]) -> dict[str, Any]:
    """Return a state to load, in which each group has the setting `fused` of the group that will load it."""
    groups = [dict(group) for group in state_dict["param_groups"]]
    for saved, own in zip(groups, optimizer.param_groups, strict=False):  # torch compares their numbers afterwards
        if "fused" in own:
            saved["fused"] = own["fused"]
    return {**state_dict, "param_groups": groups}
