"""Finished runs as encoders of SentEval's sentences."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from attest.cli.commands.parsers import NO_PARSER, provide_parser
from attest.cli.external_encoders import BASELINES
from attest.config.error_words import did_you_mean
from attest.config.overrides import key_of, root_of
from attest.config.settings import Settings
from attest.data.inputs import check_inputs, vectors_input
from attest.data.vector_file import find_vectors, hash_of_vectors, read_vectors_if_any
from attest.errors import RecordError, SettingsError
from attest.inference.opening import open_run
from attest.inference.trained_run import TrainedRun
from attest.runs.names import run_name
from attest.syntax.parsers import Parser
from attest.system.devices import NumberFormat, warn_if_slow
from attest.training.inputs import parser_inputs
from attest.transfer.run import EvaluatedEncoder
from attest.transfer.settings import TransferCommand
from attest.transfer.task_data import TaskExamples

PHRASES_KEYS = ("phrases", "phrases.source", "phrases.parser_run")
"""The phrase settings that may be set for a finished run: those that choose a parser. Training fixed the others."""


def check_run_settings(overrides: Sequence[str]) -> None:
    """Raise SettingsError for a setting that cannot be changed for a finished run."""
    for text in overrides:
        if root_of(text) == "phrases" and key_of(text) not in PHRASES_KEYS:
            raise SettingsError(
                f"{key_of(text)}: a run divides trees as it was trained to; only {', '.join(PHRASES_KEYS)} can be set"
            )
        if root_of(text) == "vectors":
            raise SettingsError(f"{text}: a run has word vectors of its own; vectors are chosen for baselines")


def places_of(overrides: Sequence[str]) -> list[str]:
    """Return the overrides that say where a run and the code of its model are."""
    return [text for text in overrides if root_of(text) in ("paths", "packages")]


def open_encoder_run(name: str, overrides: Sequence[str]) -> TrainedRun:
    """Return the run with this id or in this folder; raise RecordError, with the nearest baseline, if there is none."""
    try:
        return open_run(name, places_of(overrides))
    except RecordError as error:
        if near := did_you_mean(name, BASELINES):
            raise RecordError(f"{error}.{near}") from error
        raise


def with_chosen_parser(
    run: TrainedRun, settings: TransferCommand, overrides: Sequence[str]
) -> tuple[TrainedRun, Parser | None]:
    """Return a run with the parser that the overrides choose, and that parser; None if they choose none.

    Raise an error if the inputs of the run or of its parser are missing.
    """
    # the tasks have words that the run has not met
    check_inputs([vectors_input(run.settings.vectors, Path(run.settings.paths.data))])
    warn_if_slow(settings.precision, "cpu", "precision=fp32")
    if all(root_of(text) != "phrases" for text in overrides):
        return run, None
    run = run.with_parser(settings.phrases)
    check_inputs(parser_inputs(run.settings))
    provide_parser(run.settings)
    if run.parser is None:
        raise SettingsError(NO_PARSER)
    return run, run.parser


def encoder_of_run(
    run: TrainedRun, sets: Mapping[str, TaskExamples], precision: NumberFormat = "fp32", parser: Parser | None = None
) -> EvaluatedEncoder:
    """Return the encoder of a finished run.

    `parser` parses the sentences if the run was trained on the trees of its data. The vectors of all words of all tasks
    are looked up at the first call, since reading the file of word vectors takes long.
    """

    @cache
    def ready() -> TrainedRun:
        run.tokens([sentence for task in sets.values() for sentence in task.sentences()])
        return run

    record, name = run.record, f"{run_name(run.settings)}, {run.settings.dataset.name}"
    parts = [record.id]
    if record.kind == "import":  # neither the id nor the record of an imported run names its file of word vectors
        sha256, rows = vectors_of_import(run.settings)
        parts.append(sha256[:12])
    else:
        rows = {"rows": record.data["vectors"]["rows"], "expected": record.data["expected"]["vectors"]}
    if parser is not None:
        parts.append(parser.identity)
    if precision != "fp32":
        parts.append(precision)
    identity = ", ".join(parts)

    def encode(sentences: list[str]) -> np.ndarray:
        return ready().encode(sentences, precision=precision)

    return EvaluatedEncoder(name, identity, encode, (record.id,), rows, precision, parser)


def vectors_of_import(settings: Settings) -> tuple[str, dict[str, int | None]]:
    """Return the hash of the file that gives an imported run the vectors of words, and `EvaluatedEncoder.vectors`."""
    vectors = settings.vectors
    source = find_vectors(vectors, Path(settings.paths.data))
    rows = read_vectors_if_any(source, (), vectors.size).rows
    return hash_of_vectors(source), {"rows": rows, "expected": vectors.expected}
