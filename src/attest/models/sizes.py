"""The size of a model, as the papers count it."""

from torch import nn


def trained_parameters(*modules: nn.Module) -> int:
    """Return the number of parameters of the modules that are trained."""
    return sum(parameter.numel() for module in modules for parameter in module.parameters() if parameter.requires_grad)
