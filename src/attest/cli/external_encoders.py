"""Encoders that no run has trained: averages of word vectors, and models of Sentence Transformers."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

from attest.config.overrides import root_of
from attest.config.vector_files import NO_FILE
from attest.data.inputs import Input, package_input, vectors_input
from attest.data.readers import find_source
from attest.errors import SettingsError
from attest.transfer.encoders import Kind, baseline_encoder, sentence_transformer
from attest.transfer.run import EvaluatedEncoder
from attest.transfer.settings import TransferCommand
from attest.transfer.task_data import TaskExamples

BASELINES = ("average", "average_max")
"""The names of the averages of word vectors."""
MODEL = "sentence-transformers:"
"""The beginning of the names of models of Sentence Transformers."""


def is_external(name: str) -> bool:
    """Return whether a name is that of a baseline or of a Sentence-Transformers model, which no run has trained."""
    return name in BASELINES or name.startswith(MODEL)


def check_external_settings(overrides: Sequence[str]) -> None:
    """Raise SettingsError for a setting that has no effect on a baseline or a Sentence-Transformers model."""
    for text in overrides:
        if root_of(text) == "phrases":
            raise SettingsError(f"{text}: this encoder has no use for phrases; leave the setting out")
        if root_of(text) == "packages":
            raise SettingsError(f"{text}: this encoder is not the run of a class of yours; leave the setting out")
        if root_of(text) == "precision":
            raise SettingsError(f"{text}: only the encoder of a run has a precision to choose; leave the setting out")


def encoder_inputs(name: str, settings: TransferCommand) -> Iterator[Input]:
    """Yield the inputs of an encoder that no run has trained: its word vectors, or the package that loads it."""
    if name in BASELINES:
        if settings.vectors.file == NO_FILE:
            raise SettingsError(f"vectors.file={NO_FILE}: {name} needs a file; choose one, e.g. vectors=glove_6b")
        yield vectors_input(settings.vectors, Path(settings.paths.data))
    elif name.startswith(MODEL):
        yield package_input("sentence_transformers", "sentence-transformers", "sentence-transformers", name)


def external_encoder(name: str, settings: TransferCommand, sets: Mapping[str, TaskExamples]) -> EvaluatedEncoder:
    """Return the baseline or the Sentence-Transformers model with this name."""
    if name in BASELINES:
        vectors = settings.vectors
        source = find_source(Path(settings.paths.data), vectors.file, vectors.archive)
        sentences = (sentence for task in sets.values() for sentence in task.sentences())
        return baseline_encoder(cast("Kind", name), source, vectors.size, sentences, vectors.expected)
    return sentence_transformer(name.removeprefix(MODEL))
