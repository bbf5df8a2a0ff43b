"""Build the module to train from the settings and the corpus."""

from collections.abc import Callable, Sequence
from functools import partial
from inspect import Parameter, signature
from math import inf
from typing import Any

import numpy as np
import torch

from attest.config.build import build_model
from attest.config.components import build_component, constructor_parameters
from attest.config.locate import Component, locate_class
from attest.config.settings import Settings
from attest.data.corpus import Corpus
from attest.data.split import FIRST_WORD
from attest.errors import SettingsError
from attest.models.word_vectors import WordVectors
from attest.system.chance import torch_seed
from attest.training.tasks import SentenceTask, task_class


def assemble_task(settings: Settings, corpus: Corpus) -> SentenceTask:
    """Return the module with its initial weights.

    One stream of random numbers, which follows from the seed of the run, gives the vectors of words without one first,
    then the weights of the encoder, then those of the head. So the weights of the encoder also depend on the vocabulary
    and on `settings.vectors`, and those of the head on the encoder too.
    """
    torch.manual_seed(torch_seed(settings.seed, "weights"))
    words = WordVectors(
        torch.from_numpy(np.array(corpus.vectors)),
        corpus.training_words,
        trainable=settings.vectors.trained == "training_words",
        unknown=settings.vectors.unknown,
        unknown_range=settings.vectors.unknown_range,
        sparse=takes_sparse_gradients(settings),
        unit_length=settings.vectors.unit_length,
        reserved=FIRST_WORD,
    )
    encoder, head = build_model(settings, corpus.vectors.shape[1])
    return task_class(settings.task)(
        words,
        encoder,
        head,
        partial(build_optimizer, settings.optimizer, settings.packages),
        weight_decay_of(settings),
        settings.trainer.packed,
        settings.protocol.max_grad_norm,
    )


def build_optimizer(optimizer: Component, packages: Sequence[str], groups: Sequence[Any]) -> torch.optim.Optimizer:
    """Return the optimiser that the settings describe, for groups of parameters."""
    return build_component(optimizer, "optimizer", trusted=packages, params=groups)


def check_sides(settings: Settings, corpus: Corpus) -> None:
    """Raise SettingsError if the model or the head takes single sentences and the examples are pairs, or vice versa."""
    sides, name = len(corpus.splits["train"].sentences), settings.dataset.name
    held = "single sentences" if sides == 1 else "pairs of sentences"
    model = locate_class(settings.model, "model", settings.packages)
    head = locate_class(settings.head, "head", settings.packages)
    if sides == 1 and getattr(model, "pairs", False):
        raise SettingsError(
            f"model: {model.__name__} compares the two sentences of a pair, but {name} holds {held}; choose an "
            "encoder, such as model=disan, or a data set of pairs"
        )
    least, most = positional_arguments(head.forward)
    if not least <= sides <= most:
        such = "single sentences" if most == 1 else "pairs of sentences"
        raise SettingsError(
            f"head: {head.__name__} takes the vectors of {such}, but {name} holds {held}; choose another head, or an "
            f"experiment with {held}, such as experiment=disan/{'sentences' if sides == 1 else 'snli'}"
        )
    stated = stated_sentences(settings.head, head)
    if least < most and stated in (1, 2) and stated != sides:
        raise SettingsError(f"head.sentences: {stated}, but {name} holds {held}; type head.sentences={sides}")


def stated_sentences(component: Component, head: type) -> Any:
    """Return the value of the setting `sentences` of a head, the number of sentences of an example, by default that of
    the constructor of its class; None if the class takes no such setting."""
    parameter = constructor_parameters(head).get("sentences")
    return None if parameter is None else component.get("sentences", parameter.default)


def check_scores(settings: Settings, corpus: Corpus) -> None:
    """Raise SettingsError if the task learns scores and a split has none."""
    if settings.task == "relatedness" and any(split.scores is None for split in corpus.splits.values()):
        raise SettingsError(
            f"task: relatedness needs a score for each example, and {settings.dataset.name} lacks some; choose a data "
            "set with scores, such as dataset=sick, or an experiment with labels"
        )


def positional_arguments(method: Callable[..., object]) -> tuple[int, float]:
    """Return the least and the largest number of positional arguments that a method takes beside self."""
    parameters = list(signature(method).parameters.values())[1:]
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    has_any = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    return sum(p.default is p.empty for p in positional), inf if has_any else len(positional)


def weight_decay_of(settings: Settings) -> float:
    """Return the weight decay of the settings, else the default of the optimiser's class; 0 if it has none."""
    parameter = optimizer_parameters(settings).get("weight_decay")
    default = 0.0 if parameter is None or parameter.default is parameter.empty else parameter.default
    return float(settings.optimizer.get("weight_decay", default))


def takes_sparse_gradients(settings: Settings) -> bool:
    """Return whether the optimiser accepts sparse gradients, which hold only the rows of the batch's words."""
    return "rows" in optimizer_parameters(settings)


def optimizer_parameters(settings: Settings) -> dict[str, Parameter]:
    """Return the parameters of the constructor of the optimiser's class by name."""
    return constructor_parameters(locate_class(settings.optimizer, "optimizer", settings.packages))


def count_parameters(module: SentenceTask) -> int:
    """Return the number of trained parameters without word vectors, as the papers count them."""
    parts = (module.encoder, module.head)
    return sum(p.numel() for part in parts for p in part.parameters() if p.requires_grad)


def official_ratio(settings: Settings, corpus: Corpus) -> float:
    """Return the size of the official training set divided by the number of training examples in use.

    The ratio is above 1 if the files hold only a part of the official training set, or the settings sample a part. A
    data set without an official size is what its files hold.
    """
    first = next(iter(corpus.facts["splits"]))
    labelled = corpus.facts["splits"][first]["labelled"]
    return settings.dataset.expected.get(first, labelled) / corpus.facts.get("examples", labelled)
