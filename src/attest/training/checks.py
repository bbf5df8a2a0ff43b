"""Checks of the data of a run against its model, head and task, before anything is trained."""

from collections.abc import Callable
from inspect import signature
from math import inf
from typing import Any

from attest.config.components import constructor_parameters
from attest.config.locate import Component, locate_class
from attest.config.settings import Settings
from attest.data.corpus import Corpus
from attest.errors import SettingsError


def check_sentences_per_example(settings: Settings, corpus: Corpus) -> None:
    """Raise SettingsError if the model or the head takes single sentences and the examples are pairs, or vice versa."""
    sentences, name = len(corpus.splits["train"].sentences), settings.dataset.name
    data_kind = "single sentences" if sentences == 1 else "pairs of sentences"
    model = locate_class(settings.model, "model", settings.packages)
    head = locate_class(settings.head, "head", settings.packages)
    if sentences == 1 and getattr(model, "pairs", False):
        raise SettingsError(
            f"model: {model.__name__} compares the two sentences of a pair, but {name} holds {data_kind}; choose an "
            "encoder, such as model=disan, or a data set of pairs"
        )
    least, most = positional_arguments(head.forward)
    if not least <= sentences <= most:
        head_kind = "single sentences" if most == 1 else "pairs of sentences"
        raise SettingsError(
            f"head: {head.__name__} takes the vectors of {head_kind}, but {name} holds {data_kind}; choose another "
            f"head, or an experiment with {data_kind}, such as experiment=disan/"
            f"{'sentences' if sentences == 1 else 'snli'}"
        )
    head_sentences = stated_sentences(settings.head, head)
    if least < most and head_sentences in (1, 2) and head_sentences != sentences:
        raise SettingsError(
            f"head.sentences: {head_sentences}, but {name} holds {data_kind}; type head.sentences={sentences}"
        )


def stated_sentences(component: Component, head: type) -> Any:
    """Return the value of the setting `sentences` of a head, the number of sentences of an example, by default that of
    the constructor of its class; None if the class takes no such setting."""
    parameter = constructor_parameters(head).get("sentences")
    return None if parameter is None else component.get("sentences", parameter.default)


def check_scores(settings: Settings, corpus: Corpus) -> None:
    """Raise SettingsError if the task learns scores and a split has none."""
    if settings.predicts_scores and any(split.scores is None for split in corpus.splits.values()):
        raise SettingsError(
            f"task: relatedness needs a score for each example, and {settings.dataset.name} lacks some; choose a data "
            "set with scores, such as dataset=sick, or an experiment with labels"
        )


def positional_arguments(method: Callable[..., object]) -> tuple[int, float]:
    """Return the least and the largest number of positional arguments that a method takes besides self."""
    parameters = list(signature(method).parameters.values())[1:]
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    has_any = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    return sum(p.default is p.empty for p in positional), inf if has_any else len(positional)
