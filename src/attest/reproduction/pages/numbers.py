"""Figures as text."""

import re

from attest.reproduction.plurals import pluralize
from attest.reproduction.specs.columns import Column
from attest.reproduction.specs.metric_names import is_count
from attest.reproduction.specs.rows import PrintedValue
from attest.reproduction.tables.statistics import Summary

MISSING = "–"
"""The sign for a figure that we do not have."""


def with_unit(title: str, unit: str) -> str:
    """Return a title with its unit in brackets, or the title alone if there is no unit."""
    return f"{title} ({unit})" if unit else title


def format_number(value: float, column: Column) -> str:
    """Return a number with the decimals of its column and commas between thousands."""
    return f"{value:,.{column.decimals}f}"


def displayed_unit(column: Column, scale: str) -> str:
    """Return the unit that a column shows; none for millions at scale mini, whose models are small and counted in
    full."""
    return "" if column.unit == "m" and scale == "mini" else column.unit


def format_summary(summary: Summary, column: Column, scale: str) -> str:
    """Return our figure in the column's unit: mean ± standard deviation, or the mean alone for counts and single
    runs."""
    if displayed_unit(column, scale) != column.unit:
        return f"{summary.mean:,.0f}"
    text = format_number(summary.mean * unit_factor(column), column)
    if summary.sd is None or is_count(column.metric):
        return text
    return f"{text} ± {format_number(summary.sd * unit_factor(column), column)}"


def keep_on_one_line(figure: str) -> str:
    """Return a figure whose mean and standard deviation stay on one line of a page."""
    return figure.replace(" ± ", "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}")


def with_minus_signs(text: str) -> str:
    """Return differences as a page shows them: with minus signs in place of hyphens before digits."""
    return re.sub(r"-(?=\d)", "\N{MINUS SIGN}", text)


def unit_factor(column: Column) -> float:
    """Return the factor that turns a figure into the column's unit."""
    return 1e-6 if column.unit in ("m", "MB") else 1.0


def format_printed(figure: PrintedValue | None) -> str:
    """Return the paper's figure as it prints it, the reason if it is missing, or an empty text if there is none."""
    if figure is None:
        return ""
    if figure.value is None:
        return str(figure.reason)
    text = format_printed_value(figure)
    return text if figure.sd is None else f"{text} ± {format_as_printed(figure.sd, figure)}"


def format_printed_value(figure: PrintedValue) -> str:
    """Return the value of a paper's figure, which is not missing, as the paper prints it."""
    assert figure.value is not None, "a missing figure has a reason instead"
    return format_as_printed(figure.value, figure)


def format_as_printed(value: float, figure: PrintedValue) -> str:
    """Return a number with the decimals of a paper's figure and commas between thousands.

    If the figure does not state its decimals, they are those that its value and its standard deviation need.
    """
    decimals = figure.decimals
    if decimals is None:
        decimals = max(len(f"{n or 0:.10f}".rstrip("0").partition(".")[2]) for n in (figure.value, figure.sd))
    return f"{value:,.{decimals}f}"


def format_interval(interval: tuple[float, float], column: Column) -> str:
    """Return an interval in the column's unit: +0.3 to +2.1."""
    low, high = interval
    return f"{format_difference(low, column)} to {format_difference(high, column)}"


def format_difference(difference: float, column: Column) -> str:
    """Return a difference with its sign, in the column's unit."""
    return f"{difference * unit_factor(column):+,.{column.decimals}f}"


def format_mean_difference(differences: Summary, interval: tuple[float, float] | None, column: Column) -> str:
    """Return a mean difference, its interval and the number of pairs: +1.2 (+0.3 to +2.1), 5 pairs."""
    text = format_difference(differences.mean, column) + (f" ({format_interval(interval, column)})" if interval else "")
    return f"{text}, {pluralize(differences.n, 'pair')}"


def format_p(p: float) -> str:
    """Return a p-value with three decimals, or that it is below 0.001."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
