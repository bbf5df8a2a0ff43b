"""The number of parameters of a model and of its modules, counted without training it."""

from collections.abc import Callable, Mapping

from torch import nn

from attest.config.build import build_shapes
from attest.config.settings import Settings
from attest.models.sizes import trained_parameters
from attest.reproduction.specs.metric_names import SIZE


def build_modules(settings: Settings) -> dict[str, nn.Module]:
    """Return the encoder and the head at their full size, without values for their parameters."""
    encoder, head = build_shapes(settings)
    return {"encoder": encoder, "head": head}


def parameter_count(settings: Settings) -> int:
    """Return the number of trained parameters, without word vectors."""
    return trained_parameters(*build_modules(settings).values())


def hidden_layer_size(settings: Settings) -> int:
    """Return the number of parameters of the head's hidden layer."""
    return trained_parameters(build_modules(settings)["head"].get_submodule("hidden"))


def output_layer_size(settings: Settings) -> int:
    """Return the number of parameters of the head's output layer."""
    return trained_parameters(build_modules(settings)["head"].get_submodule("output"))


def vector_width(settings: Settings) -> int:
    """Return the width of the encoder's sentence vectors."""
    return build_shapes(settings)[0].width


SIZES_BY_NAME: Mapping[str, Callable[[Settings], int]] = {
    "hidden": hidden_layer_size,
    "softmax": output_layer_size,
    "other": lambda settings: parameter_count(settings) - hidden_layer_size(settings) - output_layer_size(settings),
    "total": parameter_count,
    "encoder": lambda settings: trained_parameters(build_modules(settings)["encoder"]),
    "width": vector_width,
}
"""The name behind size/ -> the function that counts it. hidden, softmax and other need a head with a hidden and an
output layer; width is that of sentence vectors."""


def model_size(settings: Settings, metric: str) -> int:
    """Return the count that a metric such as size/total names."""
    return SIZES_BY_NAME[metric.removeprefix(SIZE)](settings)
