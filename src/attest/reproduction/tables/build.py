"""A table's content as a pure function of its specification and the records there are."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from attest.reproduction.specs.columns import Column, Panel
from attest.reproduction.specs.metric_names import DATA, HARD, MEMORY, SIZE, TRANSFER, subset_of
from attest.reproduction.specs.table import Figure, Row, Spec
from attest.reproduction.tables import encoder_memory, model_sizes, subsets
from attest.reproduction.tables.cells import Cell, cells
from attest.reproduction.tables.item_errors import PredictionLookup, no_predictions
from attest.reproduction.tables.matching import Group, best_variant, groups, matching_records
from attest.reproduction.tables.metrics import metric_value, standard_transfers, transfer_behind, transfer_deviations
from attest.reproduction.tables.statistics import Finding, Summary, finding
from attest.runs.records import Record

Status = Literal["done", "failed", "not run", "data unavailable"]


@dataclass(frozen=True)
class PanelResult:
    """What stands behind one row in the columns of one panel."""

    panel: Panel
    status: Status
    replicates: str
    """'3 of 5 runs'; empty where nothing ran."""
    cell: Cell
    """The experiment shown: for a search, the setting that dev chose."""
    group: Group | None
    other_groups: tuple[tuple[str, Group], ...]
    """What else was run for it: other data, larger deviations, other settings of a search."""
    failures: tuple[Record, ...]
    settings_run: int = 1
    """Of a search: how many of its settings can be compared."""
    transfers: tuple[Record, ...] = ()
    """Records of transfer that judge the encoders of the runs shown, the newest first."""
    genre: str | None = None
    """What examples are counted of; None: all genres."""
    benchmark: Record | None = None
    """Of the memory of encoders, the newest."""

    @property
    def deviations(self) -> tuple[str, ...]:
        own = self.group.deviations if self.group else ()
        judging = {transfer.id: transfer for _, transfer in self.runs_with_transfers}
        return tuple(dict.fromkeys([*own, *(text for one in judging.values() for text in transfer_deviations(one))]))

    @property
    def runs_with_transfers(self) -> list[tuple[Record, Record]]:
        """The runs of which a column shows what their vectors are worth elsewhere, each with a record that says it."""
        records = self.group.records if self.group else ()
        metrics = [name for name in self.panel.metrics if name.startswith(TRANSFER)]
        found = [(run, transfer_behind(run, name, self.transfers)) for run in records for name in metrics]
        return [(run, transfer) for run, transfer in found if transfer is not None]

    @property
    def groups(self) -> tuple[Group, ...]:
        """What is shown, and what is only listed."""
        return (*([self.group] if self.group else []), *(group for _, group in self.other_groups))

    @property
    def ids(self) -> list[str]:
        """The records behind it, those of subsets too."""
        records = [record for group in self.groups for record in group.records]
        return [*(record.id for record in records), *subsets.subsets_behind(records, self.panel.metrics)]

    def derived(self, column: Column) -> bool:
        """Whether its figures are of a result of the test set that is not the published one."""
        return bool(self.group and subsets.subset_deviations(self.group.records, [column.metric]))

    def ours(self, column: Column) -> Summary | None:
        return self.figures[column.metric]

    @cached_property
    def figures(self) -> dict[str, Summary | None]:
        """By metric, for every column of the panel. A table is written in several formats, and a model built once."""
        return {name: self.figure(name) for name in self.panel.metrics}

    def figure(self, name: str) -> Summary | None:
        """Sizes are counted, memory is a benchmark's; all else is of runs."""
        if name.startswith(SIZE):
            return Summary((float(model_sizes.model_size(self.cell.settings, name)),))
        if name.startswith(MEMORY):
            found = encoder_memory.training_memory(self.benchmark, str(self.cell.settings.model["_target_"]), name)
            return None if found is None else Summary((found,))
        wanted = f"{name}/{self.genre}" if self.genre and name.startswith(DATA) else name
        records = self.group.records if self.group else ()
        values = [value for record in records if (value := metric_value(record, wanted, self.transfers)) is not None]
        return Summary(tuple(values)) if values else None


@dataclass(frozen=True)
class Line:
    """One row of the table."""

    name: str
    row: Row
    panels: tuple[PanelResult, ...]
    """One for each panel; none where the row is only cited."""

    @property
    def cited(self) -> bool:
        return not self.panels

    def panel_result(self, column: Column) -> PanelResult | None:
        return next((result for result in self.panels if result.panel.set == column.set), None)

    def ours(self, column: Column) -> Summary | None:
        result = self.panel_result(column)
        return None if result is None else result.ours(column)

    def finding(self, name: str, column: Column) -> Finding | None:
        """None where there is nothing to compare, no margin was declared, or ours are other test pairs."""
        ours, paper, result = self.ours(column), self.row.paper.get(name), self.panel_result(column)
        if ours is None or paper is None or paper.value is None or column.margin is None:
            return None
        assert result is not None
        if result.derived(column):
            return None
        return finding(ours, paper.value, column.margin, result.panel.replicates.n if paper.of == "mean" else 1)

    def per_panel_text(self, text_of: Callable[[PanelResult], str]) -> str:
        """What `text_of` says of the panels: once where they agree, under the panels' titles where they differ."""
        texts = [text_of(result) for result in self.panels]
        if len(set(texts)) <= 1:
            return "".join(texts[:1])
        titles = [result.panel.title for result in self.panels]
        return "; ".join(f"{title}: {text}" for title, text in zip(titles, texts, strict=True) if text)


