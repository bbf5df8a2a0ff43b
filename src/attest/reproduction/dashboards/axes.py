"""The metrics and settings of a table as axes of panels."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from attest.reproduction.specs.columns import Column
from attest.reproduction.specs.metric_names import is_count
from attest.reproduction.tables.cells import Cell
from attest.reproduction.tables.table import Table
from attest.reproduction.tables.varied import short_key, varied_keys
from attest.runs.dashboards import Axis

LOG_RATIO = 10
"""The ratio of the largest to the smallest value of a setting from which its axis is logarithmic."""
NOT_AXES = ("scale", "seed", "protocol.fold", "label.row", "label.table")
"""The settings that are not shown as axes: names of rows, and those in which replicates differ."""


def measured_columns(table: Table) -> dict[str, Column]:
    """Return a column for each metric that runs have, not those that count words, examples or parameters.

    Of several columns with one metric, on other data sets, the first gives its unit, and the metric is the title.
    """
    columns: dict[str, Column] = {}
    for column in table.columns.values():
        known = columns.get(column.metric)
        columns[column.metric] = column if known is None else replace(known, title=column.metric)
    return {metric: column for metric, column in columns.items() if not is_count(metric)}


def metric_axes(table: Table) -> list[Axis]:
    """Return the metrics of a table as axes."""
    return [Axis(title=column.title, key=metric, setting=False) for metric, column in measured_columns(table).items()]


def main_metric(table: Table) -> Axis | None:
    """Return the first metric whose values are compared with the paper's, else the first; None if there is none."""
    margins = [metric for metric, column in measured_columns(table).items() if column.margin is not None]
    return next((axis for axis in metric_axes(table) if axis.key in margins or not margins), None)


def setting_axes(cells: Sequence[Cell]) -> list[Axis]:
    """Return the settings in which cells differ as axes, the directions of a directional model as its mask."""
    keys = varied_keys([cell.shared_settings for cell in cells], NOT_AXES)
    return [
        Axis(title="mask", key="mask", setting=True)
        if key == "model.directions"
        else Axis(title=short_key(key), key=key, setting=True, log=is_wide(numbers(cells, key)))
        for key in keys
        if key == "model.directions" or not any(has_parts(cell.shared_settings.get(key)) for cell in cells)
    ]


def has_parts(value: object) -> bool:
    """Return whether a value is a list or a mapping, which has no place on an axis."""
    return isinstance(value, list | tuple | Mapping)


def numbers(cells: Iterable[Cell], key: str) -> list[float]:
    """Return the values of a setting in the cells where it is a number."""
    values = [cell.shared_settings.get(key) for cell in cells]
    return [float(value) for value in values if isinstance(value, int | float) and not isinstance(value, bool)]


def is_wide(values: Sequence[float]) -> bool:
    """Return whether positive values span so much that only a logarithmic axis tells the small ones apart."""
    return bool(values) and min(values) > 0 and max(values) / min(values) >= LOG_RATIO


def unique(axes: Iterable[Axis]) -> list[Axis]:
    """Return each axis once."""
    return list({axis.key: axis for axis in axes}.values())
