"""The content of a table as a pure function of its specification and the records there are."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from attest.reproduction.specs.columns import Column, Panel
from attest.reproduction.specs.metric_names import DATA, HARD, MEMORY, SIZE, TRANSFER, lower_is_better, subset_of
from attest.reproduction.specs.table import Figure, Row, Spec
from attest.reproduction.tables import encoder_memory, subsets
from attest.reproduction.tables.best_of_runs import bests_of_runs, bests_of_settings
from attest.reproduction.tables.budget import marked
from attest.reproduction.tables.cells import Cell, cells
from attest.reproduction.tables.compose_cache import cached_size
from attest.reproduction.tables.data_deviations import vectors_deviation
from attest.reproduction.tables.item_errors import PredictionLookup, no_predictions
from attest.reproduction.tables.matching import (
    Group,
    RecordIndex,
    best_variant,
    groups,
    matching_records,
)
from attest.reproduction.tables.metrics import (
    has_less_transfer_data,
    metric_value,
    overlap_of_drawn_splits,
    standard_transfers,
    transfer_behind,
    transfer_deviations,
)
from attest.reproduction.tables.statistics import Summary, finding
from attest.runs.records import Record

Status = Literal["done", "failed", "not run", "data unavailable"]


@dataclass(frozen=True)
class PanelResult:
    """The result of one row in the columns of one panel: the runs shown, and everything else that was run for it."""

    panel: Panel
    status: Status
    replicates: str
    """The number of replicates that have run, as in '3 of 5 runs'; empty if none has."""
    cell: Cell
    """The experiment shown; of a search, the setting selected on dev."""
    group: Group | None
    """The runs shown; None if there are none."""
    other_groups: tuple[tuple[str, Group], ...]
    """The variant and the runs of groups that are only listed: fewer replicates, other data, another budget, or other
    settings of a search."""
    failures: tuple[Record, ...]
    """The records of failed runs."""
    comparable: tuple[Group, ...] = ()
    """The groups of all settings of a search that are comparable with the group shown, including it."""
    selected_from: int = 1
    """The number of these settings with as many replicates as the setting shown, among which dev has selected."""
    transfers: tuple[Record, ...] = ()
    """The records of transfer evaluations of the runs shown, the newest first."""
    genre: str | None = None
    """The genre whose examples are counted; None for all genres."""
    benchmark: Record | None = None
    """The newest benchmark of the memory of encoders, if there is one."""

    @property
    def deviations(self) -> tuple[str, ...]:
        """The deviations of the runs shown, and of their transfer evaluations, from the paper, each once."""
        own = self.group.deviations if self.group else ()
        transfers = {transfer.id: transfer for _, transfer in self.runs_with_transfers}.values()
        return tuple(dict.fromkeys([*own, *(text for transfer in transfers for text in transfer_deviations(transfer))]))

    @property
    def reduced(self) -> bool:
        """Whether the runs shown, or their transfer evaluations, had less data or training than the paper's."""
        return bool(self.group and self.group.reduced) or any(
            has_less_transfer_data(transfer) for _, transfer in self.runs_with_transfers
        )

    @property
    def overlap(self) -> float:
        """The ratio of test set to training set if replicates are folds or random splits, which share data; else 0."""
        if self.panel.replicates.axis == "fold":
            return 1 / (self.panel.replicates.n - 1)
        return overlap_of_drawn_splits(self.group.records[0]) if self.group else 0.0

    @property
    def runs_with_transfers(self) -> list[tuple[Record, Record]]:
        """Each run shown with each transfer record that a column takes a figure of it from."""
        records = self.group.records if self.group else ()
        metrics = [name for name in self.panel.metrics if name.startswith(TRANSFER)]
        pairs = [(run, transfer_behind(run, name, self.transfers)) for run in records for name in metrics]
        return [(run, transfer) for run, transfer in pairs if transfer is not None]

    @property
    def groups(self) -> tuple[Group, ...]:
        """The group shown, followed by those that are only listed."""
        return (*([self.group] if self.group else []), *(group for _, group in self.other_groups))

    @property
    def uncommitted(self) -> tuple[Record, ...]:
        """The records, also of groups that are only listed, of runs whose code had uncommitted changes."""
        return tuple(record for group in self.groups for record in group.records if record.uncommitted)

    @property
    def ids(self) -> list[str]:
        """The ids of the records of all groups, and of the subsets behind their figures."""
        records = [record for group in self.groups for record in group.records]
        return [*(record.id for record in records), *subsets.subsets_behind(records, self.panel.metrics)]

    def derived(self, column: Column) -> bool:
        """Return whether the figures of a column are on a derived subset of the test set instead of the published
        one."""
        return bool(self.group and subsets.subset_deviations(self.group.records, [column.metric]))

    def ours(self, column: Column) -> Summary | None:
        """Return our figure in a column over replicates, or None if there is none."""
        return self.figures[column.metric]

    @cached_property
    def figures(self) -> dict[str, Summary | None]:
        """Our figure for each metric of the panel, computed once: a table is written in several formats."""
        return {name: self.figure(name) for name in self.panel.metrics}

    def figure(self, name: str) -> Summary | None:
        """Return our figure for one metric, or None if there is none.

        Sizes are counted without a run and memory comes from a benchmark; everything else comes from the runs shown.
        """
        if name.startswith(SIZE):
            return Summary((float(cached_size(self.cell.settings, name)),))
        if name.startswith(MEMORY):
            memory = encoder_memory.training_memory(self.benchmark, str(self.cell.settings.model["_target_"]), name)
            return None if memory is None else Summary((memory,))
        metric = f"{name}/{self.genre}" if self.genre and name.startswith(DATA) else name
        values = self.figures_of(self.group, metric) if self.group else {}
        return Summary(tuple(values.values())) if values else None

    def best_of(self, metric: str, runs: int | None) -> Summary | None:
        """Return our best figures, each the best of `runs` runs; None if there are fewer runs.

        If `runs` is None, each is the best over the settings of the search, for one replicate.
        """
        lower = lower_is_better(metric)
        if runs is not None:
            ours = self.figures[metric]
            bests = bests_of_runs(ours.values if ours else (), runs, lower)
        else:
            bests = bests_of_settings([self.figures_of(group, metric) for group in self.comparable], lower)
        return Summary(bests) if bests else None

    def figures_of(self, group: Group, metric: str) -> dict[int, float]:
        """Return the figure of each replicate of a group by its number, for the runs that have the figure."""
        number = self.panel.replicates.number
        figures = {number(run.settings): metric_value(run, metric, self.transfers) for run in group.records}
        return {replicate: value for replicate, value in figures.items() if value is not None}