@dataclass(frozen=True)
class Table:
    spec: Spec
    scale: str
    lines: tuple[Line, ...]
    predictions_behind: PredictionLookup = no_predictions
    """What its runs said of test items, as far as that is at hand."""

    @property
    def columns(self) -> Mapping[str, Column]:
        return self.spec.shown(self.scale)

    def titled(self, column: Column) -> str:
        """The column's title, with `derived` wherever some of its figures are of derived pairs."""
        panels = [result for line in self.lines if (result := line.panel_result(column))]
        return f"{column.title}, derived" if any(result.derived(column) for result in panels) else column.title

    @property
    def missing_subset_commands(self) -> list[str]:
        """The commands that find the hard pairs of runs that there are."""
        ran = [result for line in self.lines for result in line.panels if result.group]
        columns = [(result, column) for result in ran for column in result.panel.columns.values()]
        wanted = [
            result for result, column in columns if subset_of(column.metric) == HARD and result.ours(column) is None
        ]
        names = dict.fromkeys(result.cell.settings.dataset.name for result in wanted)
        return [f"attest hard {name} scale={self.scale}" for name in names]

    @property
    def panels(self) -> list[Panel]:
        return self.spec.panels(self.scale)

    @property
    def shows_paper(self) -> bool:
        """Built-in corpora say nothing about a paper, so its figures do not stand beside theirs."""
        return self.scale == "paper" and any(row.paper for row in self.spec.rows.values())

    def printed(self, line: Line, column: str) -> Figure | None:
        return line.row.paper.get(column) if self.shows_paper else None


def build(
    spec: Spec, scale: str, records: Iterable[Record], predictions_behind: PredictionLookup = no_predictions
) -> Table:
    records = list(records)
    transfers, benchmark = standard_transfers(records), encoder_memory.newest_benchmark(records)
    by_part: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells(spec, scale):
        by_part.setdefault((cell.row, cell.panel.name), []).append(cell)
    shown = spec.rows if scale == "paper" else spec.ours
    panels = {
        key: replace(
            with_transfers(panel_result(spec.rows[key[0]], variants, records, scale), transfers), benchmark=benchmark
        )
        for key, variants in by_part.items()
    }
    lines = (
        Line(name, row, tuple(result for key, result in panels.items() if key[0] == name))
        for name, row in shown.items()
    )
    return Table(spec, scale, tuple(lines), predictions_behind)


def panel_result(row: Row, variants: Sequence[Cell], records: Sequence[Record], scale: str) -> PanelResult:
    """`variants` are the settings that the row's search tries for these columns, or its one experiment."""
    panel = variants[0].panel
    found = [(cell, group) for cell in variants for group in groups(cell, records)]
    failures = tuple(record for cell in variants for record in matching_records(cell, records, "failed"))
    if not found:
        return PanelResult(panel, without_runs(variants[0], failures), "", variants[0], None, (), failures)
    least = min((group for _, group in found), key=Group.rank)
    comparable = [pair for pair in found if same_data(pair[1], least)]
    cell, group = best_variant(comparable, row.search.select) if row.search else comparable[0]
    replicates = f"{len(group.records)} of {panel.replicates.count(scale)} {panel.replicates.noun}"
    if row.search and len(comparable) < len(variants):
        replicates += f", {len(comparable)} of {len(variants)} settings"
    other_groups = tuple((other.variant, rest) for other, rest in found if rest is not group)
    return PanelResult(panel, "done", replicates, cell, group, other_groups, failures, len(comparable), genre=row.genre)


def with_transfers(result: PanelResult, transfers: Sequence[Record]) -> PanelResult:
    """The same with the records of transfer of its runs."""
    runs = result.group.records if result.group else ()
    return replace(result, transfers=tuple(one for one in transfers if any(run.id in one.parents for run in runs)))


def without_runs(cell: Cell, failures: Sequence[Record]) -> Status:
    if failures:
        return "failed"
    return "data unavailable" if cell.settings.scale == "paper" and cell.settings.dataset.unavailable else "not run"


def same_data(group: Group, other: Group) -> bool:
    """Whether two experiments ran on the same data with the same deviations, so that they may be compared. A parser's
    trees do not count: a model that takes none saw the same words."""
    words = [one.records[0].data.get("fingerprint_of_words", one.records[0].fingerprint) for one in (group, other)]
    return words[0] == words[1] and group.deviations == other.deviations
