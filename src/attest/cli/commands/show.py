"""attest show: what is behind a table, one of its rows, or a run."""

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from attest.cli.local_tables import at_paper_scale, local_table
from attest.config.compose import compose_unchecked
from attest.config.overrides import path_overrides, split_overrides
from attest.errors import RecordError, SettingsError
from attest.reproduction.pages.terminal.run import render_run
from attest.reproduction.pages.terminal.table_runs import render_runs
from attest.reproduction.run_command import run_command
from attest.reproduction.run_context import defaults_of
from attest.reproduction.specs.added_rows import ADDED_ROWS_KEY
from attest.reproduction.specs.files import check_file_name
from attest.reproduction.specs.table import load_table, table_names
from attest.reproduction.tables.membership import cells_of
from attest.runs.known_stores import all_stores
from attest.runs.records import Record
from attest.runs.store import Store, find_record
from attest.runs.unlaunched_runs import check_ended

NEITHER = "there is no such table, and ids of runs have digits and the letters a to f alone"
"""The mistake of a name that is neither that of a table nor the id of a run."""


def show(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Print the figures, runs and commands behind a table or one of its rows, or everything that is known of a run.

    Without a name, print the names and titles of all tables.
    """
    if parsed.name is None:
        print(list_tables())
        return
    values, overrides = split_overrides(overrides, (ADDED_ROWS_KEY,))
    if values and re.fullmatch("[0-9a-f]+", parsed.name):
        raise SettingsError(
            f"{ADDED_ROWS_KEY}={values[ADDED_ROWS_KEY]}: a run has no rows; type attest show {parsed.name}"
        )
    if re.fullmatch("[0-9a-f]+", parsed.name):
        show_run(parsed, overrides)
        return
    if "/" not in parsed.name:
        check_file_name(parsed.name, table_names(), NEITHER)
    table, _ = local_table(parsed.name, at_paper_scale(overrides), str(values.get(ADDED_ROWS_KEY, "")))
    if parsed.row is not None:
        table.spec.row(parsed.row)  # raises an error about a row that does not exist
    print(render_runs(table, parsed.row))


def list_tables() -> str:
    """Return a line for each table, with its name and its title, and what to type."""
    titles = {name: load_table(name).title for name in table_names()}
    width = max(map(len, titles))
    return "\n".join([
        *(f"{name:{width}}  {title}" for name, title in titles.items()),
        "", "`attest show NAME` prints the figures and runs of a table, `attest reproduce NAME` runs what is missing.",
    ])  # fmt: skip


def show_run(parsed: argparse.Namespace, overrides: Sequence[str]) -> None:
    """Print everything that is known of the run whose id begins with `parsed.name`."""
    if parsed.row is not None:
        raise SettingsError(f"{parsed.row}: a run has no rows; type attest show {parsed.name}")
    places = path_overrides(overrides)
    known = all_stores(places)
    record = with_scale(find_ended_run(parsed.name, known, places), known)
    files = list(files_of(record, known, Path(compose_unchecked(places).paths.runs)))
    memberships = list(cells_of(record))
    needs_command = record.kind == "import" or (record.kind == "train" and not memberships)
    command = command_of(record) if needs_command else ""
    print(render_run(record, defaults_of(record), memberships, files, command))


def with_scale(record: Record, stores: Sequence[Store]) -> Record:
    """Return a record with the scale of the store that holds it, if it is an evaluation on SentEval's tasks from an
    earlier version, which does not name its scale."""
    if record.kind != "transfer" or "scale" in record.data:
        return record
    paper, mini, _ = (store.record_path(record.id).is_file() for store in stores)
    return replace(record, data={**record.data, "scale": "mini" if mini and not paper else "paper"})


def command_of(record: Record) -> str:
    """Return the command that trains or imports a run anew, or why there is none."""
    try:
        return run_command(record)
    except SettingsError as error:
        return f"not known, since {error}"


def find_ended_run(prefix: str, known: Sequence[Store], places: Sequence[str]) -> Record:
    """Return the record whose id begins with `prefix`; raise RecordError if there is none, or if the run has not ended.

    `places` are the overrides of paths.
    """
    try:
        return find_record(prefix, known, kind=None)
    except RecordError:
        check_ended(prefix, Path(compose_unchecked(places).paths.runs))
        raise


def files_of(record: Record, stores: Sequence[Store], runs: Path) -> Iterator[Path]:
    """Yield the files and folders that hold a record, its predictions, and its weights and checkpoints."""
    for store in stores:
        if store.record_path(record.id).is_file():
            yield store.record_path(record.id)
            if store.arrays_path(record.id).is_file():
                yield store.arrays_path(record.id)
    if (runs / record.id).is_dir():
        yield from sorted(path for path in (runs / record.id).iterdir())
