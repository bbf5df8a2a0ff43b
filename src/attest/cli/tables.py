"""attest plan, collate, describe, choices."""

import argparse
import sys

from attest.cli.local_tables import at_paper_scale
from attest.config.paths import results_of_checkout, tracked_results
from attest.errors import SettingsError
from attest.reproduction.collate import outdated_files, outdated_pictures, tables_in, write_results
from attest.reproduction.pages.hours import render_hours, render_table_hours
from attest.reproduction.specs.choices import format_choices, load_choices
from attest.reproduction.specs.table import table_names
from attest.runs.known_stores import local_folders


def plan(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Print the hours of each row of a table, from the times of tracked and local runs, or those of all tables.

    The tracked runs of the checkout count wherever the home folder is: times do not depend on it.
    """
    folders = [*local_folders(at_paper_scale(overrides))[1], *filter(None, [results_of_checkout()])]
    folders = list(dict.fromkeys(folders))
    if parsed.table is not None:
        print(render_table_hours(*tables_in(folders, [parsed.table], "paper")))
    else:
        print(render_hours(tables_in(folders, table_names(own=False), "paper")), end="")


def collate(parsed: argparse.Namespace, overrides: list[str]) -> int:
    """Rebuild all tables from the tracked records; with --check, return 1 if one of them would change."""
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
        print(describe_table(parsed.table))
    elif overrides:
        print(describe_model(overrides))
    else:
        raise SettingsError("attest describe: nothing to describe. Name a table such as disan/table1, or model=disan")


def choices(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Print the choices that a paper's text leaves open, with the settings for each reading."""
    print(format_choices(load_choices(parsed.paper)))
