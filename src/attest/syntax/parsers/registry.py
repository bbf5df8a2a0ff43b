"""Parsers that `attest parser train` has made, found by their records."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from attest.config.parser_training import Parsing, compose_parser
from attest.config.paths import tracked_results
from attest.config.schema import flatten
from attest.config.settings import Settings
from attest.errors import RecordError, SettingsError
from attest.runs.records import Record, Store, lookup, weights_of
from attest.syntax.parsers.learned import LearnedParser
from attest.syntax.parsers.span_scorer import SpanScorer

VERSIONS = {"scorer": SpanScorer.version, "parser": 1}
"""Of the code that a parser goes through; `parser` is raised whenever training would give other figures."""
SCORER = "scorer."
"""In front of its sizes in the settings, and of its weights."""


def parser_settings(parsing: Parsing, scale: str) -> dict[str, Any]:
    """As a record holds them."""
    return {"scale": scale, **flatten(parsing)}


def parser_identity(record: Record) -> str:
    return f"learned {record.id}"


def find_parser(settings: Settings) -> Record:
    """Return the parser that phrases.parser_run names, or the one that is trained with default settings."""
    if settings.phrases.parser_run is not None:
        return lookup(settings.phrases.parser_run, record_stores(settings), "parser")
    found = default_parsers(settings)
    found = with_local_weights(found, settings) or found
    if len(found) != 1:
        several = f"there are {len(found)} ({', '.join(found)})" if found else "there is none yet"
        raise SettingsError(
            "phrases.parser_run: names no parser, and of those that `attest parser train "
            f"scale={settings.scale}` makes {several}; name one with phrases.parser_run=..., or train it"
        )
    return next(iter(found.values()))


def default_parsers(settings: Settings) -> dict[str, Record]:
    """By id: those that were trained without settings of anybody's own. Other treebank files make another one."""
    usual = parser_settings(compose_parser([f"scale={settings.scale}"]), settings.scale)
    every = (record for store in record_stores(settings) for record in store if record.kind == "parser")
    return {
        record.id: record
        for record in every
        if record.status == "done" and record.versions == VERSIONS and record.settings == usual
    }


def with_local_weights(found: Mapping[str, Record], settings: Settings) -> dict[str, Record]:
    """Those whose weights are on this machine. What is tracked of a run is its record."""
    runs = Path(settings.paths.runs)
    return {identity: record for identity, record in found.items() if weights_path(record, runs).is_file()}


def weights_path(record: Record, runs: Path) -> Path:
    return weights_of(runs / record.id, record.selected["step"])


def record_stores(settings: Settings) -> list[Store]:
    return [Store(Path(settings.paths.records)), Store(tracked_results() / "records")]


def open_parser(record: Record, settings: Settings) -> LearnedParser:
    """The parser of a finished run, from where these settings have their runs."""
    if record.status != "done":
        raise RecordError(f"{record.id}: this parser was not trained to its end ({record.reason}); it has no weights")
    if record.versions["scorer"] != SpanScorer.version:
        raise RecordError(
            f"{record.id}: trained by version {record.versions['scorer']} of the parser, and this is version "
            f"{SpanScorer.version}, which says other things; train it anew"
        )
    path = weights_path(record, Path(settings.paths.runs))
    if not path.is_file():
        own = Store(Path(settings.paths.records)).path(record.id)
        before = f"delete {own} and run" if own.is_file() else "run"
        raise RecordError(
            f"{record.id}: the weights of this parser are not here ({path}). To train it again, {before} `attest "
            f"parser train scale={record.settings['scale']}` with its settings"
        )
    scorer = SpanScorer(**scorer_entries(record.settings))
    scorer.load_state_dict(scorer_entries(torch.load(path, weights_only=True, map_location="cpu")))
    return LearnedParser(scorer, parser_identity(record))


def scorer_entries(named: Mapping[str, Any]) -> dict[str, Any]:
    return {key.removeprefix(SCORER): value for key, value in named.items() if key.startswith(SCORER)}
