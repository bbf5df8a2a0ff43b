"""The facts about a run that its record does not hold: its cell of a table with deviations, or its command."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import reduce
from typing import Any

from attest.config.compose import compose, recompose
from attest.config.flat import flatten
from attest.config.overrides import key_of, override_value
from attest.config.shell_command import shell_command
from attest.errors import SettingsError
from attest.reproduction.commands_to_type import train_command
from attest.reproduction.specs.metric_names import COST, is_count
from attest.reproduction.specs.table import TRAINING_LIMITS, TableSpec, load_table
from attest.reproduction.tables.cells import Cell, repeat_overrides
from attest.reproduction.tables.data_deviations import data_deviations
from attest.reproduction.tables.matching import changed_settings
from attest.reproduction.tables.membership import cells_of, labelled_cell
from attest.reproduction.tables.metrics import metric_value
from attest.reproduction.tables.run_groups import data_and_budget, run_deviations
from attest.runs.identity import default_settings, digest
from attest.runs.records import Record
from attest.runs.run_card import RunContext
from attest.runs.store import MODEL_KINDS

NOT_IN_NAMES = (
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
"""The first parts of keys that names of runs leave out."""


def context_in_table(record: Record, table: str, cell: Cell, transfers: Sequence[Record] = ()) -> RunContext:
    """Return the context of a run of a table's cell; `transfers` are the evaluations on other tasks that count."""
    spec = load_table(table)
    panel = [cell.panel.name] if len(spec.panels(cell.settings.scale)) > 1 else []
    variant = [cell.variant] if cell.variant else []
    changed = [text for text in repeat_overrides(record, cell) if is_named(text)]
    group = " ".join([cell.row, *panel, *variant, *deviation_tags(record, cell)])
    return RunContext(
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
        labels={table: {"table": table, "row": cell.row, "group": group}},
        figures={**table_figures(record, cell, transfers), **printed_figures(spec, cell)},
    )


def deviation_tags(record: Record, cell: Cell) -> list[str]:
    """Return the length of a run and a short hash, as ["steps=28080", "[3f2a]"]; [] for the cell's data and budget.

    Runs with equal tags may be averaged.
    """
    changed, wanted = changed_settings(cell, record), cell.shared_settings
    if not changed and not (cell.settings.scale == "paper" and data_deviations(record.data, wanted)):
        return []
    lengths = {key: record.settings.get(key) for key in TRAINING_LIMITS if key in changed}
    texts = [f"{key.rpartition('.')[2]}={value}" for key, value in lengths.items() if value is not None]
    return [*texts, f"[{digest(data_and_budget(cell, record))[:4]}]"]


def table_figures(record: Record, cell: Cell, transfers: Sequence[Record]) -> dict[str, float]:
    """Return the figures of a run that its table shows, but that are no metrics of its record, by metric."""
    others = [name for name in cell.panel.metrics if name not in record.metrics and not name.startswith(COST)]
    figures = {name: metric_value(record, name, transfers) for name in others}
    return {name: value for name, value in figures.items() if value is not None}


def printed_figures(spec: TableSpec, cell: Cell) -> dict[str, float]:
    """Return the figures that the paper prints for a cell, by `printed_key`; none of counts or at scale mini."""
    row = spec.rows.get(cell.row)  # None for a row that a command added
    printed = row.paper if row is not None and cell.settings.scale == "paper" else {}
    shown = {column.metric: printed[name].value for name, column in cell.panel.columns.items() if name in printed}
    figures = {metric: value for metric, value in shown.items() if value is not None and not is_count(metric)}
    return {printed_key(spec.name, metric): value for metric, value in figures.items()}


def printed_key(table: str, metric: str) -> str:
    """Return the name of a printed figure in the summary of a run: tables that share a run may print other figures."""
    return f"paper/{table}/{metric}"


def context_of_command(record: Record, overrides: Sequence[str], sweep: str | None) -> RunContext:
    """Return the context of a run that a command with these overrides started; `sweep` is the name of its sweep."""
    varied = [text for text in overrides if is_named(text)]
    return RunContext(
        command=shell_command("train", *overrides),
        varied=varied,
        group=sweep,
        deviations=official_deviations(record),
    )


def context_of_record(record: Record, defaults: Mapping[str, Any]) -> RunContext:
    """Return the context of a run of no table, whose command is not known, from the settings that are not default."""
    changed = {key: value for key, value in record.settings.items() if key in defaults and defaults[key] != value}
    return RunContext(
        command=f"attest show {record.id}",
        varied=[f"{key}={override_value(value)}" for key, value in changed.items() if is_named_key(key)],
        deviations=official_deviations(record) if record.kind == "train" else (),
    )


def is_named(override: str) -> bool:
    """Return whether an override is part of the name of a run."""
    return is_named_key(key_of(override))


def is_named_key(key: str) -> bool:
    """Return whether overrides of a dotted key are part of the name of a run."""
    return key == "trainer.precision" or key.partition(".")[0].partition("/")[0] not in NOT_IN_NAMES


def official_deviations(record: Record) -> list[str]:
    """Return the deviations of a run's data from the official data; none at scale=mini, which has data of its own."""
    return [] if record.settings["scale"] == "mini" else data_deviations(record.data, record.settings)


def context_of(record: Record) -> RunContext:
    """Return the context of a record: its cell in the table that it was started for, else in another one, else its
    settings."""
    if (cell := labelled_cell(record)) is not None:
        return context_in_table(record, record.label.table, cell)
    for table, cell in cells_of(record):
        return context_in_table(record, table, cell)
    return context_of_record(record, defaults_of(record))


def context_in_all_tables(record: Record) -> RunContext:
    """Return the context of a record, with the labels and figures of all tables that it belongs to."""
    others = (context_in_table(record, table, cell) for table, cell in cells_of(record))
    return reduce(merge_contexts, others, context_of(record))


def merge_contexts(context: RunContext, other: RunContext) -> RunContext:
    """Return a context with the labels and figures that another context of the same run adds."""
    return replace(context, labels={**other.labels, **context.labels}, figures={**other.figures, **context.figures})


def defaults_of(record: Record) -> Mapping[str, Any]:
    """Return the settings that the command of a record has by default, by dotted key; none if it has no default.

    Arguments of a model that is not the default one have the defaults of its class.
    """
    if record.kind in MODEL_KINDS:
        usual = flatten(compose([f"scale={record.settings['scale']}"]))
        with suppress(SettingsError):  # the class may be in a folder of the user's own that is not named now
            usual = {**default_settings(recompose(record.settings)), **usual}
        return usual
    if record.kind != "transfer":
        return {}
    from attest.transfer.settings import Transfer  # imported here because it loads torch

    return flatten(Transfer())
