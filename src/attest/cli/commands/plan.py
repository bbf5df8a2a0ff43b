"""attest plan: the hours that a table takes, from the times of finished runs."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from textwrap import fill

from attest.cli.line_width import line_width
from attest.cli.local_tables import at_paper_scale
from attest.config.paths import results_of_checkout
from attest.reproduction.load import tables_in
from attest.reproduction.pages.hours import hours, machines_of, time_cells
from attest.reproduction.pages.text_table import TextTable, for_output
from attest.reproduction.plurals import pluralize
from attest.reproduction.specs.table import table_names
from attest.reproduction.tables.hours import RunTime, time_of_rows
from attest.reproduction.tables.table import RowResults
from attest.runs.known_stores import scale_and_results

SCALE = "paper"
"""The scale whose hours the command prints: at scale mini, a table takes minutes."""


def plan(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Print the hours of a table and of each of its rows, or those of all tables, from the times of known runs.

    The tracked runs of the checkout count wherever the home folder is: times do not depend on it.
    """
    folders = [*scale_and_results(at_paper_scale(overrides))[1], *filter(None, [results_of_checkout()])]
    names = table_names(own=False) if parsed.table is None else [parsed.table]
    tables = tables_in(list(dict.fromkeys(folders)), names, SCALE)
    if parsed.table is None:
        title, head, lines = "all tables", "table", {table.spec.name: table.rows for table in tables}
    else:
        title, head = parsed.table, "row"
        lines = {line.name: [line] for table in tables for line in table.rows if not line.is_cited}
    total = time_of_rows(chain.from_iterable(lines.values()), SCALE)
    machines = sorted(set[str]().union(*map(machines_of, tables)))
    print(f"{title} at scale={SCALE}: {describe_time(total)}\n")
    print(for_output(time_table(head, lines, total)))
    bullets = (fill(f"- {note}", line_width(), subsequent_indent="  ") for note in notes(total, machines))
    print("\n" + "\n".join(bullets))


def describe_time(time: RunTime) -> str:
    """Return the hours of runs and their number as text: the answer to how long they take."""
    if not time.timed:
        return f"no time is known yet of its {pluralize(time.runs, 'run')}"
    total = f"about {hours(time.measured + time.predicted)}".replace("about <", "under")
    kind = "measured" if not time.predicted else "partly predicted" if time.measured else "predicted"
    text = f"{total} hours for {pluralize(time.timed, 'run')}, one after another on a processor ({kind})"
    untimed = time.runs - time.timed
    return text + (f"; {untimed:,} more {'is' if untimed == 1 else 'are'} not timed" if untimed else "")


def time_table(head: str, lines: Mapping[str, Sequence[RowResults]], total: RunTime) -> TextTable:
    """Return the table of times by name, with the total, which counts runs that several names share once."""
    times = {**{name: time_of_rows(these, SCALE) for name, these in lines.items()}, "All": total}
    rows = [[name, *(text.replace("<", "under") for text in time_cells(time))] for name, time in times.items()]
    return TextTable([head, "runs", "measured (h)", "predicted (h)", "not timed"], rows)


def notes(total: RunTime, machines: Sequence[str]) -> Iterator[str]:
    """Yield how the hours are to be read."""
    yield "Hours include evaluation. Of several runs of a row, the median counts."
    if total.predicted:
        yield "Predicted: the time of a step in shorter runs, times the steps of the table."
    if total.timed < total.runs:
        yield "Not timed: no run of the row has a record, so that its hours are missing in the total."
    if machines:
        yield f"Machines of the records: {'; '.join(machines)}, mostly with one thread, in bf16."
    yield "Your own finished runs count too."
