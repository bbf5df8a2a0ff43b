"""The tables that commands build from the records of this machine."""

from collections.abc import Sequence
from pathlib import Path

from attest.config.overrides import root_of
from attest.config.paths import tracked_results
from attest.reproduction.load import tables_in
from attest.reproduction.tables.table import Table
from attest.runs.known_stores import scale_and_results


def local_table(name: str, overrides: Sequence[str], added: str = "") -> tuple[Table, Path]:
    """Return a table built from this machine's records, and the results folder that it is written to.

    `added` names rows that are added to it. At scale=paper the tracked records count too.
    """
    scale, folders = scale_and_results(overrides)
    (table,) = tables_in(folders, [name], scale, tracked_results(), added)
    return table, folders[0]


def at_paper_scale(overrides: Sequence[str]) -> list[str]:
    """Return the overrides with scale=paper in front, unless they name a scale: for commands that only read."""
    return [*overrides] if any(root_of(text) == "scale" for text in overrides) else ["scale=paper", *overrides]
