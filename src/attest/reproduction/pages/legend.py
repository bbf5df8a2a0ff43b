"""The legend of a table's page: its signs and words."""

from collections.abc import Iterator, Sequence

from attest.reproduction.commands_to_type import retry_command
from attest.reproduction.pages.numbers import MISSING, with_unit
from attest.reproduction.pages.replicates import differing_run_count, partial_evaluations
from attest.reproduction.pages.table_page_rows import has_printed, is_wide
from attest.reproduction.pages.uncommitted import UNCOMMITTED
from attest.reproduction.specs.metric_names import TRANSFER, is_count
from attest.reproduction.tables.comparisons import comparison_results
from attest.reproduction.tables.finding import REDUCED
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.table import Table

FINDINGS = (
    '"Finding" compares our mean with the figure of the paper.',
    '"within": the 95% interval of our mean lies inside the margin around the paper\'s figure, which the table fixed '
    "before any run.",
    '"above", "below": our mean lies on that side by more than the margin, and the paper\'s figure is outside the 95% '
    "prediction interval of as many runs of ours as it is the mean of: one, unless the paper says otherwise.",
    '"undecided": neither is the case, or there is only one run or all runs are equal, so that there is no interval.',
)
OVERLAP = (
    "Over folds, or splits that the seed draws, intervals are wider than over runs on one split, because the training "
    "sets overlap."
)
BEST = (
    "A figure of the paper that is the best of several runs is compared with our best of as many, and is undecided "
    "until we have two such bests."
)
COMMITS = (
    "The runs of a row come from up to {commits} commits of the code. The versions of model, head, optimizer, data "
    "preparation and protocol are the same in all these commits. `attest show RUN` names the commit of a run."
)
EVALUATED_ALONE = (
    '"done (3 of 5 runs evaluated; 5 trained)": the figures are those of the three runs whose vectors were evaluated. '
    "Five are trained."
)
EVALUATED_TOO = (
    '"done (5 of 5 runs; 3 of 5 evaluated by transfer)": {columns} are figures of the three runs whose vectors were '
    "evaluated, the other columns of all five."
)
FIRST_COLUMN = (
    'In "Columns", "Status" and notes, the first column of a data set stands for all columns of this data set.'
)
TWO_TABLES = "The first table has the figures, the second what came of them, row by row."
NO_PLUS_MINUS = "A figure without it is that of one run, or does not depend on runs."
OTHER_COUNT = '"604 (1 run)": of the runs that "Status" counts, only so many give this figure.'
NO_FIGURE = f'"{MISSING}": we have no figure, because the row has not run there or its runs do not give it.'
EMPTY = "Empty cells: the paper has no such figure, the row is cited and not run here, or nothing can be compared."
EXPERIMENT = (
    '"our experiment for the paper\'s table" has the settings that the paper prints and, where it prints none, those '
    "that we chose."
)


def legend(table: Table, has_deviations: bool, *, of_paper: bool) -> list[str]:
    """Return what the signs and words of the table mean, as far as they occur in it.

    `of_paper` says whether the settings of its rows are those of a paper.
    """
    results = [result for row in table.rows for result in row.results]
    texts = []
    if any(result.group and not all(map(is_count, result.panel.metrics)) for result in results):
        nouns = " or ".join(dict.fromkeys(panel.replicates.noun for panel in table.panels))
        texts.append(f"± is the standard deviation over {nouns}. {NO_PLUS_MINUS}")
    texts += cell_legend(table)
    texts += status_legend(results)
    findings = table.findings if table.shows_paper else []
    if findings:
        texts += [*FINDINGS, margins(table)]
        texts += [BEST] * any(figure.of == "best" for row in table.rows for figure in row.spec.paper.values())
    compared = [comparison.finding for comparison in comparison_results(table) if comparison.finding is not None]
    texts += [OVERLAP] * any(result.overlap for result in results if findings or compared)
    if any(finding.reduced for finding in (*findings, *compared)):
        whose = "the paper's" if of_paper else "the table asks for"
        texts.append(f'"{REDUCED}": our runs had less data, fewer steps or fewer word vectors than {whose}.')
    if any(result.uncommitted_records for result in results):
        texts.append(
            f'"{UNCOMMITTED}": the code of that many runs had uncommitted changes. '
            f"`{retry_command(table)}` trains these runs again."
        )
    groups = [result.group for result in results if result.group]
    commits = max((len({run.environment.get("commit") for run in group.records}) for group in groups), default=0)
    if commits > 1:
        texts.append(COMMITS.format(commits=commits))
    if has_deviations:
        origin = "paper" if of_paper else "table"
        texts.append(f"A number in brackets, such as [1], refers to the deviations from the {origin} below.")
        texts += [EXPERIMENT] * any(panel.paper_budget for panel in table.panels)
    return texts


def cell_legend(table: Table) -> Iterator[str]:
    """Yield what dashes, empty cells and numbers of runs in cells mean, as far as they occur in the table."""
    if is_wide(table):
        yield TWO_TABLES
    ours = [
        (result, column) for row in table.rows for result in row.results for column in result.panel.columns.values()
    ]
    if any(differing_run_count(result, column) for result, column in ours):
        yield OTHER_COUNT
    if any(result.our_value(column) is None for result, column in ours):
        yield NO_FIGURE
    printed = [
        table.printed_value(row, name) for name in table.columns if has_printed(table, name) for row in table.rows
    ]
    if None in printed or any(row.is_cited for row in table.rows):
        yield EMPTY


def status_legend(results: Sequence[PanelResult]) -> Iterator[str]:
    """Yield what the texts of the column "Status" mean, as far as they occur in it."""
    shown = [result for result in results if result.group]
    partly_evaluated = [result for result in shown if partial_evaluations(result) is not None]
    if any(" of " in result.replicates_text for result in shown if result not in partly_evaluated):
        yield '"done (3 of 5 runs)": the figures are those of 3 of the 5 runs that the table asks for.'
    if any(result.shows_transfer_alone for result in partly_evaluated):
        yield EVALUATED_ALONE
    mixed = [result.panel for result in partly_evaluated if not result.shows_transfer_alone]
    columns = [column for panel in mixed for column in panel.columns.values() if column.metric.startswith(TRANSFER)]
    if columns:
        yield EVALUATED_TOO.format(columns=" and ".join(dict.fromkeys(column.title for column in columns)))
    panels = {result.panel.name: result.panel for result in results}.values()
    if len(panels) > 1 and any(len(panel.columns) > 1 and "," in panel.title for panel in panels):
        yield FIRST_COLUMN


def margins(table: Table) -> str:
    """Return the margins of the columns as a sentence: "Margins: Pearson's r ± 0.005; Test (%) ± 0.5."."""
    texts = [
        f"{with_unit(table.column_title(column), column.unit)} ± {column.margin:g}"
        for column in table.columns.values()
        if column.margin is not None
    ]
    return f"Margins: {'; '.join(texts)}."
