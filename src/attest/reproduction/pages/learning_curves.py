"""The section of a table's page on learning curves: the prediction for the largest training set, and the
measured figure."""

from attest.reproduction.pages.markdown_parts import bullets
from attest.reproduction.pages.numbers import format_number, format_summary, table_row
from attest.reproduction.tables.learning_curves import Forecast, forecasts
from attest.reproduction.tables.table import Table

EXPLANATION = (
    "The error, 100 minus accuracy, is fitted by a power law of the number n of training examples, a n^(-b), to the "
    "means of all sizes but the largest. The prediction for the largest size, made without its runs, stands beside the "
    "measured figure.",
    "In brackets stands the 95% prediction interval of this regression.",
)


def render_learning_curves(table: Table) -> list[str]:
    """Return the lines of the section; no lines if no row of the table has a figure at enough sizes."""
    found = forecasts(table)
    if not found:
        return []
    head = ["Model", "Fitted to", "b", "Largest", "Predicted", "Ours"]
    rows = [table_row(forecast_cells(forecast, table)) for forecast in found]
    return [table_row(head), table_row(["---", "---", *["---:"] * 4]), *rows, "", *bullets(EXPLANATION)]


def forecast_cells(forecast: Forecast, table: Table) -> list[str]:
    """Return the cells of one row of the section."""
    largest, column = forecast.largest, forecast.largest.column
    low, high = (format_number(bound, column) for bound in forecast.law.interval(largest.size))
    return [
        forecast.line.row.title,
        f"{len(forecast.fitted)} sizes, {forecast.fitted[0].size:,} to {forecast.fitted[-1].size:,}",
        f"{forecast.law.b:.2f}",
        f"{largest.size:,}",
        f"{format_number(forecast.law.accuracy(largest.size), column)} ({low} to {high})",
        format_summary(largest.accuracy, column, table.scale),
    ]
