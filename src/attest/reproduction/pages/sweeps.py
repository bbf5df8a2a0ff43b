"""The table of a sweep as text: a row for each combination of its axes."""

from collections.abc import Iterator

from attest.errors import escape_unprintable
from attest.reproduction.pages.built_in_corpora import reads_built_in_corpus
from attest.reproduction.pages.csv_latex import render_tabular
from attest.reproduction.pages.markdown_parts import bullets, code_span, escape_cell, escape_markdown, section
from attest.reproduction.pages.mini_note import mini_note
from attest.reproduction.pages.numbers import MISSING, format_mean_difference, format_number, format_summary, with_unit
from attest.reproduction.pages.text_table import TextTable, for_output, render_csv, render_markdown
from attest.reproduction.specs.columns import Column
from attest.reproduction.tables.measures import measure_column
from attest.reproduction.tables.statistics import Summary
from attest.reproduction.tables.sweeps import FOLD, SweepRow, SweepTable

PARAMETERS = Column(title="Parameters", metric="parameters", decimals=0)
SECONDS = Column(title="Seconds", metric="cost/wall_seconds", unit="s", decimals=1)


def text_table(table: SweepTable) -> TextTable:
    """Return the cells of the table: the axes, then the figures of each combination."""
    columns = [measure_column(split, table.measure) for split in ("dev", "test")]
    head = [
        *table.axes,
        "n",
        *(with_unit(column.title, column.unit) for column in columns),
        "Best",
        PARAMETERS.title,
        SECONDS.title,
        "Difference",
        *(["Failed"] if any(row.failures for row in table.rows) else []),
    ]
    return TextTable(head, [sweep_cells(table, row)[: len(head)] for row in table.rows], len(table.axes))


def sweep_cells(table: SweepTable, row: SweepRow) -> list[str]:
    """Return the cells of one row, in the order of the head, with the number of failed runs as the last."""
    columns = {split: measure_column(split, row.measure) for split in ("dev", "test")}
    best = row.best.metrics.get(columns["test"].metric) if row.best else None
    differences = table.differences(row)
    return [
        *row.values,
        str(len(row.runs)),
        *(format_figure(row, column) for column in columns.values()),
        MISSING if best is None else format_number(best, columns["test"]),
        format_figure(row, PARAMETERS),
        MISSING if (seconds := row.summary(SECONDS.metric)) is None else format_number(seconds.mean, SECONDS),
        MISSING if differences is None else format_mean_difference(differences, table.interval(row), columns["test"]),
        str(len(row.failures)),
    ]


def format_figure(row: SweepRow, column: Column) -> str:
    """Return the figure of a row in a column, or a dash if it has none."""
    summary: Summary | None = row.summary(column.metric)
    return MISSING if summary is None else format_summary(summary, column, "paper")


def notes(table: SweepTable) -> Iterator[str]:
    """Yield what the columns mean, as far as they occur in the table, and the best run."""
    single = table.replicates.rpartition(".")[2]
    if any(len(row.runs) > 1 for row in table.rows):
        yield f"± is the standard deviation over {' or '.join(replicate_nouns(table))}."
    yield '"Best" is the test figure of the run that is best on dev. "Seconds" is the mean elapsed time of a run.'
    if any(table.differences(row) for row in table.rows):
        yield (
            f'"Difference" is the mean, over pairs with the same {single}, of the test figure minus that of the first '
            "row."
        )
    if any(table.interval(row) for row in table.rows):
        yield "Its 95% confidence interval, which is not corrected for the number of rows, is in brackets."
    if table.best is not None:
        row = next(row for row in table.rows if table.best in row.runs.values())
        replicate = next(name for name, record in row.runs.items() if record is table.best)
        yield f"Best on dev: {table.description(row, replicate)}, run {table.best.id}."
    for row, first in table.repeated_rows:
        yield (
            f"The runs of {table.description(row)} are those of {table.description(first)}: what tells these rows "
            "apart changes no figure of a run."
        )


def replicate_nouns(table: SweepTable) -> list[str]:
    """Return what the replicates are: seeds, folds or, if only some runs have folds, both."""
    folds = [record.settings.get(FOLD) is not None for record in table.records]
    return ["seeds"] if table.replicates != FOLD else ["folds"] if all(folds) else ["folds", "seeds"]


def failures(table: SweepTable) -> Iterator[str]:
    """Yield each failed run with its error."""
    for row in table.rows:
        for replicate, reason in row.failures.items():
            yield f"{table.description(row, replicate)}: {escape_unprintable(reason)}"


def title_of(table: SweepTable) -> str:
    """Return the title of the table: its axes, or its replicates if it has no axes, and its scale."""
    scales = list(dict.fromkeys(str(record.settings["scale"]) for record in table.records))
    scale = f" at scale {scales[0]}" if len(scales) == 1 else ""
    kind = "Runs by" if table.is_comparison else "Sweep over"
    return f"{kind} {', '.join(table.axes or replicate_nouns(table))}{scale}"


def render_output(table: SweepTable) -> str:
    """Return the table as standard output shows it, with its title and how to read it."""
    return "\n".join(["", title_of(table), "", for_output(text_table(table)), "", *bullets(notes(table))])


def render_page(table: SweepTable, command: str, chart: str = "") -> str:
    """Return the page of a sweep in markdown: the table, its chart, how to read it, and the failed runs."""
    title, texts = escape_markdown(title_of(table)), text_table(table)
    lines = [f"# {title}", "", code_span(command), ""]
    if table.scale == "mini":
        built_in = [reads_built_in_corpus(record) for record in table.records]
        lines += [mini_note(built_in, of_paper=any(built_in)), ""]
    lines.append(render_markdown(texts, escape_cell))
    lines += ["", f"![{title}]({chart})"] if chart else []
    lines += section("How to read this table", bullets(map(escape_markdown, notes(table))))
    lines += section("Failed runs", bullets(map(escape_markdown, failures(table))))
    return "\n".join([*lines, ""])


def render_files(table: SweepTable, command: str, chart: str = "") -> dict[str, str]:
    """Return the content of the table's files by their suffixes: markdown, CSV and LaTeX.

    `command` is what makes the table, and `chart` the name of the picture beside it, if there is one.
    """
    texts = text_table(table)
    latex = render_tabular(texts, title_of(table), failures(table))
    return {"md": render_page(table, command, chart), "csv": render_csv(texts), "tex": latex}
