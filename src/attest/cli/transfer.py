"""attest transfer: evaluate sentence vectors on the tasks of SentEval."""

import argparse
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import cast

import numpy as np

from attest.cli.parsers import NO_PARSER, provide_parser
from attest.cli.transfer_report import print_outcome, report_lines, start_line
from attest.config.compose import compose_command
from attest.config.error_words import did_you_mean
from attest.config.keys import check_keys
from attest.config.overrides import key_of, root_of
from attest.config.settings import Settings
from attest.config.vector_files import NO_FILE
from attest.data.inputs import Input, check_inputs, package_input, vectors_input
from attest.data.mini.provide import provide_data
from attest.data.readers import find_source
from attest.data.vector_file import find_vectors, hash_of_vectors, read_vectors_if_any
from attest.errors import RecordError, SettingsError
from attest.inference.opening import open_record
from attest.inference.run_lookup import find_run
from attest.inference.trained_run import TrainedRun
from attest.runs.mirrors import mirror_record
from attest.runs.names import run_name
from attest.runs.progress import observe_work
from attest.runs.records import Record
from attest.runs.run_card import Origin, run_card
from attest.syntax.parsers import Parser
from attest.system.devices import NumberFormat, warn_if_slow
from attest.training.inputs import parser_inputs
from attest.transfer.encoders import Kind, baseline_encoder, sentence_transformer
from attest.transfer.inputs import transfer_inputs
from attest.transfer.run import EvaluatedEncoder, run
from attest.transfer.settings import TransferCommand
from attest.transfer.task_data import TaskSets, read_all

PHRASES_KEYS = ("phrases", "phrases.source", "phrases.parser_run")
"""The phrase settings that may be set for a finished run: those that choose a parser. Training fixed the others."""
BASELINES = ("average", "average_max")
MODEL = "sentence-transformers:"


def transfer(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Evaluate an encoder on tasks of SentEval, and print its figures."""
    check_keys(overrides, TransferCommand.__dataclass_fields__, "transfer")
    found, places = None, []
    if is_external(parsed.encoder):
        check_external_settings(overrides)
        scale = []
    else:
        check_run_settings(overrides)
        places = [text for text in overrides if root_of(text) in ("paths", "packages")]
        found = find_encoder_run(parsed.encoder, places)
        scale = [f"scale={found.settings['scale']}"]
    settings = compose_command(TransferCommand, "transfer", [*scale, *overrides])
    provide_data(settings)
    data = Path(settings.paths.data)
    check_inputs([*transfer_inputs(settings.tasks, settings, data), *encoder_inputs(parsed.encoder, settings)])
    vectors = settings.vectors.file if parsed.encoder in BASELINES else ""
    print(start_line(parsed.encoder, settings, vectors), file=sys.stderr, flush=True)
    opened = None if found is None else open_record(found, places)
    if opened is not None:  # the tasks have words that the run has not met
        check_inputs([vectors_input(opened.settings.vectors, Path(opened.settings.paths.data))])
    asks_for_parser = any(root_of(text) == "phrases" for text in overrides)
    if opened is not None and asks_for_parser:
        opened = opened.with_parser(settings.phrases)
        check_inputs(parser_inputs(opened.settings))
        provide_parser(opened.settings)
        if opened.parser is None:
            raise SettingsError(NO_PARSER)
    sets = read_all(settings.tasks, data)
    if opened is None:
        encoder = external_encoder(parsed.encoder, settings, sets)
    else:
        warn_if_slow(settings.precision, "cpu", "precision=fp32")
        encoder = encoder_of_run(opened, sets, settings.precision, opened.parser if asks_for_parser else None)

    def mirror(record: Record) -> None:
        origin = Origin(command=shlex.join(["attest", "transfer", parsed.encoder, *overrides]), group=record.kind)
        mirror_record(settings, run_card(record, origin, encoder.name), record)

    record = run(encoder, sets, settings, settings.paths, observe_work, print_outcome, mirror, settings.scale)
    print("\n".join(report_lines(record, settings)))


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


def check_run_settings(overrides: Sequence[str]) -> None:
    """Raise SettingsError for a setting that cannot be changed for a finished run."""
    for text in overrides:
        if root_of(text) == "phrases" and key_of(text) not in PHRASES_KEYS:
            raise SettingsError(
                f"{key_of(text)}: a run divides trees as it was trained to; only {', '.join(PHRASES_KEYS)} can be set"
            )
        if root_of(text) == "vectors":
            raise SettingsError(f"{text}: a run has word vectors of its own; vectors are chosen for baselines")


def encoder_inputs(name: str, settings: TransferCommand) -> Iterator[Input]:
    """Yield the inputs of an encoder that no run has trained: its word vectors, or the package that loads it."""
    if name in BASELINES:
        if settings.vectors.file == NO_FILE:
            raise SettingsError(f"vectors.file={NO_FILE}: {name} needs a file; choose one, as vectors=glove_6b")
        yield vectors_input(settings.vectors, Path(settings.paths.data))
    elif name.startswith(MODEL):
        yield package_input("sentence_transformers", "sentence-transformers", "sentence-transformers", name)


def find_encoder_run(name: str, overrides: Sequence[str]) -> Record:
    """Return the record of the run with this id; raise RecordError, with the nearest baseline, if there is none."""
    try:
        return find_run(name, overrides)
    except RecordError as error:
        if near := did_you_mean(name, BASELINES):
            raise RecordError(f"{error}.{near}") from error
        raise


def external_encoder(name: str, settings: TransferCommand, sets: Mapping[str, TaskSets]) -> EvaluatedEncoder:
    """Return the baseline or the Sentence-Transformers model with this name."""
    if name in BASELINES:
        vectors = settings.vectors
        source = find_source(Path(settings.paths.data), vectors.file, vectors.archive)
        sentences = (sentence for task in sets.values() for sentence in task.sentences())
        return baseline_encoder(cast("Kind", name), source, vectors.size, sentences, vectors.expected)
    return sentence_transformer(name.removeprefix(MODEL))


def encoder_of_run(
    run: TrainedRun, sets: Mapping[str, TaskSets], precision: NumberFormat = "fp32", parser: Parser | None = None
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
