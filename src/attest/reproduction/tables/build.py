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
from attest.reproduction.tables.item_errors import SaidBy, nothing_kept
from attest.reproduction.tables.matching import Group, belonging, chosen_variant, groups
from attest.reproduction.tables.metrics import metric, transfer_deviations, transfer_of, usual_transfers
from attest.reproduction.tables.statistics import Finding, Summary, finding
from attest.runs.records import Record

Status = Literal["done", "failed", "not run", "data unavailable"]


@dataclass(frozen=True)
class Part:
    """What stands behind one row in the columns of one panel."""

    panel: Panel
    status: Status
    replicates: str
    """'3 of 5 runs'; empty where nothing ran."""
    cell: Cell
    """The experiment shown: for a search, the setting that dev chose."""
    group: Group | None
    others: tuple[tuple[str, Group], ...]
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
        judging = {transfer.id: transfer for _, transfer in self.judged_by}
        return tuple(dict.fromkeys([*own, *(text for one in judging.values() for text in transfer_deviations(one))]))

    @property
    def judged_by(self) -> list[tuple[Record, Record]]:
        """The runs of which a column shows what their vectors are worth elsewhere, each with a record that says it."""
        records = self.group.records if self.group else ()
        metrics = [name for name in self.panel.metrics if name.startswith(TRANSFER)]
        found = [(run, transfer_of(run, name, self.transfers)) for run in records for name in metrics]
        return [(run, transfer) for run, transfer in found if transfer is not None]

    @property
    def groups(self) -> tuple[Group, ...]:
        """What is shown, and what is only listed."""
        return (*([self.group] if self.group else []), *(group for _, group in self.others))

    @property
    def ids(self) -> list[str]:
        """The records behind it, those of subsets too."""
        records = [record for group in self.groups for record in group.records]
        return [*(record.id for record in records), *subsets.subsets_behind(records, self.panel.metrics)]

    def derived(self, column: Column) -> bool:
        """Whether its figures are of a part of the test set that is not the published one."""
        return bool(self.group and subsets.deviations(self.group.records, [column.metric]))

    def ours(self, column: Column) -> Summary | None:
        return self.figures[column.metric]

    @cached_property
    def figures(self) -> dict[str, Summary | None]:
        """By metric, for every column of the panel. A table is written in several formats, and a model built once."""
        return {name: self.figure(name) for name in self.panel.metrics}

    def figure(self, name: str) -> Summary | None:
        """Sizes are counted, memory is a benchmark's; all else is of runs."""
        if name.startswith(SIZE):
            return Summary((float(model_sizes.size(self.cell.settings, name)),))
        if name.startswith(MEMORY):
            found = encoder_memory.memory(self.benchmark, str(self.cell.settings.model["_target_"]), name)
            return None if found is None else Summary((found,))
        wanted = f"{name}/{self.genre}" if self.genre and name.startswith(DATA) else name
        records = self.group.records if self.group else ()
        values = [value for record in records if (value := metric(record, wanted, self.transfers)) is not None]
        return Summary(tuple(values)) if values else None


@dataclass(frozen=True)
class Line:
    """One row of the table."""

    name: str
    row: Row
    parts: tuple[Part, ...]
    """One for each panel; none where the row is only cited."""

    @property
    def cited(self) -> bool:
        return not self.parts

    def part(self, column: Column) -> Part | None:
        return next((part for part in self.parts if part.panel.set == column.set), None)

    def ours(self, column: Column) -> Summary | None:
        part = self.part(column)
        return None if part is None else part.ours(column)

    def finding(self, name: str, column: Column) -> Finding | None:
        """None where there is nothing to compare, no margin was declared, or ours are other test pairs."""
        ours, paper, part = self.ours(column), self.row.paper.get(name), self.part(column)
        if ours is None or paper is None or paper.value is None or column.margin is None:
            return None
        assert part is not None
        if part.derived(column):
            return None
        return finding(ours, paper.value, column.margin, part.panel.replicates.n if paper.of == "mean" else 1)

    def said(self, text_of: Callable[[Part], str]) -> str:
        """What `text_of` says of the parts: once where they agree, under the panels' titles where they differ."""
        texts = [text_of(part) for part in self.parts]
        if len(set(texts)) <= 1:
            return "".join(texts[:1])
        titles = [part.panel.title for part in self.parts]
        return "; ".join(f"{title}: {text}" for title, text in zip(titles, texts, strict=True) if text)


