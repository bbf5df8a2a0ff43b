"""Building of the model and the head that the settings name."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn.parameter import is_lazy
from torch.overrides import TorchFunctionMode

from attest.config import components
from attest.config.settings import Settings
from attest.errors import SettingsError
from attest.models.encoders import Encoder
from attest.models.heads import Head


def build_model(settings: Settings, input_size: int) -> tuple[Encoder, Head]:
    """Return the encoder or matcher, and the head, both without word vectors.

    `input_size` is the size of a word vector. Raise SettingsError if a setting is wrong or does not fit the encoder.
    """
    trusted = settings.packages
    encoder = components.build_component(settings.model, "model", trusted=trusted, input_size=input_size)
    check_class(encoder, Encoder, "model")
    check_encoder(encoder)
    classes = settings.dataset.grades if settings.predicts_scores else len(settings.dataset.labels)
    head = components.build_component(settings.head, "head", trusted=trusted, width=encoder.width, classes=classes)
    check_class(head, Head, "head")
    check_phrases(encoder, settings)
    return encoder, head


def check_class(component: object, base: type, group: str) -> None:
    """Raise SettingsError if a component does not derive from the base class of its group, which only a user's class
    can do."""
    if not isinstance(component, base):
        cls = type(component)
        raise SettingsError(
            f"{group}: {cls.__module__}.{cls.__qualname__} does not derive from attest.models.{base.__name__}; derive "
            "the class from it"
        )


def check_encoder(encoder: Encoder) -> None:
    """Raise SettingsError if an encoder has no features, or parameters whose size is not known before it has run."""
    cls = type(encoder)
    lazy = [name for name, parameter in encoder.named_parameters() if is_lazy(parameter)]
    if lazy:
        raise SettingsError(
            f"model: {cls.__module__}.{cls.__qualname__} creates {lazy[0]} when it first runs; give its size in the "
            "constructor, which gets that of a word vector as input_size"
        )
    width = getattr(encoder, "width", None)  # the constructor may have forgotten it
    if not isinstance(width, int) or width < 1:
        raise SettingsError(
            f"model: {cls.__module__}.{cls.__qualname__} has sentence vectors of width {width!r}; set a width of at "
            "least 1"
        )


def build_shapes(settings: Settings) -> tuple[Encoder, Head]:
    """Return what `build_model` returns at its full size on torch's meta device, where parameters have no values.

    It takes no memory and under a hundredth of a second, and raises the same errors.
    """
    with torch.device("meta"), WithoutInitialValues():
        return build_model(settings, settings.vectors.size)


class WithoutInitialValues(TorchFunctionMode):
    """A mode that skips the drawing of initial values.

    Tensors on the meta device have no values, and torch would load its compiler to draw them.
    """

    DRAWING = (Tensor.normal_, Tensor.uniform_)

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        return args[0] if func in self.DRAWING else func(*args, **(kwargs or {}))


def check_phrases(encoder: Encoder, settings: Settings) -> None:
    """Raise SettingsError if phrases are set and the encoder takes none, or if it needs phrases, or more levels of
    phrases, than are set."""
    name, has_phrases = type(encoder).__name__, settings.phrases.source != "none"
    if has_phrases and not encoder.takes_phrases:
        raise SettingsError(f"phrases.source: {name} does not attend within phrases; choose phrases=none")
    if encoder.levels and not has_phrases:
        raise SettingsError(
            f"phrases.source: {name} attends within phrases; choose an experiment with phrases, such as "
            "experiment=psan/snli, or a source, such as phrases=corpus"
        )
    if encoder.levels > settings.phrases.levels:
        raise SettingsError(
            f"phrases.levels: {settings.phrases.levels} is too few for {name}; type phrases.levels={encoder.levels}"
        )