@dataclass(frozen=True)
class Line:
    """One row of a table with its results."""

    name: str
    row: Row
    panels: tuple[PanelResult, ...]
    """The results, one for each panel; none if the row is only cited."""

    @property
    def cited(self) -> bool:
        return not self.panels

    def panel_result(self, column: Column) -> PanelResult | None:
        """Return the result of the panel that a column belongs to, or None if the row is only cited."""
        return next((result for result in self.panels if result.panel.set == column.set), None)

    def ours(self, column: Column) -> Summary | None:
        """Return our figure in a column, or None if there is none."""
        result = self.panel_result(column)
        return None if result is None else result.ours(column)

    def finding(self, name: str, column: Column) -> str | None:
        """Return how our figure in the column `name` relates to the paper's, marked if our budget was smaller.

        The best of several runs is compared with our best of as many. None if either figure is missing, the column has
        no margin, or our figure is on derived test pairs.
        """
        ours, paper, result = self.ours(column), self.row.paper.get(name), self.panel_result(column)
        if ours is None or paper is None or paper.value is None or column.margin is None:
            return None
        assert result is not None
        if result.derived(column):
            return None
        if paper.of == "best":
            ours = self.best(name, column)
        runs = result.panel.replicates.n if paper.of == "mean" else 1
        word = finding(ours, paper.value, column.margin, runs, result.overlap) if ours else "undecided"
        return marked(word, result.reduced)

    def best(self, name: str, column: Column) -> Summary | None:
        """Return our best figures over as many runs as the paper's figure is the best of; None if there are fewer."""
        result, paper = self.panel_result(column), self.row.paper.get(name)
        if result is None or paper is None or paper.of != "best":
            return None
        if self.row.search and len(result.comparable) < len(self.row.search.values):
            return None
        return result.best_of(column.metric, None if self.row.search else paper.runs)

    def per_panel_text(self, text_of: Callable[[PanelResult], str]) -> str:
        """Return the texts of all panels as one: the text that all share, or each text after the title of its panel."""
        texts = [text_of(result) for result in self.panels]
        if len(set(texts)) <= 1:
            return "".join(texts[:1])
        titles = [result.panel.title for result in self.panels]
        return "; ".join(f"{title}: {text}" for title, text in zip(titles, texts, strict=True) if text)


@dataclass(frozen=True, eq=False)
class Table:
    """A table at one scale: its specification, and a line for each row."""

    spec: Spec
    scale: str
    lines: tuple[Line, ...]
    predictions_behind: PredictionLookup = no_predictions
    """A function that returns a run's predictions of test items, if they are stored."""

    @property
    def columns(self) -> Mapping[str, Column]:
        """The columns shown at this scale."""
        return self.spec.columns_at(self.scale)

    def titled(self, column: Column) -> str:
        """Return the column's title, with `derived` if any of its figures is on derived test pairs."""
        panels = [result for line in self.lines if (result := line.panel_result(column))]
        return f"{column.title}, derived" if any(result.derived(column) for result in panels) else column.title

    @property
    def missing_subset_commands(self) -> list[str]:
        """The commands that find the hard pairs for runs whose figures on them are missing."""
        results = [result for line in self.lines for result in line.panels if result.group]
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
        """Whether the paper's figures are shown: built-in corpora say nothing about a paper, so not at scale mini."""
        return self.scale == "paper" and any(row.paper for row in self.spec.rows.values())

    def printed(self, line: Line, column: str) -> Figure | None:
        """Return the paper's figure of a row in a column; None if there is none, or if the scale does not show it."""
        return line.row.paper.get(column) if self.shows_paper else None


