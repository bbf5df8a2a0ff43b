"""attest reproduce, plan, collate, describe, choices."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from attest.cli.arguments import LOCATION_KEYS
from attest.config.keys import check_keys, groups_of
from attest.config.overrides import key_of, quoted, root_of, split_overrides
from attest.config.paths import results_of_checkout, tracked_results
from attest.config.schema import from_plain
from attest.config.settings import Settings
from attest.errors import AttestError, SettingsError
from attest.reproduction.collate import outdated_files, outdated_pictures, tables_in, write_results, write_table
from attest.reproduction.pages.hours import render_hours, render_table_hours
from attest.reproduction.pages.markdown import render_table
from attest.reproduction.specs.added_rows import KEY, with_rows
from attest.reproduction.specs.choices import format_choices, load_choices
from attest.reproduction.specs.table import load_table, table_names
from attest.reproduction.tables.table import Table
from attest.runs.known_stores import local_folders


@dataclass(frozen=True, kw_only=True)
class Selection:
    """The settings of `attest reproduce` that select runs of a table; it passes all other settings on to the runs."""

    rows: Sequence[str] = ()
    """The names of the rows whose runs are trained; empty: all rows."""
    seeds: int | Sequence[int] | None = None
    """The number of seeds or folds, or a list of them; None: as many as the table asks for."""
    again: Literal["uncommitted"] | None = None
    """The finished runs that are repeated, in place of missing ones. uncommitted: those whose code had uncommitted
    changes."""


def reproduce(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Train the missing runs of a table, then write the table and print it.

    The table is also written after Ctrl-C and after an error, unless this is a mistake in the settings, with which no
    run was trained.
    """
    from attest.cli.train import start_hydra  # imported here because it loads Hydra, which other commands do not need

    values, settings = split_overrides(overrides, (*Selection.__dataclass_fields__, KEY))
    if KEY in values and not values[KEY]:
        raise SettingsError(f"{KEY}=: no row is named; type {KEY}=model=NAME, or leave it out")
    added = str(values.pop(KEY, ""))
    with_rows(load_table(parsed.table), added)  # a misspelt name is reported before anything starts
    own = [text for text in settings if not key_of(text).startswith("hydra")]
    check_keys(own, {*Settings.__dataclass_fields__, *groups_of(), *Selection.__dataclass_fields__, KEY} - {"label"})
    if isinstance(values.get("rows"), str):
        values["rows"] = [values["rows"]]
    selection = from_plain(Selection, values)
    if "rows" in values and not all([selection.rows, *selection.rows]):
        raise SettingsError("rows: no row is named; type rows=ROW or rows=[ROW,ROW], or leave it out for all rows")
    if selection.again is not None and selection.seeds is not None:
        raise SettingsError(f"seeds: not used with again={selection.again}, which repeats exactly the marked runs")

    def write() -> Table:
        places = [text for text in settings if root_of(text) in LOCATION_KEYS]
        table, results = local_table(parsed.table, places, added)
        write_table(table, results)
        return table

    try:
        start_hydra(["-m", "hydra/sweeper=table", *sweeper_overrides(parsed.table, selection, added), *settings])
    except SettingsError:
        raise
    except BaseException:
        with suppress(AttestError):  # such as that of a damaged record; the first error is the one to report
            write()
        raise
    print(render_table(write()))


def plan(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Print the hours of each row of a table, from the times of tracked and local runs, or those of all tables.

    The tracked runs of the checkout count wherever the home folder is: times do not depend on it.
    """
    check_keys(overrides, ("paths",))
    folders = [*local_folders(at_paper_scale(overrides))[1], *filter(None, [results_of_checkout()])]
    folders = list(dict.fromkeys(folders))
    if parsed.table is not None:
        print(render_table_hours(*tables_in(folders, [parsed.table], "paper")))
    else:
        print(render_hours(tables_in(folders, table_names(own=False), "paper")), end="")


def sweeper_overrides(table: str, selection: Selection, added: str = "") -> list[str]:
    """Return the overrides of Hydra's sweeper `table` that name a table, add rows to it and select its runs."""
    overrides = [f"hydra.sweeper.table={table}"]
    if selection.rows:
        overrides.append(f"hydra.sweeper.rows={format_list(selection.rows)}")
    if selection.seeds is not None:
        seeds = selection.seeds if isinstance(selection.seeds, int) else format_list(selection.seeds)
        overrides.append(f"hydra.sweeper.seeds='{seeds}'")
    if selection.again is not None:
        overrides.append(f"hydra.sweeper.again={selection.again}")
    if added:
        overrides.append(f"hydra.sweeper.added={quoted(added)}")
    return overrides


def format_list(values: Sequence[object]) -> str:
    """Return values as a list in Hydra's grammar, such as [a,b]."""
    return f"[{','.join(map(str, values))}]"


def local_table(name: str, overrides: Sequence[str], added: str = "") -> tuple[Table, Path]:
    """Return a table built from this machine's records, and the results folder that it is written to.

    `added` names rows that are added to it. At scale=paper the tracked records count too.
    """
    scale, folders = local_folders(overrides)
    (table,) = tables_in(folders, [name], scale, tracked_results(), added)
    return table, folders[0]


def at_paper_scale(overrides: Sequence[str]) -> list[str]:
    """Return the overrides with scale=paper in front, unless they name a scale: for commands that only read."""
    return [*overrides] if any(root_of(text) == "scale" for text in overrides) else ["scale=paper", *overrides]


def collate(parsed: argparse.Namespace, overrides: list[str]) -> int:
    """Rebuild all tables from the tracked records; with --check, return 1 if one of them would change."""
    check_keys(overrides, ())
    results = tracked_results()
    if not parsed.check:
        changed = write_results(results)
        print("\n".join(f"wrote {path}" for path in changed) or "all tables agree with the records")
        return 0
    different = outdated_files(results)
    for path in different:
        print(f"attest: {path} does not agree with the tracked records; run `attest collate`", file=sys.stderr)
    stale = outdated_pictures(results)
    for name, path in stale:
        print(f"attest: {path} was drawn from other records; run `attest figures {name}`", file=sys.stderr)
    return 1 if different or stale else 0


def describe(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Print the numbers of parameters of a table's rows, or each parameter of the model that the overrides choose."""
    from attest.reproduction.pages.parameters import describe_model, describe_table  # loads torch

    if parsed.table is not None:
        check_keys(overrides, ())
        print(describe_table(parsed.table))
    elif overrides:
        print(describe_model(overrides))
    else:
        raise SettingsError("attest describe: nothing to describe. Name a table such as disan/table1, or model=disan")


def choices(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Print the choices that a paper's text leaves open, with the settings for each reading."""
    check_keys(overrides, ())
    print(format_choices(load_choices(parsed.paper)))
