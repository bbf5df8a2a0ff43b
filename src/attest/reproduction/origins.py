"""Origins of runs for their cards: the cell of a table with its deviations, or the overrides of a command."""

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from attest.config.overrides import format_value, key_of
from attest.reproduction.pages.terminal import train_command
from attest.reproduction.specs.table import load
from attest.reproduction.tables.cells import Cell, repeat_overrides
from attest.reproduction.tables.matching import data_deviations, run_deviations
from attest.runs.records import Record
from attest.runs.run_card import Origin

UNNAMED = (
    "hydra",
    "label",
    "logger",
    "packages",
    "paths",
    "retry_failed",
    "retry_uncommitted",
    "scale",
    "seed",
    "trainer",
)
"""The roots of overrides that tell no run from another, or that its card shows elsewhere."""


def origin_in_table(record: Record, table: str, cell: Cell) -> Origin:
    """Return the origin of a run of a table's cell."""
    panels = load(table).panels(cell.settings.scale)
    panel = [cell.panel.name] if len(panels) > 1 else []
    variant = [cell.variant] if cell.variant else []
    changed = [text for text in repeat_overrides(record, cell) if is_named(text)]
    return Origin(
        command=train_command(record, cell),
        varied=[*panel, *variant, *changed],
        group=table,
        cell={
            "paper": table.partition("/")[0],
            "table": table,
            "row": cell.row,
            "columns": list(cell.panel.columns),
            "id": cell.id,
        },
        deviations=run_deviations(record, cell),
    )


def origin_of_command(record: Record, overrides: Sequence[str], sweep: str | None) -> Origin:
    """Return the origin of a run that a command with these overrides started; `sweep` is the name of its sweep."""
    varied = [text for text in overrides if is_named(text)]
    return Origin(
        command=shlex.join(["attest", "train", *overrides]),
        varied=varied,
        group=sweep,
        deviations=official_deviations(record),
    )


def origin_of_record(record: Record, defaults: Mapping[str, Any]) -> Origin:
    """Return the origin of a run of no table, whose command is not known, from the settings that are not default."""
    changed = {key: value for key, value in record.settings.items() if key in defaults and defaults[key] != value}
    return Origin(
        command=f"attest show {record.id}",
        varied=[f"{key}={format_value(value)}" for key, value in changed.items() if is_named_key(key)],
        deviations=official_deviations(record) if record.kind == "train" else (),
    )


def is_named(override: str) -> bool:
    """Return whether an override is part of the name of a run."""
    return is_named_key(key_of(override))


def is_named_key(key: str) -> bool:
    """Return whether overrides of a dotted key are part of the name of a run."""
    return key == "trainer.precision" or key.partition(".")[0].partition("/")[0] not in UNNAMED


def official_deviations(record: Record) -> list[str]:
    """Return the deviations of a run's data from the official data; none at scale=mini, which has data of its own."""
    return [] if record.settings["scale"] == "mini" else data_deviations(record.data, record.settings)