def build(
    spec: Spec,
    scale: str,
    records: Iterable[Record] | RecordIndex,
    predictions_behind: PredictionLookup = no_predictions,
    published: Collection[str] = (),
) -> Table:
    """Return a table at a scale, with the results that the records hold for each of its rows.

    Tables of the same records share one RecordIndex. `published` are the ids of the tracked records, whose groups are
    shown rather than others.
    """
    index = records if isinstance(records, RecordIndex) else RecordIndex(records)
    transfers = standard_transfers(index.by_kind["transfer"])
    benchmark = encoder_memory.newest_benchmark(index.by_kind["bench"])
    variants_of: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells(spec, scale):
        variants_of.setdefault((cell.row, cell.panel.name), []).append(cell)
    results = {
        key: replace(
            with_transfers(panel_result(spec.rows[key[0]], variants, index, scale, published), transfers),
            benchmark=benchmark,
        )
        for key, variants in variants_of.items()
    }
    lines = (
        Line(name, row, tuple(result for key, result in results.items() if key[0] == name))
        for name, row in spec.rows_at(scale).items()
    )
    return Table(spec, scale, tuple(lines), predictions_behind)


def panel_result(
    row: Row, variants: Sequence[Cell], index: RecordIndex, scale: str, published: Collection[str] = ()
) -> PanelResult:
    """Return the result of a row in one panel, which shows the group of runs that `Group.rank` puts first.

    `variants` are the cells of the row in this panel: one, or one for each setting that its search tries.
    """
    panel = variants[0].panel
    records = [index.candidates(cell) for cell in variants]
    candidates = [(cell, group) for cell, own in zip(variants, records, strict=True) for group in groups(cell, own)]
    failures = tuple(
        record for cell, own in zip(variants, records, strict=True) for record in matching_records(cell, own, "failed")
    )
    if not candidates:
        return PanelResult(panel, status_without_runs(variants[0], failures), "", variants[0], None, (), failures)
    wanted = panel.replicates.count(scale)
    candidates.sort(key=lambda pair: pair[1].rank(wanted, published))
    first = candidates[0][1]
    comparable = [pair for pair in candidates if same_data(pair[1], first)]
    equal = [pair for pair in comparable if pair[1].complete_replicates(wanted) >= first.complete_replicates(wanted)]
    cell, group = best_variant(equal, row.search.select) if row.search else candidates[0]
    replicates = f"{len(group.records)} of {wanted} {panel.replicates.noun}"
    if row.search and len(comparable) < len(variants):
        replicates += f", {len(comparable)} of {len(variants)} settings"
    other_groups = tuple((other.variant, rest) for other, rest in candidates if rest is not group)
    settings_run = tuple(own for _, own in comparable)
    return PanelResult(
        panel, "done", replicates, cell, group, other_groups, failures, settings_run, len(equal), genre=row.genre
    )


def with_transfers(result: PanelResult, transfers: Sequence[Record]) -> PanelResult:
    """Return the result with the records of transfer that evaluate its runs."""
    runs = result.group.records if result.group else ()
    return replace(
        result, transfers=tuple(record for record in transfers if any(run.id in record.parents for run in runs))
    )


def status_without_runs(cell: Cell, failures: Sequence[Record]) -> Status:
    """Return the status of a cell that has no finished run."""
    if failures:
        return "failed"
    return "data unavailable" if cell.settings.scale == "paper" and cell.settings.dataset.unavailable else "not run"


def same_data(group: Group, other: Group) -> bool:
    """Return whether two groups ran on the same data with the same deviations, so that they may be compared.

    Data with and without a parser's trees count as the same, since their words are the same.
    """
    first, second = group.records[0], other.records[0]
    words = [record.data.get("fingerprint_of_words", record.fingerprint) for record in (first, second)]
    return words[0] == words[1] and group.deviations == other.deviations


def same_data_but_vectors(group: Group, other: Group) -> bool:
    """Return whether two groups ran on the same examples with the same deviations, except for their word vectors."""
    first, second = group.records[0], other.records[0]
    deviations, others = (
        set(runs.deviations) - {deviation.text for deviation in vectors_deviation(runs.records[0].data)}
        for runs in (group, other)
    )
    return first.data["splits"] == second.data["splits"] and deviations == others
