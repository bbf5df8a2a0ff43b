"""The bullets of a table's page on groups of runs that belong to a row but are not shown in it."""

from collections.abc import Iterator
from dataclasses import replace

from attest.reproduction.pages.markdown_parts import escape_markdown
from attest.reproduction.pages.numbers import displayed_unit, format_summary
from attest.reproduction.pages.replicates import partial_evaluations
from attest.reproduction.pages.uncommitted import count_uncommitted
from attest.reproduction.plurals import pluralize
from attest.reproduction.specs.columns import Column
from attest.reproduction.specs.metric_names import is_count
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.run_groups import RunGroup
from attest.reproduction.tables.table import RowResults, Table


def list_other_runs(table: Table) -> Iterator[str]:
    """Yield a bullet for each group of runs that is not shown: its row, replicates and figures, and what differs.

    Left out are panels that only count the data, since any run gives the same counts, groups without a figure, and
    groups that another row of the table shows.
    """
    shown = {record.id for row in table.rows for result in row.results for record in result.records}
    for row in table.rows:
        for result in row.results:
            if all(map(is_count, result.panel.metrics)):
                continue
            for variant, group in result.other_groups:
                has_figures = any(group_figures(table, replace(result, group=group)))
                if not has_figures or shown.issuperset(record.id for record in group.records):
                    continue
                names = [result_title(row, result), *filter(None, [variant])]
                yield f"- {', '.join(names)}: {describe_group(table, result, group)}"


def describe_group(table: Table, result: PanelResult, group: RunGroup) -> str:
    """Return a text on a group that is not shown: replicates, figures, and deviations that the group shown lacks."""
    of_group, noun = replace(result, group=group), result.panel.replicates.noun
    count, evaluated = pluralize(len(group.records), noun.removesuffix("s")), partial_evaluations(of_group)
    if evaluated is not None and result.shows_transfer_alone:
        count = f"{evaluated} of {count} evaluated"
    elif evaluated:
        count = f"{count}, {evaluated} of them evaluated by transfer"
    parts = [count, *group_figures(table, of_group)]
    parts += filter(None, [count_uncommitted(group)])
    shown = result.group.deviations if result.group else ()
    own = [escape_markdown(text) for text in group.deviations if text not in shown]
    if own:
        return f"{', '.join(parts)}; {'; '.join(own)}"
    fewer = len(group.deviations) < len(shown)
    return f"{', '.join(parts)}" + ("; fewer deviations than the runs shown" if fewer else "")


def group_figures(table: Table, result: PanelResult) -> Iterator[str]:
    """Yield the title and the figure of each column with a margin, or else of all that are no counts: Test 77.80 %."""
    measured = [column for column in result.panel.columns.values() if not is_count(column.metric)]
    figures = [(column, ours) for column in measured if (ours := result.our_value(column)) is not None]
    for column, ours in [figure for figure in figures if figure[0].margin is not None] or figures:
        yield figure_text(table, column, format_summary(ours, column, table.scale))


def figure_text(table: Table, column: Column, figure: str) -> str:
    """Return a figure behind the title of its column, with its unit."""
    return f"{table.column_title(column)} {figure} {displayed_unit(column, table.scale)}".rstrip()


def result_title(row: RowResults, result: PanelResult) -> str:
    """Return the title of the row, followed by that of the panel if the row has several."""
    return row.spec.title if len(row.results) == 1 else f"{row.spec.title}, {result.panel.title}"
