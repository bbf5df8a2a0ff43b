"""A table with the results of each row in each panel."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from attest.reproduction.specs.columns import Column, Panel
from attest.reproduction.specs.metric_names import HARD, subset_of
from attest.reproduction.specs.rows import PrintedValue, Row
from attest.reproduction.specs.table import TableSpec
from attest.reproduction.tables.finding import Finding
from attest.reproduction.tables.item_errors import PredictionLookup, no_predictions
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.statistics import Summary, finding


@dataclass(frozen=True)
class RowResults:
    """One row of a table with its results."""

    name: str
    spec: Row
    results: tuple[PanelResult, ...]
    """The results, one for each panel; none if the row is only cited."""

    @property
    def is_cited(self) -> bool:
        return not self.results

    def result_in(self, column: Column) -> PanelResult | None:
        """Return the result of the panel that a column belongs to, or None if the row is only cited."""
        return next((result for result in self.results if result.panel.set == column.set), None)

    def our_value(self, column: Column) -> Summary | None:
        """Return our figure in a column, or None if there is none."""
        result = self.result_in(column)
        return None if result is None else result.our_value(column)

    def finding(self, name: str, column: Column) -> Finding | None:
        """Return how our figure in the column `name` relates to the paper's, marked if our budget was smaller.

        The best of several runs is compared with our best of as many. None if either figure is missing, the column has
        no margin, or our figure is on derived test pairs.
        """
        ours, paper, result = self.our_value(column), self.spec.paper.get(name), self.result_in(column)
        if ours is None or paper is None or paper.value is None or column.margin is None:
            return None
        assert result is not None
        if result.is_derived(column):
            return None
        if paper.of == "best":
            ours = self.best(name, column)
        runs = (paper.runs or result.panel.replicates.n) if paper.of == "mean" else 1
        word = finding(ours, paper.value, column.margin, runs, result.overlap) if ours else "undecided"
        return Finding(word, result.reduced)

    def best(self, name: str, column: Column) -> Summary | None:
        """Return our best figures over as many runs as the paper's figure is the best of; None if there are fewer."""
        result, paper = self.result_in(column), self.spec.paper.get(name)
        if result is None or paper is None or paper.of != "best" or self.unfinished_search(column):
            return None
        return result.best_of(column.metric, None if self.spec.search else paper.runs)

    def unfinished_search(self, column: Column) -> str:
        """Return how many settings of the row's search have run, as in "1 of 5 settings"; empty if all have, or if the
        row has no search."""
        result, search = self.result_in(column), self.spec.search
        if result is None or result.selection is None or search is None:
            return ""
        run, settings = len(result.selection.comparable), len(search.overrides(result.cell.settings.scale))
        if run < settings:
            return f"{run} of {settings} settings"
        return "" if result.selection.replicates else f"no {result.panel.replicates.axis} that all settings have"

    def per_panel_text(self, text_of: Callable[[PanelResult], str]) -> str:
        """Return the texts of all panels as one: the text that all share, or each text after the title of its panel."""
        texts = [text_of(result) for result in self.results]
        if len(set(texts)) <= 1:
            return "".join(texts[:1])
        titles = [result.panel.title for result in self.results]
        return "; ".join(f"{title}: {text}" for title, text in zip(titles, texts, strict=True) if text)


@dataclass(frozen=True, eq=False)
class Table:
    """A table at one scale: its specification, and the results of each row."""

    spec: TableSpec
    scale: str
    rows: tuple[RowResults, ...]
    look_up_predictions: PredictionLookup = no_predictions
    """A function that returns a run's predictions of test items, if they are stored."""

    @property
    def columns(self) -> Mapping[str, Column]:
        """The columns shown at this scale."""
        return self.spec.columns_at(self.scale)

    def column_title(self, column: Column) -> str:
        """Return the column's title, with `is_derived` if any of its figures is on derived test pairs."""
        panels = [result for row in self.rows if (result := row.result_in(column))]
        return f"{column.title}, derived" if any(result.is_derived(column) for result in panels) else column.title

    @cached_property
    def findings(self) -> Sequence[Finding]:
        """The finding of every figure that has one."""
        findings = [row.finding(name, column) for row in self.rows for name, column in self.columns.items()]
        return [finding for finding in findings if finding is not None]

    @property
    def missing_subset_commands(self) -> list[str]:
        """The commands that find the hard pairs for runs whose figures on them are missing."""
        results = [result for row in self.rows for result in row.results if result.group]
        columns = [(result, column) for result in results for column in result.panel.columns.values()]
        missing = [
            result
            for result, column in columns
            if subset_of(column.metric) == HARD and result.our_value(column) is None
        ]
        names = dict.fromkeys(result.cell.settings.dataset.name for result in missing)
        return [f"attest hard {name} scale={self.scale}" for name in names]

    @property
    def panels(self) -> list[Panel]:
        """The panels of the columns shown."""
        return self.spec.panels(self.scale)

    @property
    def shows_paper(self) -> bool:
        """True if the paper's figures are shown: built-in corpora say nothing about a paper, so not at scale mini."""
        return self.scale == "paper" and any(row.paper for row in self.spec.rows.values())

    def printed_value(self, row: RowResults, column: str) -> PrintedValue | None:
        """Return the paper's figure of a row in a column; None if there is none, or if the scale does not show it."""
        return row.spec.paper.get(column) if self.shows_paper else None
