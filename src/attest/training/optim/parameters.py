"""Parameter groups of an optimiser: with weight decay, without it, and the tables of word vectors."""

from collections.abc import Iterable
from typing import Any, Literal

from torch import nn

Rows = Literal["touched", "dense"]
"""The word vectors whose accumulators a step of an optimiser updates: those of the batch, or all."""


def decayed_names(module: nn.Module) -> set[str]:
    """Return the names of the parameters with weight decay: all matrices except those listed in `not_decayed`.

    The module itself or any submodule may list them, by the names that they have there. The authors add
    wd * 0.5 * ||W||^2 to the loss, which has the gradient of `weight_decay=wd`.
    """
    exempt = {
        f"{prefix}.{name}".lstrip(".")
        for prefix, owner in module.named_modules()
        for name in getattr(owner, "not_decayed", ())
    }
    return {name for name, parameter in module.named_parameters() if parameter.dim() >= 2 and name not in exempt}


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
