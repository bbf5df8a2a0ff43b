"""attest reproduce, show, collate, describe, choices."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from attest.cli.overrides import only
from attest.cli.train import start_hydra
from attest.config.compose import compose_unchecked
from attest.config.paths import tracked_results
from attest.errors import SettingsError
from attest.reproduction.collate import outdated_files, tables_in, write_results, write_table
from attest.reproduction.pages.markdown import render_table
from attest.reproduction.pages.parameters import describe_model, describe_table
from attest.reproduction.pages.terminal import render_runs
from attest.reproduction.specs import choices as open_choices
from attest.reproduction.specs.table import load
from attest.reproduction.tables.build import Table


def reproduce(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """rows= and seeds= are for the sweeper, everything else goes to the runs."""
    load(parsed.table)  # a misspelt name is an error before anything starts
    ours = {key: value.strip("'\"") for key, _, value in map(split, overrides) if key in ("rows", "seeds")}
    theirs = [text for text in overrides if split(text)[0] not in ours]
    sweep = [f"hydra.sweeper.table={parsed.table}"]
    if "rows" in ours:
        sweep.append(f"hydra.sweeper.rows=[{ours['rows'].strip('[]')}]")
    if "seeds" in ours:
        sweep.append(f"hydra.sweeper.seeds='{ours['seeds']}'")
    try:
        start_hydra(["-m", "hydra/sweeper=table", *sweep, *theirs])
    finally:
        places = [text for text in theirs if text.startswith(("scale=", "paths."))]
        table, results = local_table(parsed.table, places)
        write_table(table, results)
    print(render_table(table))


def split(override: str) -> tuple[str, str, str]:
    return override.partition("=")


def local_table(name: str, overrides: Sequence[str]) -> tuple[Table, Path]:
    """The table of this machine's own results, with the tracked ones where they count; and its results folder."""
    scale, folders = local(overrides)
    (table,) = tables_in(folders, [name], scale)
    return table, folders[0]


def local(overrides: Sequence[str]) -> tuple[str, list[Path]]:
    """The scale, and the folders of results that count at it: this machine's own, then the tracked ones."""
    settings = compose_unchecked(overrides)
    results = Path(settings.paths.results)
    return settings.scale, [results] if settings.scale == "mini" else [results, tracked_results()]


def show(parsed: argparse.Namespace, overrides: list[str]) -> None:
    table, _ = local_table(parsed.table, only(overrides, "scale", "paths"))
    if parsed.row is not None:
        table.spec.row(parsed.row)
    print(render_runs(table, parsed.row))


def collate(parsed: argparse.Namespace, overrides: list[str]) -> int:
    only(overrides)
    results = tracked_results()
    if not parsed.check:
        changed = write_results(results)
        print("\n".join(f"wrote {path}" for path in changed) or "all tables are what the records say")
        return 0
    different = outdated_files(results)
    for path in different:
        print(f"attest: {path} is not what the tracked records say; run `attest collate`", file=sys.stderr)
    return 1 if different else 0


def describe(parsed: argparse.Namespace, overrides: list[str]) -> None:
    if parsed.table is not None:
        only(overrides)
        print(describe_table(parsed.table))
    elif overrides:
        print(describe_model(overrides))
    else:
        raise SettingsError("describe what? A table such as disan/table1, or a model: attest describe model=disan")


def choices(parsed: argparse.Namespace, overrides: list[str]) -> None:
    only(overrides)
    print(open_choices.listed(open_choices.load(parsed.paper)))
