"""Parsers trained by `attest parser train`, found by the records of their runs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attest.config.flat import flatten
from attest.config.parser_training import Parsing, compose_parser
from attest.config.paths import tracked_results
from attest.config.settings import Settings
from attest.errors import RecordError, SettingsError
from attest.runs.records import Record
from attest.runs.run_folder import weights_file
from attest.runs.store import Store, find_record
from attest.runs.trained_model import TrainedParser
from attest.syntax.parsers.cached import CachedParser
from attest.syntax.parsers.learned import LearnedParser
from attest.syntax.parsers.span_scorer import SpanScorer
from attest.system.weights import read_weights, set_weights

VERSIONS = {"scorer": SpanScorer.version, "parser": 1}
"""The versions of the code behind a parser; raise `parser` whenever training would give other figures."""
SCORER_PREFIX = "scorer."
"""The prefix of the scorer's sizes among the settings, and of its weights in a checkpoint."""


def parser_settings(parsing: Parsing, scale: str) -> dict[str, Any]:
    """Return the flat settings of a parser's training, as its record stores them."""
    return {"scale": scale, **flatten(parsing)}


def parser_identity(record: Record) -> str:
    """Return the identity of the parser that a run trained (see `Parser.identity`)."""
    return f"learned {record.id}"


def find_parser(settings: Settings) -> Record:
    """Return the record of the parser that phrases.parser_run names, or else of the parser with default settings.

    If several parsers have default settings, the one whose weights are on this machine counts. Raise SettingsError if
    there is no such parser, or more than one.
    """
    if settings.phrases.parser_run is not None:
        return find_record(settings.phrases.parser_run, record_stores(settings), "parser")
    parsers = default_parsers(settings)
    parsers = with_local_weights(parsers, settings) or parsers
    if not parsers:
        raise SettingsError(
            "phrases.parser_run: there is no trained parser yet; train one with "
            f"`attest parser train scale={settings.scale}`"
        )
    if len(parsers) > 1:
        raise SettingsError(
            f"phrases.parser_run: there are {len(parsers)} parsers with default settings ({', '.join(parsers)}); "
            "choose one with phrases.parser_run=ID"
        )
    return next(iter(parsers.values()))


def default_parsers(settings: Settings) -> dict[str, Record]:
    """Return the records of the finished parsers with the default settings of this scale, by id.

    There are several if parsers were trained on different versions of the treebank files.
    """
    defaults = parser_settings(compose_parser([f"scale={settings.scale}"]), settings.scale)
    parsers = (record for store in record_stores(settings) for record in store if record.kind == "parser")
    return {
        record.id: record
        for record in parsers
        if record.status == "done" and record.versions == VERSIONS and record.settings == defaults
    }


def with_local_weights(parsers: Mapping[str, Record], settings: Settings) -> dict[str, Record]:
    """Return the parsers whose weights are on this machine; git tracks the records of runs without their weights."""
    runs = Path(settings.paths.runs)
    return {run_id: record for run_id, record in parsers.items() if weights_path(record, runs).is_file()}


def weights_path(record: Record, runs: Path) -> Path:
    """Return the path of a run's best weights below the folder of runs."""
    return weights_file(runs / record.id, record.selected["step"])


def record_stores(settings: Settings) -> list[Store]:
    """Return the stores with records of parsers: the user's own, then the tracked results."""
    return [Store(Path(settings.paths.records)), Store(tracked_results() / "records")]


def open_parser(record: Record, settings: Settings) -> LearnedParser:
    """Load the parser of a finished run from the folder of runs that the settings name.

    Raise RecordError if the run failed, if its version is not that of the code, or if its weights are not here.
    """
    if record.status != "done":
        raise RecordError(
            f"{record.id}: the training of this parser did not finish ({record.reason}), so it has no weights; "
            "choose another with phrases.parser_run=ID"
        )
    path = weights_path(record, Path(settings.paths.runs))
    trained = trained_parser(record, settings)
    if trained is None:
        own = Store(Path(settings.paths.records)).record_path(record.id)
        first_step = f"delete {own} and run" if own.is_file() else "run"
        raise RecordError(
            f"{record.id}: the weights of this parser are not on this machine ({path}); to train it again, "
            f"{first_step} `attest parser train scale={record.settings['scale']}` with its settings"
        )
    return parser_of_weights(trained)


def check_parser_version(record: Record) -> None:
    """Raise RecordError if the installed code finds other trees than the code that trained a parser."""
    if record.versions["scorer"] != SpanScorer.version:
        raise RecordError(
            f"{record.id}: this parser was trained by version {record.versions['scorer']} of the code, and version "
            f"{SpanScorer.version} would give other trees; train it again with `attest parser train`"
        )


def trained_parser(record: Record, settings: Settings) -> TrainedParser | None:
    """Return the weights of a finished run of a parser, or None if they are not on this machine."""
    path = weights_path(record, Path(settings.paths.runs))
    return TrainedParser(record, scorer_entries(read_weights(path))) if path.is_file() else None


def parser_of_run(record: Record, settings: Settings) -> TrainedParser | None:
    """Return the weights of the parser whose trees a run was trained on.

    Return None if it was trained on no trees of a learned parser, or if that parser is not on this machine.
    """
    runs = record.data.get("parser", {}).get("runs", ())
    known = (store.get(runs[0]) for store in record_stores(settings)) if runs else ()
    found = next((parser for parser in known if parser is not None), None)
    return None if found is None else trained_parser(found, settings)


def cached_parser_of_weights(trained: TrainedParser, cache: Path) -> CachedParser:
    """Return the parser with the weights of its run, and with the cache of its trees on this machine."""
    check_parser_version(trained.record)
    return CachedParser(
        parser_identity(trained.record), lambda: parser_of_weights(trained), cache, (trained.record.id,)
    )


def parser_of_weights(trained: TrainedParser) -> LearnedParser:
    """Return the parser with the weights of its run; raise RecordError if the installed code finds other trees."""
    check_parser_version(trained.record)
    scorer = SpanScorer(**scorer_entries(trained.record.settings))
    set_weights(scorer, trained.weights, Path(trained.record.id))
    return LearnedParser(scorer, parser_identity(trained.record))


def scorer_entries(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings, or the weights of a checkpoint, whose names begin with SCORER_PREFIX, without it."""
    return {key.removeprefix(SCORER_PREFIX): value for key, value in values.items() if key.startswith(SCORER_PREFIX)}
