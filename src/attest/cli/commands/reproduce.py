"""attest reproduce: train the missing runs of a table, and write the table."""

import argparse
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from attest.cli.arguments.accepted import LOCATION_KEYS
from attest.cli.local_tables import local_table
from attest.config.overrides import quoted, root_of, split_overrides
from attest.config.schema import from_plain
from attest.errors import AttestError, SettingsError
from attest.reproduction.collate import write_table
from attest.reproduction.pages.table_page import render_table
from attest.reproduction.specs.added_rows import ADDED_ROWS_KEY, with_rows
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.table import Table


@dataclass(frozen=True, kw_only=True)
class RunSelection:
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
    from attest.cli.commands.train import (
        start_hydra,  # imported here because it loads Hydra, which other commands do not need
    )

    values, settings = split_overrides(overrides, (*RunSelection.__dataclass_fields__, ADDED_ROWS_KEY))
    if ADDED_ROWS_KEY in values and not values[ADDED_ROWS_KEY]:
        raise SettingsError(f"{ADDED_ROWS_KEY}=: no row is named; type {ADDED_ROWS_KEY}=model=NAME, or leave it out")
    added = str(values.pop(ADDED_ROWS_KEY, ""))
    with_rows(load_table(parsed.table), added)  # a misspelt name is reported before anything starts
    if isinstance(values.get("rows"), str):
        values["rows"] = [values["rows"]]
    selection = from_plain(RunSelection, values)
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


def sweeper_overrides(table: str, selection: RunSelection, added: str = "") -> list[str]:
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
