"""How one figure is written, and a row of markdown."""

from attest.reproduction.specs.columns import Column
from attest.reproduction.specs.metric_names import is_count
from attest.reproduction.specs.table import Figure
from attest.reproduction.tables.statistics import Summary

MISSING = "–"


def number(value: float, column: Column) -> str:
    return f"{value:,.{column.decimals}f}"


def unit_of(column: Column, scale: str) -> str:
    """Model sizes of a mini run are too small for millions and are printed whole."""
    return "" if column.unit == "m" and scale == "mini" else column.unit


def in_unit(summary: Summary, column: Column, scale: str) -> str:
    """mean +- sd, or what was counted."""
    if unit_of(column, scale) != column.unit:
        return f"{summary.mean:,.0f}"
    text = number(summary.mean * size(column), column)
    if summary.sd is None or is_count(column.metric):
        return text
    return f"{text} ± {number(summary.sd * size(column), column)}"


def size(column: Column) -> float:
    """What a figure is multiplied by to stand in the column's unit."""
    return 1e-6 if column.unit in ("m", "MB") else 1.0


def in_print(figure: Figure | None) -> str:
    """As the paper prints it."""
    if figure is None:
        return ""
    if figure.value is None:
        return str(figure.reason)
    text = f"{figure.value:,.6g}"
    return text if figure.sd is None else f"{text} ± {figure.sd:g}"


def from_to(interval: tuple[float, float], column: Column) -> str:
    """+0.3 to +2.1."""
    low, high = interval
    return f"{signed(low, column)} to {signed(high, column)}"


def signed(difference: float, column: Column) -> str:
    return f"{difference * size(column):+,.{column.decimals}f}"


def join(texts: list[str]) -> str:
    return "| " + " | ".join(text.replace("|", "\\|") for text in texts) + " |"
