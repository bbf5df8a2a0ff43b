"""The experiments behind a table: a row, columns with runs of their own, a setting tried, and what follows."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from attest.config.schema import budget_values, flatten, within_budget
from attest.config.settings import Settings
from attest.errors import SettingsError
from attest.reproduction.specs.columns import Panel
from attest.reproduction.specs.table import Row, Spec
from attest.reproduction.tables.compose_cache import composed
from attest.runs.identity import cell_id, usual
from attest.runs.records import Record


@dataclass(frozen=True)
class Cell:
    """One experiment, without its replicates."""

    row: str
    panel: Panel
    variant: str
    """What a search tries here, as key=value; empty without a search."""
    overrides: tuple[str, ...]
    """What makes it, without scale and replicate."""
    settings: Settings
    """At the scale asked for, of the first replicate."""

    @property
    def id(self) -> str:
        return cell_id(self.settings, self.panel.replicates.key)

    @cached_property
    def shared_settings(self) -> dict[str, Any]:
        """Dotted key -> value of everything that its replicates share, also of what is left at a class's default."""
        return self.without_replicate({**self.usual, **flatten(self.settings)})

    def settings_of(self, record: Record) -> dict[str, Any]:
        """The settings of a record, whole: settings that came later are at their defaults in older ones."""
        return {**self.usual, **record.settings}

    @cached_property
    def usual(self) -> dict[str, Any]:
        return usual(self.settings)

    def without_replicate(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in settings.items() if key != self.panel.replicates.key}


def cells(spec: Spec, scale: str, rows: Collection[str] = ()) -> list[Cell]:
    """All experiments of the wanted rows (of all rows if none is named), as the table asks for them."""
    for name in rows:
        if spec.row(name).set is None:
            raise SettingsError(
                f"{name}: a cited row of {spec.name}; it is quoted, not run. We run: {', '.join(spec.ours)}."
            )
    chosen = {name: row for name, row in spec.ours.items() if not rows or name in rows}
    return [
        cell
        for name, row in chosen.items()
        for panel in spec.panels(scale)
        for cell in variants(spec, scale, name, row, panel)
    ]


def variants(spec: Spec, scale: str, name: str, row: Row, panel: Panel) -> Iterator[Cell]:
    """A row's experiments for some columns: one, or one for each setting that its search tries."""
    assert row.set is not None
    label = (f"label.table={spec.name}", f"label.row={name}")
    for variant in row.search.tried(scale) if row.search else [""]:
        columns = row.per_column.get(panel.name, panel.set)
        overrides = later_wins([*spec.base, *columns, *row.set, *filter(None, [variant]), *label])
        first = panel.replicates.override(panel.replicates.first)
        yield Cell(name, panel, variant, overrides, composed((*overrides, f"scale={scale}", first)))


def later_wins(overrides: Sequence[str]) -> tuple[str, ...]:
    """Hydra refuses two overrides of one key; of the table's, the columns' and the row's the last one counts."""
    return tuple({text.partition("=")[0]: text for text in overrides}.values())


def check_overrides(spec: Spec, wanted: Sequence[Cell], overrides: Sequence[str]) -> None:
    """Refuse what would turn a table's rows into other experiments: only budgets and private settings may change."""
    allowed = budget_values(Settings)
    for cell in wanted if overrides else ():
        plain, first = flatten(cell.settings), cell.panel.replicates.override(cell.panel.replicates.first)
        changed = flatten(composed((*cell.overrides, f"scale={cell.settings.scale}", first, *overrides)))
        for key in sorted(set(plain) | set(changed)):
            if plain.get(key) != changed.get(key) and not within_budget([key], plain, changed, allowed):
                raise SettingsError(
                    f"{key}: changing it makes other experiments than those of {spec.name}; use `attest train -m ...`. "
                    f"A table's runs may change {', '.join(sorted(allowed))}."
                )


def jobs(wanted: Sequence[Cell], scale: str, seeds: str | None) -> dict[str, list[str]]:
    """Name -> overrides of every run, the first replicate of all experiments before the second of any."""
    several = len({cell.panel.name for cell in wanted}) > 1
    runs = [
        (turn, cell, cell.panel.replicates.override(number))
        for cell in wanted
        for turn, number in enumerate(cell.panel.replicates.numbers(scale, seeds))
    ]
    return {
        " ".join(filter(None, [cell.row, cell.panel.name * several, cell.variant, replicate])): (
            [*cell.overrides, replicate]
        )
        for _, cell, replicate in sorted(runs, key=lambda run: run[0])
    }