@dataclass(frozen=True)
class Table:
    spec: Spec
    scale: str
    lines: tuple[Line, ...]
    said: SaidBy = nothing_kept
    """What its runs said of test items, as far as that is at hand."""

    @property
    def columns(self) -> Mapping[str, Column]:
        return self.spec.shown(self.scale)

    def titled(self, column: Column) -> str:
        """The column's title, with `derived` wherever some of its figures are of derived pairs."""
        parts = [part for line in self.lines if (part := line.part(column))]
        return f"{column.title}, derived" if any(part.derived(column) for part in parts) else column.title

    @property
    def missing_views(self) -> list[str]:
        """The commands that find the hard pairs of runs that there are."""
        ran = [part for line in self.lines for part in line.parts if part.group]
        columns = [(part, column) for part in ran for column in part.panel.columns.values()]
        wanted = [part for part, column in columns if subset_of(column.metric) == HARD and part.ours(column) is None]
        names = dict.fromkeys(part.cell.settings.dataset.name for part in wanted)
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


def build(spec: Spec, scale: str, records: Iterable[Record], said: SaidBy = nothing_kept) -> Table:
    records = list(records)
    transfers, benchmark = usual_transfers(records), encoder_memory.newest(records)
    by_part: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells(spec, scale):
        by_part.setdefault((cell.row, cell.panel.name), []).append(cell)
    shown = spec.rows if scale == "paper" else spec.ours
    parts = {
        key: replace(judged(part_of(spec.rows[key[0]], variants, records, scale), transfers), benchmark=benchmark)
        for key, variants in by_part.items()
    }
    lines = (
        Line(name, row, tuple(part for key, part in parts.items() if key[0] == name)) for name, row in shown.items()
    )
    return Table(spec, scale, tuple(lines), said)


def part_of(row: Row, variants: Sequence[Cell], records: Sequence[Record], scale: str) -> Part:
    """`variants` are the settings that the row's search tries for these columns, or its one experiment."""
    panel = variants[0].panel
    found = [(cell, group) for cell in variants for group in groups(cell, records)]
    failures = tuple(record for cell in variants for record in belonging(cell, records, "failed"))
    if not found:
        return Part(panel, without_runs(variants[0], failures), "", variants[0], None, (), failures)
    least = min((group for _, group in found), key=Group.rank)
    comparable = [pair for pair in found if alike(pair[1], least)]
    cell, group = chosen_variant(comparable, row.search.select) if row.search else comparable[0]
    replicates = f"{len(group.records)} of {panel.replicates.count(scale)} {panel.replicates.noun}"
    if row.search and len(comparable) < len(variants):
        replicates += f", {len(comparable)} of {len(variants)} settings"
    others = tuple((other.variant, rest) for other, rest in found if rest is not group)
    return Part(panel, "done", replicates, cell, group, others, failures, len(comparable), genre=row.genre)


def judged(part: Part, transfers: Sequence[Record]) -> Part:
    """The same with the records of transfer of its runs."""
    runs = part.group.records if part.group else ()
    return replace(part, transfers=tuple(one for one in transfers if any(run.id in one.parents for run in runs)))


def without_runs(cell: Cell, failures: Sequence[Record]) -> Status:
    if failures:
        return "failed"
    return "data unavailable" if cell.settings.scale == "paper" and cell.settings.dataset.unavailable else "not run"


def alike(group: Group, other: Group) -> bool:
    """Whether two experiments ran on the same data with the same deviations, so that they may be compared. A parser's
    trees do not count: a model that takes none saw the same words."""
    words = [one.records[0].data.get("fingerprint_of_words", one.records[0].fingerprint) for one in (group, other)]
    return words[0] == words[1] and group.deviations == other.deviations
