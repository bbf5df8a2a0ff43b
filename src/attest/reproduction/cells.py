"""The experiments behind a table: a row, a setting tried for it, and the settings that follow."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from attest.configuration import compose
from attest.errors import SettingsError
from attest.identity import budget_keys, flatten
from attest.reproduction.spec import Spec
from attest.settings import Settings


@dataclass(frozen=True)
class Cell:
    """One experiment, without its replicates."""

    row: str
    variant: str
    """What a search tries here, as key=value; empty without a search."""
    overrides: tuple[str, ...]
    """What makes it, without scale and replicate."""
    settings: Settings
    """At the scale asked for, of the first replicate."""


def cells(spec: Spec, scale: str, rows: Collection[str] = ()) -> list[Cell]:
    """All experiments of the wanted rows (of all rows if none is named), as the table asks for them."""
    for name in rows:
        if spec.row(name).set is None:
            raise SettingsError(
                f"{name}: a cited row of {spec.name}; it is quoted, not run. We run: {', '.join(spec.ours)}."
            )
    found = []
    for name, row in spec.ours.items():
        if rows and name not in rows:
            continue
        assert row.set is not None
        variants = [f"{row.search.key}={value}" for value in row.search.values] if row.search else [""]
        for variant in variants:
            label = (f"label.table={spec.name}", f"label.row={name}")
            overrides = (*spec.base, *row.set, *filter(None, [variant]), *label)
            found.append(Cell(name, variant, overrides, compose([*overrides, f"scale={scale}"])))
    return found


def check_overrides(spec: Spec, scale: str, overrides: Sequence[str]) -> None:
    """Refuse what would turn a table's rows into other experiments: only budgets and private settings may change."""
    cell = cells(spec, scale, list(spec.ours)[:1])[0]
    plain = flatten(cell.settings)
    changed = flatten(compose([*cell.overrides, f"scale={scale}", *overrides]))
    allowed = budget_keys(Settings)
    for key in sorted(set(plain) | set(changed)):
        if plain.get(key) != changed.get(key) and key not in allowed:
            raise SettingsError(
                f"{key}: changing it makes other experiments than those of {spec.name}; use `attest train -m ...`. "
                f"A table's runs may change {', '.join(sorted(allowed))}."
            )


def seeds_of(spec: Spec, scale: str, wanted: str | None) -> list[int]:
    """3 -> the first three; 4,7 or [4] -> just these; nothing -> as many as the table asks for."""
    if wanted is None:
        return list(range(1, (spec.replicates.mini if scale == "mini" else spec.replicates.n) + 1))
    listed = wanted.startswith("[") or "," in wanted
    try:
        numbers = [int(part) for part in wanted.strip("[]").split(",")]
    except ValueError as error:
        raise SettingsError(f"seeds={wanted}: expected a number of seeds, or a list of them such as 0,1,2") from error
    seeds = numbers if listed else list(range(1, numbers[0] + 1))
    if not seeds or min(seeds) < 0 or len(set(seeds)) < len(seeds):
        raise SettingsError(f"seeds={wanted}: seeds are different whole numbers from 0")
    return seeds
