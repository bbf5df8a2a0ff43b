"""The parameters of a model and of its parts, counted without training it."""

from collections.abc import Callable, Mapping

import torch
from torch import nn

from attest.config.build import build_model
from attest.config.settings import Settings
from attest.reproduction.specs.metric_names import SIZE


def modules(settings: Settings) -> dict[str, nn.Module]:
    """Encoder and head at their full size, without memory."""
    with torch.device("meta"):
        encoder, head = build_model(settings, settings.vectors.size)
    return {"encoder": encoder, "head": head}


def parameter_count(settings: Settings) -> int:
    """Trained parameters without word vectors."""
    return sum(map(trained_parameters, modules(settings).values()))


def trained_parameters(module: nn.Module) -> int:
    return sum(parameter.numel() for parameter in module.parameters() if parameter.requires_grad)


def hidden_layer_size(settings: Settings) -> int:
    return trained_parameters(modules(settings)["head"].get_submodule("hidden"))


def output_layer_size(settings: Settings) -> int:
    return trained_parameters(modules(settings)["head"].get_submodule("output"))


def vector_width(settings: Settings) -> int:
    with torch.device("meta"):
        return build_model(settings, settings.vectors.size)[0].width


SIZES_BY_NAME: Mapping[str, Callable[[Settings], int]] = {
    "hidden": hidden_layer_size,
    "softmax": output_layer_size,
    "other": lambda settings: parameter_count(settings) - hidden_layer_size(settings) - output_layer_size(settings),
    "total": parameter_count,
    "encoder": lambda settings: trained_parameters(modules(settings)["encoder"]),
    "width": vector_width,
}
"""size/hidden and the like: of a model whose head has a hidden layer and an output layer. width: of its vectors."""


def model_size(settings: Settings, metric: str) -> int:
    return SIZES_BY_NAME[metric.removeprefix(SIZE)](settings)
