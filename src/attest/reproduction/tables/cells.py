"""The cells of a table: the experiments of its rows in each panel, and the overrides of their runs."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from attest.config.flat import flatten
from attest.config.overrides import key_of, override_value, quoted
from attest.config.own_folders import is_own
from attest.config.settings import Settings
from attest.config.yaml_files import line_of, read_yaml
from attest.errors import SettingsError
from attest.reproduction.specs import files
from attest.reproduction.specs.added_rows import REFUSED, is_added
from attest.reproduction.specs.columns import Panel
from attest.reproduction.specs.rows import Row
from attest.reproduction.specs.table import TableSpec
from attest.reproduction.tables.allowed_deviations import allowed_deviations, differs_only_as_allowed
from attest.reproduction.tables.compose_cache import Composition, cached_composition
from attest.runs.identity import cell_id
from attest.runs.records import Record, hashable_items


@dataclass(frozen=True)
class Cell:
    """An experiment of a table, whose runs are replicates: a row in a panel or, with a search, one value of it."""

    row: str
    panel: Panel
    variant: str
    """The override that a search tries here; empty without a search."""
    overrides: tuple[str, ...]
    """The Hydra overrides of the cell, without scale and replicate."""
    composition: Composition
    """The settings of its first replicate at the scale asked for, and what follows from them."""
    fixed: tuple[str, ...] = ()
    """The keys in which runs of the cell do not differ from it, although other runs may deviate in them."""

    @property
    def settings(self) -> Settings:
        """The settings of its first replicate, at the scale asked for."""
        return self.composition.settings

    @property
    def versions(self) -> Mapping[str, int]:
        """The version numbers of the code that its figures depend on."""
        return self.composition.versions

    @property
    def defaults(self) -> Mapping[str, Any]:
        """The defaults of the settings that runs leave out of their records."""
        return self.composition.defaults

    @property
    def id(self) -> str:
        """The id of the cell, which all its replicates share."""
        return cell_id(self.composition.identifying, self.versions, self.panel.replicates.key)

    @cached_property
    def shared_settings(self) -> dict[str, Any]:
        """The value by dotted key of every setting that the replicates share, defaults of classes included."""
        return self.without_replicate({**self.defaults, **flatten(self.settings)})

    @cached_property
    def shared_items(self) -> frozenset[tuple[str, Any]]:
        """The shared settings as a set, which subtracts faster than a dict compares."""
        return hashable_items(self.shared_settings)

    @cached_property
    def keys_not_at_default(self) -> frozenset[str]:
        """The keys of the shared settings in which a record that lacks them differs from the cell."""
        shared, defaults = self.shared_settings, self.defaults
        return frozenset(key for key in shared.keys() | defaults.keys() if shared.get(key) != defaults.get(key))

    def settings_of(self, record: Record) -> dict[str, Any]:
        """Return the settings of a record by dotted key, with defaults for settings that are newer than the record."""
        return {**self.defaults, **record.settings}

    def without_replicate(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings without the seed or fold in which replicates differ."""
        replicate = self.panel.replicates.key
        return {key: value for key, value in settings.items() if key != replicate}


def cells(spec: TableSpec, scale: str, rows: Collection[str] = ()) -> list[Cell]:
    """Return the experiments of the given rows, or of all rows if none is named, in the table's order."""
    shown = spec.rows_at(scale)
    for name in rows:
        if spec.row(name).set is None:
            raise SettingsError(
                f"{name}: a cited row of {spec.name}; it is quoted, not run. We run: {', '.join(spec.run_rows)}."
            )
        if name not in shown:
            scales = " or ".join(spec.rows[name].scales or ())
            raise SettingsError(f"{name}: {spec.name} has this row only at scale={scales}")
    return [
        cell
        for name, row in shown.items()
        if row.set is not None and (not rows or name in rows)
        for panel in spec.panels(scale)
        for cell in variants(spec, scale, name, row, panel)
    ]


def variants(spec: TableSpec, scale: str, name: str, row: Row, panel: Panel) -> Iterator[Cell]:
    """Yield the experiments of a row in one panel: one, or one for each setting that its search tries."""
    assert row.set is not None
    label = (f"label.table={spec.name}", f"label.row={quoted(name) if is_added(name) else name}")
    for variant in row.search.overrides(scale) if row.search else [""]:
        columns = row.per_column.get(panel.name, panel.set)
        overrides = merge_overrides([*spec.base, *columns, *row.set, *filter(None, [variant]), *label])
        first = panel.replicates.override(panel.replicates.first)
        with naming_row(spec, name):
            composition = cached_composition((*overrides, f"scale={scale}", first))
        fixed = (*row.fixed, *(["vectors.file"] if spec.compares_vectors else []))
        yield Cell(name, panel, variant, overrides, composition, fixed)


