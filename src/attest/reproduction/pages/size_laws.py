"""The section of a table's page on accuracy by training size: the prediction for the largest training set beside the
measured figure, and that for the paper's training set."""

from attest.reproduction.pages.markdown_parts import bullets, table_row
from attest.reproduction.pages.numbers import MISSING, format_number, format_summary
from attest.reproduction.specs.columns import Column
from attest.reproduction.tables.size_laws import Forecast, PowerLaw, forecasts
from attest.reproduction.tables.table import Table

EXPLANATION = (
    "The error, 100 minus accuracy, is fitted by a power law of the number n of training examples, a n^(-b), to the "
    'means of the sizes under "Fitted to". The prediction for the largest size, made without its runs, stands beside '
    "the measured figure.",
    "The 95% prediction interval of this regression is in brackets.",
)
SINGLE_RUNS = (
    "{single} of the {points} points are single runs, and count as much as means of several. The interval holds their "
    "scatter around the law, that of seeds included. It takes the points for independent, although sizes of one seed "
    "share their examples."
)
EXTRAPOLATION = (
    "\"With the paper's pairs\" continues the curve of these sizes and the largest to the size of the paper's training "
    "set. It assumes that the law holds beyond our sizes, and says nothing about more steps or word vectors."
)


def render_size_laws(table: Table) -> list[str]:
    """Return the lines of the section; no lines if no row of the table has a figure at enough sizes."""
    found = forecasts(table)
    if not found:
        return []
    head = [table.spec.rows_are, "Fitted to", "b", "Largest", "Predicted", "Ours"]
    extended = any(forecast.paper_size for forecast in found)
    head += ["With the paper's pairs"] * extended
    rows = [table_row(forecast_cells(forecast, table)[: len(head)]) for forecast in found]
    points = [point for forecast in found for point in (*forecast.fitted, forecast.largest)]
    single = sum(point.accuracy.n == 1 for point in points)
    notes = [*EXPLANATION, *[SINGLE_RUNS.format(single=single, points=len(points))] * bool(single)]
    notes += [EXTRAPOLATION] * extended
    return [table_row(head), table_row(["---", "---", *["---:"] * (len(head) - 2)]), *rows, "", *bullets(notes)]


def forecast_cells(forecast: Forecast, table: Table) -> list[str]:
    """Return the cells of one row of the section."""
    largest, column = forecast.largest, forecast.largest.column
    return [
        forecast.row.spec.title,
        f"{len(forecast.fitted)} sizes, {forecast.fitted[0].size:,} to {forecast.fitted[-1].size:,}",
        f"{forecast.law.b:.2f}",
        f"{largest.size:,}",
        format_prediction(forecast.law, largest.size, column),
        format_summary(largest.accuracy, column, table.scale),
        f"{forecast.paper_size:,}: {format_prediction(forecast.whole_law, forecast.paper_size, column)}"
        if forecast.paper_size
        else MISSING,
    ]


def format_prediction(law: PowerLaw, size: int, column: Column) -> str:
    """Return the accuracy that a law gives for a number of training examples, with its interval."""
    low, high = (format_number(bound, column) for bound in law.interval(size))
    return f"{format_number(law.accuracy(size), column)} ({low} to {high})"
