"""The number of parameters of a model and of its modules, counted without training it."""

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
    return model_size(settings, f"{SIZE}total")


def model_size(settings: Settings, metric: str) -> int:
    """Return the count that a metric such as size/total names.

    hidden, softmax and other need a head with a hidden and an output layer; width is that of sentence vectors.
    """
    encoder, head = build_shapes(settings)
    name = metric.removeprefix(SIZE)
    if name == "width":
        return encoder.width
    if name in ("encoder", "total"):
        return trained_parameters(encoder, *([head] * (name == "total")))
    hidden, softmax = (trained_parameters(head.get_submodule(layer)) for layer in ("hidden", "output"))
    return {"hidden": hidden, "softmax": softmax, "other": trained_parameters(encoder, head) - hidden - softmax}[name]
