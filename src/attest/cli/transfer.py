"""attest transfer."""

import argparse
import dataclasses
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import cast

from attest.cli.overrides import divided, key_of, listed, nested
from attest.cli.parsers import NO_PARSER, provide_parser
from attest.config.compose import compose, compose_unchecked
from attest.config.schema import closest
from attest.config.settings import Settings
from attest.data.mini.provide import provide_data
from attest.data.readers import find_source
from attest.errors import RecordError, SettingsError
from attest.inference.trained_run import Trained, open_run
from attest.runs.identity import name_of
from attest.runs.progress import progress
from attest.runs.records import Record
from attest.syntax.parsers import Parser
from attest.transfer import TASKS, Outcome, Transfer
from attest.transfer.encoders import Kind, baseline, sentence_transformer
from attest.transfer.parallel import Advance
from attest.transfer.run import Encoder, run
from attest.transfer.settings import parse_transfer
from attest.transfer.task_data import Sets, read_all

OURS = {"tasks", *(field.name for field in dataclasses.fields(Transfer))}
THEIRS = {"scale", "paths", "vectors", "logger"}
"""Settings of a run that mean something here too."""
TREES = {"phrases"}
"""Whose trees sentences have that come without."""
WHOSE = ("phrases", "phrases.source", "phrases.parser_run")
"""What of it may be said: how trees are divided is the run's."""
BASELINES = ("average", "average_max")
MODEL = "sentence-transformers:"


def transfer(parsed: argparse.Namespace, overrides: list[str]) -> None:
    mine, theirs = divided(overrides, OURS, THEIRS | TREES)
    tasks, settings = chosen(mine)
    trees, theirs = divided(theirs, TREES, THEIRS)
    if trees and known(parsed.encoder):
        raise SettingsError(f"{trees[0]}: this encoder has no use for phrases")
    for text in trees:
        if (key := key_of(text)) not in WHOSE:
            raise SettingsError(f"{key}: a run divides trees as it was trained to; only whose they are may be said")
    opened = None if known(parsed.encoder) else opened_run(parsed.encoder, private(theirs))
    scale = [] if opened is None else [f"scale={opened.settings.scale}"]
    composed = compose(["dataset=mr", *scale, *theirs])  # for its places and, at scale=mini, its vectors of sentences
    provide_data(composed)
    if opened is not None and trees:
        opened = opened.parsed_by(compose_unchecked([*scale, *theirs, *trees]).phrases)
        provide_parser(opened.settings)
        if opened.parser is None:
            raise SettingsError(NO_PARSER)
    sets = read_all(tasks, Path(composed.paths.data))
    if opened is None:
        encoder = encoder_of(parsed.encoder, composed, sets)
    else:
        encoder = of_run(opened, sets, opened.parser if trees else None)

    def mirrored(record: Record) -> None:
        if composed.logger.kind == "wandb":
            from attest.runs.wandb_mirror import mirror_record

            mirror_record(record, encoder.name, composed)

    record = run(encoder, sets, settings, composed.paths, watch, finished, mirrored)
    print("\n".join(shown(record, official=composed.scale != "mini")))


def chosen(texts: Sequence[str]) -> tuple[list[str], Transfer]:
    """Tasks, and what the protocol takes."""
    data = nested([text.replace("classifier=", "classifier.kind=", 1) for text in texts])
    tasks = listed(data.pop("tasks", list(TASKS)))
    return tasks, parse_transfer(data)


def known(name: str) -> bool:
    """Whether it names an encoder of no run."""
    return name in BASELINES or name.startswith(MODEL)


def opened_run(name: str, overrides: Sequence[str]) -> Trained:
    try:
        return open_run(name, overrides)
    except RecordError as error:
        if meant := closest(name, BASELINES):
            raise RecordError(f"{error}.{meant}") from error
        raise


def private(overrides: Sequence[str]) -> list[str]:
    """Of what somebody typed, what may be said of a run that is finished."""
    if wrong := [text for text in overrides if text.startswith("vectors")]:
        raise SettingsError(f"{wrong[0]}: a run has word vectors of its own; vectors are chosen for baselines")
    return [text for text in overrides if text.startswith("paths.")]


def encoder_of(name: str, composed: Settings, sets: Mapping[str, Sets]) -> Encoder:
    if name in BASELINES:
        vectors = composed.vectors
        source = find_source(Path(composed.paths.data), vectors.file, vectors.archive)
        sentences = (sentence for one in sets.values() for sentence in one.sentences())
        return baseline(cast("Kind", name), source, vectors.size, sentences, vectors.expected)
    return sentence_transformer(name.removeprefix(MODEL))


def of_run(run: Trained, sets: Mapping[str, Sets], parser: Parser | None = None) -> Encoder:
    """The encoder of a finished run, with a parser if it was given one that it was not trained with. All words are
    looked up at once, since their file is long."""

    @cache
    def ready() -> Trained:
        run.tokens([sentence for one in sets.values() for sentence in one.sentences()])
        return run

    record, name = run.record, f"{name_of(run.settings)}, {run.settings.dataset.name}"
    rows = {"rows": record.data["vectors"]["rows"], "expected": record.data["expected"]["vectors"]}
    identity = record.id if parser is None else f"{record.id}, {parser.identity}"
    return Encoder(name, identity, lambda sentences: ready().encode(sentences), (record.id,), rows, parser)


@contextmanager
def watch(name: str, pieces: int) -> Iterator[Advance]:
    with progress(name, pieces) as watcher:
        yield watcher.step


def finished(outcome: Outcome) -> None:
    main = "  ".join(f"{key} {value:.4g}" for key, value in outcome.metrics.items() if not of_one_set(key))
    seconds = outcome.encoding_seconds + outcome.seconds
    print(f"{outcome.task}: {main}  {seconds:,.0f} s", file=sys.stderr, flush=True)


def of_one_set(key: str) -> bool:
    """Of one of the six sets of STS14, whose averages are enough here."""
    return "/" in key and key.rpartition("/")[2] not in ("mean", "weighted", "pearson")


def shown(record: Record, *, official: bool) -> Iterator[str]:
    """The figures, and what is to be said about them."""
    for key, value in record.metrics.items():
        if not of_one_set(key.partition("/")[2]):
            yield f"{key:<28} {value:.4g}"
    for split, expected in record.data["expected"]["splits"].items():
        used = record.data["splits"][split]["used"]
        if official and used != expected:
            yield f"{split} has {used:,} of {expected:,} examples"
    for row in record.curve:
        if row["cut_off"]:
            yield f"{row['task']}: {row['cut_off']:,} fits ended before they came to rest, as SentEval's do"
    yield f"run {record.id}, {sum(row['seconds'] + row['encoding_seconds'] for row in record.curve):,.0f} s"
