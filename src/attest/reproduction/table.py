"""A table's content as a pure function of its specification and the records there are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from attest.records import Record
from attest.reproduction.cells import Cell, cells
from attest.reproduction.matching import Group, chosen_variant, groups
from attest.reproduction.spec import Column, Figure, Row, Spec
from attest.reproduction.statistics import Finding, Summary, finding

Status = Literal["done", "failed", "not run", "cited"]


@dataclass(frozen=True)
class Line:
    """One row of the table."""

    name: str
    row: Row
    status: Status
    replicates: str
    """'3 of 5 runs'; empty where nothing ran."""
    cell: Cell | None
    """The experiment shown: for a search, the setting that dev chose."""
    group: Group | None
    others: tuple[tuple[str, Group], ...]
    """What else was run for this row: other data, larger deviations, other settings of a search."""
    failures: tuple[Record, ...]

    def ours(self, column: Column) -> Summary | None:
        if self.group is None:
            return None
        values = [value for record in self.group.records if (value := metric(record, column.metric)) is not None]
        return Summary(tuple(values)) if values else None

    def finding(self, name: str, column: Column) -> Finding | None:
        """None where there is nothing to compare, or no margin was declared."""
        ours, paper = self.ours(column), self.row.paper.get(name)
        if ours is None or paper is None or paper.value is None or column.margin is None:
            return None
        return finding(ours, paper.value, column.margin)


@dataclass(frozen=True)
class Table:
    spec: Spec
    scale: str
    lines: tuple[Line, ...]

    @property
    def columns(self) -> Mapping[str, Column]:
        return self.spec.shown(self.scale)

    @property
    def shows_paper(self) -> bool:
        """Built-in corpora say nothing about a paper, so its figures do not stand beside theirs."""
        return self.scale == "paper"

    def printed(self, line: Line, column: str) -> Figure | None:
        return line.row.paper.get(column) if self.shows_paper else None


def build(spec: Spec, scale: str, records: Iterable[Record]) -> Table:
    records = list(records)
    by_row: dict[str, list[Cell]] = {}
    for cell in cells(spec, scale):
        by_row.setdefault(cell.row, []).append(cell)
    shown = spec.rows if scale == "paper" else spec.ours
    wanted = spec.replicates.mini if scale == "mini" else spec.replicates.n
    lines = (line_of(name, row, by_row.get(name, []), records, wanted) for name, row in shown.items())
    return Table(spec, scale, tuple(lines))


def line_of(name: str, row: Row, variants: Sequence[Cell], records: Sequence[Record], wanted: int) -> Line:
    done = [record for record in records if record.status == "done"]
    found = [(cell, group) for cell in variants for group in groups(cell, done)]
    failures = tuple(r for r in records if r.status == "failed" and r.label.row == name)
    if not variants:
        return Line(name, row, "cited", "", None, None, (), ())
    if not found:
        return Line(name, row, "failed" if failures else "not run", "", None, None, (), failures)
    least = min((group for _, group in found), key=Group.rank)
    comparable = [pair for pair in found if alike(pair[1], least)]
    cell, group = chosen_variant(comparable, row.search.select) if row.search else comparable[0]
    replicates = f"{len(group.records)} of {wanted} runs"
    if row.search and len(comparable) < len(variants):
        replicates += f", {len(comparable)} of {len(variants)} settings"
    others = tuple((other.variant, rest) for other, rest in found if rest is not group)
    return Line(name, row, "done", replicates, cell, group, others, failures)


def alike(group: Group, other: Group) -> bool:
    """Whether two experiments ran on the same data with the same deviations, so that a search may compare them."""
    return (group.records[0].fingerprint, group.deviations) == (other.records[0].fingerprint, other.deviations)


def metric(record: Record, name: str) -> float | None:
    if name.startswith("cost/"):
        return None if record.cost is None else float(getattr(record.cost, name.removeprefix("cost/")))
    return record.metrics.get(name)
