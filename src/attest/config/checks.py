"""Checks of settings before data is read: each component accepts its settings, and a length of training is set."""

from attest.config import components
from attest.config.components import COMPONENTS
from attest.config.locate import locate, own_code
from attest.config.own_folders import is_own_module
from attest.config.settings import Phrases, Settings
from attest.errors import SettingsError

PASSED_PARAMETERS = {"model": ("input_size",), "head": ("width", "classes"), "optimizer": ("params",)}
"""The constructor parameters of each component that the program passes itself; all others are settings."""


def check_settings(settings: Settings) -> None:
    """Raise SettingsError if settings cannot be used.

    That is so if code of the user's own cannot be found, if the model, the head, the optimiser, a callback or the
    profiler rejects its settings, if phrases.branching or protocol.batch_words would have no effect, or if no length of
    training is set.
    """
    for key, (target, kind) in own_code(settings).items():
        locate(target, key, (), kind)
    check_branching(settings.phrases)
    for name in COMPONENTS:
        components.check_component(getattr(settings, name), name, PASSED_PARAMETERS[name], settings.packages)
    check_sizes(settings)
    check_extensions(settings)
    if settings.protocol.batch_words is not None and settings.protocol.batches != "by_length":
        raise SettingsError(
            f"protocol.batch_words: batches that are {settings.protocol.batches} hold a number of examples; add "
            "protocol.batches=by_length, or leave batch_words out"
        )
    if settings.protocol.steps is None and settings.protocol.epochs is None:
        raise SettingsError("protocol: neither steps nor epochs are set, so nothing says how long to train; set one")


def check_branching(phrases: Phrases) -> None:
    """Raise SettingsError if phrases.branching=nary is set for trees of a shipped parser, which are all binary."""
    if phrases.branching == "nary" and phrases.source != "corpus" and "." not in phrases.source:
        raise SettingsError(
            f"phrases.branching: nary has no effect with phrases.source={phrases.source}, whose trees are binary; type "
            "phrases.branching=binary, or phrases=corpus for trees of the data"
        )


def check_extensions(settings: Settings) -> None:
    """Raise SettingsError if a callback or the profiler rejects its settings, or its package is not trusted."""
    named = [*components.named_callbacks(settings.trainer)]
    named += [] if settings.trainer.profiler is None else [("trainer.profiler", settings.trainer.profiler)]
    for where, component in named:
        components.check_component(component, where, trusted=(*settings.packages, *components.EXTENSIONS))


def check_sizes(settings: Settings) -> None:
    """Build model, head and optimiser on the meta device: raise SettingsError for wrong values before data is read."""
    from attest.config.build import build_shapes  # imported here because it loads torch

    try:
        encoder, head = build_shapes(settings)
        # Two groups, because a run has several: some optimisers, such as LBFGS, take a single group only.
        parameters = [{"params": [*encoder.parameters(), *head.parameters()]}, {"params": []}]
        components.build_component(settings.optimizer, "optimizer", trusted=settings.packages, params=parameters)
    except SettingsError:
        raise
    except Exception:
        if any(is_own_module(str(getattr(settings, name)["_target_"])) for name in COMPONENTS):
            return  # code of the user's own need not work without values; the run builds it with values
        raise