@contextmanager
def naming_row(spec: TableSpec, row: str) -> Iterator[None]:
    """Put the file and line of a row in front of a SettingsError, if the table is one of the user's own."""
    try:
        yield
    except SettingsError as error:
        path = files.paths("table").get(spec.name)
        if path is None or not is_own(path) or row not in read_yaml(path).get("rows", ()):
            raise
        raise SettingsError(f"{path}:{line_of(path, f'rows.{row}.set')}: {error}") from error


def merge_overrides(overrides: Sequence[str]) -> tuple[str, ...]:
    """Return the last override of each key: a row takes precedence over its column, and a column over its table."""
    return tuple({text.partition("=")[0].lstrip("+"): text for text in overrides}.values())


def check_same_experiment(spec: TableSpec, wanted: Sequence[Cell], overrides: Sequence[str]) -> None:
    """Raise SettingsError if overrides change settings in which the runs of a table may not deviate."""
    for cell in wanted if overrides else ():
        if key := refused_key(cell, overrides):
            typed = next((text for text in overrides if is_refused(cell, text)), "")
            advice = advice_on(spec, cell, typed) if typed else ""
            raise SettingsError(
                f"{key_of(typed) if typed else key}: changing it makes other experiments than those of {spec.name}; "
                f"{advice}use `attest train -m ...`. A table's runs may change "
                f"{', '.join(sorted(allowed_deviations(Settings)))}."
            )


def refused_key(cell: Cell, overrides: Sequence[str]) -> str:
    """Return the first setting that overrides change although runs of the cell may not deviate in it; empty if there is
    none."""
    plain, first = flatten(cell.settings), cell.panel.replicates.override(cell.panel.replicates.first)
    changed = flatten(cached_composition((*cell.overrides, f"scale={cell.settings.scale}", first, *overrides)).settings)
    allowed = allowed_deviations(Settings)
    keys = (key for key in sorted(set(plain) | set(changed)) if plain.get(key) != changed.get(key))
    return next((key for key in keys if not differs_only_as_allowed([key], plain, changed, allowed)), "")


def is_refused(cell: Cell, override: str) -> bool:
    """Return whether an override alone changes a setting in which runs of the cell may not deviate."""
    with suppress(SettingsError):  # such as that of an override that needs another one
        return bool(refused_key(cell, [override]))
    return False


def advice_on(spec: TableSpec, cell: Cell, override: str) -> str:
    """Return what to type in place of an override that a table does not accept, up to the next clause of a sentence;
    empty for one that no row can have."""
    if key_of(override) == cell.panel.replicates.key:
        return f"type seeds=[{override.partition('=')[2]}], or "
    if key_of(override).startswith(REFUSED):
        return ""
    changed = () if key_of(override) == "model" else spec.rows[cell.row].set or ()  # may not fit another model
    row = " ".join(merge_overrides([*changed, override]))
    return f'for a row with it, type with="{row}", or '


def repeat_overrides(record: Record, cell: Cell) -> list[str]:
    """Return the overrides that repeat a run of a cell: its replicate, and the settings in which it deviates.

    A finished run is repeated only if its code had uncommitted changes; a failed one, only with retry_failed=true.
    """
    actual = cell.settings_of(record)
    changed = {key: actual.get(key) for key, wanted in cell.shared_settings.items() if actual.get(key) != wanted}
    deviations = [f"{key}={override_value(value)}" for key, value in sorted(changed.items())]
    return [cell.panel.replicates.override_of(record.settings), *deviations, *record.retry_overrides]


def jobs(wanted: Sequence[Cell], scale: str, seeds: str | None) -> dict[str, list[str]]:
    """Return the overrides of each run by its name, ordered so that all cells get their first replicate first."""
    has_panels = len({cell.panel.name for cell in wanted}) > 1
    runs = [
        (turn, cell, cell.panel.replicates.override(number))
        for cell in wanted
        for turn, number in enumerate(cell.panel.replicates.numbers(scale, seeds))
    ]
    return {
        " ".join(filter(None, [cell.row, cell.panel.name if has_panels else "", cell.variant, replicate])): (
            [*cell.overrides, replicate]
        )
        for _, cell, replicate in sorted(runs, key=lambda run: run[0])
    }
