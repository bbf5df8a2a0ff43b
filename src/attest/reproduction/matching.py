"""Which records stand behind a cell, and how they differ from what the paper did.

A record belongs to a cell if its settings differ from the cell's in nothing but the budget: how much data, how
many steps, which file of vectors. Each such difference, and each missing row of data, is a deviation.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from attest.identity import budget_keys, flatten, versions
from attest.records import Record
from attest.reproduction.cells import Cell
from attest.settings import Settings


@dataclass(frozen=True)
class Group:
    """Records of one experiment on one state of the data: replicates that may be averaged."""

    records: tuple[Record, ...]
    deviations: tuple[str, ...]

    def rank(self) -> tuple[float, int, int, str]:
        """Least deviating first: most training data, then fewest deviations, then most replicates."""
        used = self.records[0].data["splits"]["train"]["labelled"]
        return -used, len(self.deviations), -len(self.records), self.records[0].id


def groups(cell: Cell, records: Iterable[Record]) -> list[Group]:
    """The groups of records that belong to `cell`, the least deviating first."""
    wanted, current = without_seed(flatten(cell.settings)), versions(cell.settings)
    allowed = budget_keys(Settings)
    found: dict[tuple[str, ...], list[Record]] = defaultdict(list)
    for record in records:
        actual = without_seed(record.settings)
        changed = {key for key in wanted.keys() | actual.keys() if wanted.get(key) != actual.get(key)}
        if record.kind == "train" and changed <= allowed and dict(record.versions) == current:
            found[(record.fingerprint, *(f"{key}={actual.get(key)}" for key in sorted(changed)))].append(record)
    made = [
        Group(tuple(sorted(same, key=lambda record: record.seed)), deviations(same[0], wanted, cell.settings.scale))
        for same in found.values()
    ]
    return sorted(made, key=Group.rank)


def without_seed(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in settings.items() if key != "seed"}


def deviations(record: Record, wanted: Mapping[str, Any], scale: str) -> tuple[str, ...]:
    """Everything in which a run had less than, or other than, the paper; derived, never declared."""
    found = [
        f"{key} {worded(record.settings.get(key))} instead of {worded(value)}"
        for key, value in sorted(wanted.items())
        if key != "seed" and record.settings.get(key) != value
    ]
    if scale == "paper":
        found = [*data_deviations(record.data, wanted), *found]
    return tuple(found)


def worded(value: Any) -> str:
    return "null" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def data_deviations(data: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    found = []
    for split, official in data["expected"]["splits"].items():
        seen = data["splits"][split]["labelled"]
        if seen != official:
            found.append(f"{split}: {seen:,} of {official:,} labelled examples ({100 * seen / official:.1f}%)")
    if wanted["text.tokens"] == "parse":
        parsed = sum(split["with_parse"] for split in data["splits"].values())
        rows = sum(split["rows"] for split in data["splits"].values())
        if parsed < rows:
            found.append(f"parses for {parsed:,} of {rows:,} examples, the others tokenised by treebank rules")
    official, seen = data["expected"]["vectors"], data["vectors"]["rows"]
    if official is not None and seen != official:
        share = 100 * data["vectors"]["tokens_found"]["train"]
        found.append(f"vectors of {seen:,} of {official:,} words ({share:.1f}% of the running training tokens)")
    return found


def chosen_variant(variants: Sequence[tuple[Cell, Group]], metric: str) -> tuple[Cell, Group]:
    """Of the settings that a search tried, the one with the highest mean of `metric`, a metric of the dev set."""
    return max(variants, key=lambda pair: sum(r.metrics[metric] for r in pair[1].records) / len(pair[1].records))
