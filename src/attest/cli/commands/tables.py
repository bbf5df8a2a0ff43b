"""attest collate, describe, choices."""

import argparse
import sys

from attest.config.paths import tracked_results
from attest.errors import SettingsError
from attest.reproduction.collate import outdated_files, outdated_pictures, write_results
from attest.reproduction.specs.choices import format_choices, load_choices


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
    from attest.reproduction.pages.terminal.parameters import describe_model, describe_table  # loads torch

    if parsed.table is not None:
        print(describe_table(parsed.table))
    elif overrides:
        print(describe_model(overrides))
    else:
        raise SettingsError("attest describe: nothing to describe. Name a table such as disan/table1, or model=disan")


def choices(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Print the choices that a paper's text leaves open, with the settings for each reading."""
    print(format_choices(load_choices(parsed.paper)))
