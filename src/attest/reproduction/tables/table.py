"""A table with its results: a line for each row, which holds a result for each panel."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from attest.reproduction.specs.columns import Column, Panel
from attest.reproduction.specs.metric_names import HARD, subset_of
from attest.reproduction.specs.rows import Figure, Row
from attest.reproduction.specs.table import Spec
from attest.reproduction.tables.finding import Finding
from attest.reproduction.tables.item_errors import PredictionLookup, no_predictions
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.statistics import Summary, finding


@dataclass(frozen=True)
class Line:
    """One row of a table with its results."""

    name: str
    row: Row
    results: tuple[PanelResult, ...]
    """The results, one for each panel; none if the row is only cited."""

    @property
    def cited(self) -> bool:
        return not self.results

    def result_in(self, column: Column) -> PanelResult | None:
        """Return the result of the panel that a column belongs to, or None if the row is only cited."""
        return next((result for result in self.results if result.panel.set == column.set), None)

    def ours(self, column: Column) -> Summary | None:
        """Return our figure in a column, or None if there is none."""
        result = self.result_in(column)
        return None if result is None else result.ours(column)

    def finding(self, name: str, column: Column) -> Finding | None:
        """Return how our figure in the column `name` relates to the paper's, marked if our budget was smaller.

        The best of several runs is compared with our best of as many. None if either figure is missing, the column has
        no margin, or our figure is on derived test pairs.
        """
        ours, paper, result = self.ours(column), self.row.paper.get(name), self.result_in(column)
        if ours is None or paper is None or paper.value is None or column.margin is None:
            return None
        assert result is not None
        if result.derived(column):
            return None
        if paper.of == "best":
            ours = self.best(name, column)
        runs = (paper.runs or result.panel.replicates.n) if paper.of == "mean" else 1
        word = finding(ours, paper.value, column.margin, runs, result.overlap) if ours else "undecided"
        return Finding(word, result.reduced)

    def best(self, name: str, column: Column) -> Summary | None:
        """Return our best figures over as many runs as the paper's figure is the best of; None if there are fewer."""
        result, paper = self.result_in(column), self.row.paper.get(name)
        if result is None or paper is None or paper.of != "best" or self.unfinished_search(column):
            return None
        return result.best_of(column.metric, None if self.row.search else paper.runs)

    def unfinished_search(self, column: Column) -> str:
        """Return how many settings of the row's search have run, as in "1 of 5 settings"; empty if all have, or if the
        row has no search."""
        result, search = self.result_in(column), self.row.search
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
    """A table at one scale: its specification, and a line for each row."""

    spec: Spec
    scale: str
    lines: tuple[Line, ...]
    look_up_predictions: PredictionLookup = no_predictions
    """A function that returns a run's predictions of test items, if they are stored."""

    @property
    def columns(self) -> Mapping[str, Column]:
        """The columns shown at this scale."""
        return self.spec.columns_at(self.scale)

    def titled(self, column: Column) -> str:
        """Return the column's title, with `derived` if any of its figures is on derived test pairs."""
        panels = [result for line in self.lines if (result := line.result_in(column))]
        return f"{column.title}, derived" if any(result.derived(column) for result in panels) else column.title

    @cached_property
    def findings(self) -> Sequence[Finding]:
        """The finding of every figure that has one."""
        findings = [line.finding(name, column) for line in self.lines for name, column in self.columns.items()]
        return [finding for finding in findings if finding is not None]

    @property
    def missing_subset_commands(self) -> list[str]:
        """The commands that find the hard pairs for runs whose figures on them are missing."""
        results = [result for line in self.lines for result in line.results if result.group]
        columns = [(result, column) for result in results for column in result.panel.columns.values()]
        missing = [
            result for result, column in columns if subset_of(column.metric) == HARD and result.ours(column) is None
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

    def printed(self, line: Line, column: str) -> Figure | None:
        """Return the paper's figure of a row in a column; None if there is none, or if the scale does not show it."""
        return line.row.paper.get(column) if self.shows_paper else None
