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


def count(settings: Settings) -> int:
    """Trained parameters without word vectors."""
    return sum(map(trained, modules(settings).values()))


def trained(module: nn.Module) -> int:
    return sum(parameter.numel() for parameter in module.parameters() if parameter.requires_grad)


def hidden(settings: Settings) -> int:
    return trained(modules(settings)["head"].get_submodule("hidden"))


def softmax(settings: Settings) -> int:
    return trained(modules(settings)["head"].get_submodule("output"))


def width(settings: Settings) -> int:
    with torch.device("meta"):
        return build_model(settings, settings.vectors.size)[0].width


PARTS: Mapping[str, Callable[[Settings], int]] = {
    "hidden": hidden,
    "softmax": softmax,
    "other": lambda settings: count(settings) - hidden(settings) - softmax(settings),
    "total": count,
    "encoder": lambda settings: trained(modules(settings)["encoder"]),
    "width": width,
}
"""size/hidden and the like: of a model whose head has a hidden layer and an output layer. width: of its vectors."""


def size(settings: Settings, metric: str) -> int:
    return PARTS[metric.removeprefix(SIZE)](settings)
