"""attest parser."""

import argparse
import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from attest.cli.overrides import divided, listed, nested, only
from attest.config.compose import compose, compose_unchecked
from attest.config.parser_training import Parsing, parsing_of
from attest.config.settings import Dataset, Settings
from attest.data.mini.provide import provide_data
from attest.data.text.tokens import treebank_tokens
from attest.errors import SettingsError
from attest.runs.observers import Watcher
from attest.runs.progress import progress
from attest.runs.records import Record
from attest.syntax.parsers import configured_parser
from attest.syntax.parsers.registry import default_parsers, with_local_weights
from attest.syntax.trees import from_spans, to_brackets
from attest.training.parser.run import run
from attest.training.parser.settings import ParserRun

OURS = set(Parsing.__dataclass_fields__)
THEIRS = {"scale", "paths", "trainer", "retry_failed"}
"""Settings of a run that mean something here too."""
PRECISION = "fp32"
NO_PARSER = "phrases: no parser; choose phrases=learned, stanza, right or balanced"


def parser(parsed: argparse.Namespace, overrides: list[str]) -> None:
    if parsed.action == "train":
        train(overrides)
    else:
        parse(parsed.sentences, overrides)


def train(overrides: Sequence[str]) -> None:
    logging.basicConfig(format="%(message)s", stream=sys.stderr)
    ours, theirs = divided(overrides, OURS, THEIRS)
    changes = nested(ours)
    if "treebanks" in changes:
        changes["treebanks"] = listed(changes["treebanks"])
    composed = compose(theirs)
    if composed.trainer.precision != PRECISION:
        raise SettingsError(f"trainer.precision: parsers are trained in {PRECISION}, the sums over trees need it")
    provide_data(composed)
    print("\n".join(shown(run(run_of(composed, changes), watch))))


def run_of(composed: Settings, changes: dict[str, Any] | None = None) -> ParserRun:
    """The training of one parser, with the places, the scale and the machine of these settings."""
    parsing = parsing_of(composed.scale, changes)
    return ParserRun(
        parsing=parsing,
        datasets=[dataset_of(name, composed.scale) for name in parsing.treebanks],
        scale=composed.scale,
        trainer=replace(composed.trainer, precision=PRECISION),
        paths=composed.paths,
        retry_failed=composed.retry_failed,
    )


def dataset_of(name: str, scale: str) -> Dataset:
    return compose_unchecked([f"dataset={name}", f"scale={scale}"]).dataset


@contextmanager
def watch(name: str, steps: int) -> Iterator[Sequence[Watcher]]:
    with progress(name, steps) as watcher:
        yield (watcher,)


def shown(record: Record) -> Iterator[str]:
    """Each treebank beside trees that know nothing, and what else is to be said."""
    yield f"{'unlabelled F1':<20} {'learned':>8} {'right':>8} {'balanced':>8} {'sentences':>10}"
    for split in ("dev", "test"):
        for name in record.settings["treebanks"]:
            of = f"{split}/{name}"
            figures = [record.metrics[f"{of}/{kind}f1"] for kind in ("", "right/", "balanced/")]
            used = record.data["splits"][f"{name}/{split}"]["used"]
            yield f"{of:<20} " + " ".join(f"{figure:8.2f}" for figure in figures) + f" {used:>10,}"
    yield f"run {record.id}: phrases=learned phrases.parser_run={record.id}"


def parse(sentences: Sequence[str], overrides: Sequence[str]) -> None:
    """The tree of each sentence, one a line."""
    logging.basicConfig(format="%(message)s", stream=sys.stderr)
    settings = compose_unchecked(["phrases=learned", *only(overrides, "scale", "paths", "phrases")])
    chosen = configured_parser(settings)
    if chosen is None:
        raise SettingsError(NO_PARSER)
    words = [treebank_tokens(sentence) for sentence in sentences]
    for sentence, spans in zip(words, chosen.parse(words), strict=True):
        print(to_brackets(from_spans(sentence, spans)))


def provide_parser(settings: Settings) -> None:
    """The usual parser, where these settings ask for it and nobody has trained it yet on this machine."""
    wanted = settings.phrases
    default = wanted.source == "learned" and wanted.parser_run is None
    if default and not with_local_weights(default_parsers(settings), settings):
        run(run_of(settings), watch)
