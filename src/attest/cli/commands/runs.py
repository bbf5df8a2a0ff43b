"""attest runs, compare: the list of finished runs, and a comparison of some of them."""

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from attest.cli.example_files import check_ending
from attest.config.compose import compose_unchecked
from attest.config.overrides import key_of, path_overrides
from attest.config.shell_command import shell_command
from attest.errors import RecordError, SettingsError
from attest.reproduction.pages.changed_items import GRADES, HOW_TO_READ, count_table, item_table
from attest.reproduction.pages.sweeps import render_output
from attest.reproduction.pages.terminal.runs import complete_run_table, run_table
from attest.reproduction.pages.text_table import for_output, render_csv
from attest.reproduction.plurals import pluralize
from attest.reproduction.sweep_files import write_sweep
from attest.reproduction.tables.changed_items import changed_items
from attest.reproduction.tables.compared_runs import compared_runs
from attest.reproduction.tables.run_filter import split_query
from attest.reproduction.tables.run_query import select
from attest.reproduction.tables.sweeps import SweepTable
from attest.runs.identity import digest
from attest.runs.known_stores import all_records, all_stores
from attest.runs.records import Record
from attest.runs.store import Store, find_record
from attest.runs.unlaunched_runs import unlaunched_runs
from attest.system.files import write_text


def runs(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Print the runs that have the settings in the overrides, the newest first, or write them to a CSV file.

    Raise RecordError if no run has the settings. That there is no run at all is an answer if all are asked for.
    """
    check_ending(parsed.to, "runs writes columns separated by commas", ".csv")
    wanted, settings = split_query(overrides)
    folder = Path(compose_unchecked(path_overrides(overrides)).paths.runs)
    if interrupted := [view for view in unlaunched_runs(folder) if view.status == "stopped"]:
        number = pluralize(len(interrupted), "interrupted run")
        print(f"attest: {number} not listed here; `attest status` shows how to continue", file=sys.stderr)
    records = select(all_records(all_stores(overrides)), wanted, settings)
    if not records and not query_of(overrides) and parsed.to is None:
        print(explain_none(overrides))
        return
    if not records:
        raise RecordError(explain_none(overrides))
    if parsed.to:
        is_limited = any(key_of(text) == "limit" for text in overrides)
        written = records[: wanted.limit] if is_limited else records
        write_text(Path(parsed.to), render_csv(complete_run_table(written)))
        print(f"wrote {pluralize(len(written), 'run')} to {parsed.to}", file=sys.stderr)
        return
    shown = records[: wanted.limit]
    table, others = run_table(shown)
    print(for_output(table))
    if others:
        print(f"\nThese runs also differ in {', '.join(others)}.")
    if len(shown) < len(records):
        query = [text for text in overrides if key_of(text) != "limit"]
        command = shlex.join(["attest", "runs", *query, f"limit={len(records)}"])
        print(f"\n{len(shown)} of {len(records):,} runs, the newest first; `{command}` lists all.")


def explain_none(overrides: Sequence[str], runs: str = "run") -> str:
    """Return the sentence for a query that selects no run, and what to type; `runs` says which runs were looked at."""
    if query := query_of(overrides):
        return f"there is no {runs} with {' '.join(query)}; `attest runs` lists all runs"
    return f"there is no {runs}; `attest train` makes one"


def query_of(overrides: Sequence[str]) -> list[str]:
    """Return the overrides that select runs, without those that say where runs are and how many are shown."""
    left_out = {*path_overrides(overrides), *(text for text in overrides if key_of(text) == "limit")}
    return [text for text in overrides if text not in left_out]


def compare(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Print what distinguishes finished runs, named by id or selected by settings, and draw their learning curves."""
    known = all_stores(overrides)
    named = [find_finished(prefix, known) for prefix in parsed.runs]
    places = path_overrides(overrides)
    query = [text for text in overrides if text not in places]
    if any(key_of(text) == "limit" for text in query):
        raise SettingsError("limit: attest compare compares all runs that the settings select; leave it out")
    if any(key_of(text) == "status" for text in query):
        raise SettingsError("status: attest compare compares finished runs; leave it out (`attest runs` takes it)")
    if not named and not query:
        raise SettingsError(
            "attest compare: nothing to compare; name runs by their ids, or settings that they have, as in attest "
            "compare experiment=disan/trec model=disan"
        )
    found = finished_runs(known, overrides) if query else []
    records = list({record.id: record for record in [*named, *reversed(found)]}.values())
    if len(records) < 2:
        raise RecordError(
            f"{records[0].id}: the only run to compare; name another one, or fewer settings (`attest runs` lists runs)"
        )
    table = compared_runs(records)
    print(render_output(table))
    results = Path(compose_unchecked([f"scale={table.scale}", *places]).paths.results)
    folder = results / "comparisons" / digest(sorted(record.id for record in records))
    print_changed_items(table, known, folder)
    command = shell_command("compare", *parsed.runs, *query)
    print(write_sweep(table, folder, command, "curves"), file=sys.stderr)


def finished_runs(known: Sequence[Store], overrides: Sequence[str]) -> list[Record]:
    """Return the finished runs that the overrides select, the newest first; raise RecordError if there are none."""
    records = select(all_records(known), *split_query([*overrides, "status=done"]))
    if not records:
        raise RecordError(explain_none(overrides, "finished run"))
    return records


def find_finished(prefix: str, known: Sequence[Store]) -> Record:
    """Return the finished run whose id begins with `prefix`; raise RecordError if there is none."""
    record = find_record(prefix, known)
    if record.status != "done":
        raise RecordError(f"{record.id}: this run failed ({record.reason}); only finished runs can be compared")
    return record


def print_changed_items(table: SweepTable, known: Sequence[Store], folder: Path) -> None:
    """Print how many test predictions changed against the first row, and write each changed item to a CSV file."""
    changes = changed_items(table, known)
    if not changes:
        print("\nNo test predictions to compare: none are stored for two runs with the same seed and data set.")
        return
    print(
        f"\nTest items whose prediction differs from that of the first row\n\n{for_output(count_table(table, changes))}"
    )
    print(f"\n- {HOW_TO_READ}" + (f"\n- {GRADES}" if table.measure == "pearson" else ""))
    write_text(folder / "items.csv", render_csv(item_table(changes)))
    print(f"- {folder / 'items.csv'} lists each changed item by its row in the official file.", flush=True)
