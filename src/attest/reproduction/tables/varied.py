"""The settings in which runs differ."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from attest.config.components import COMPONENTS
from attest.config.compose import compose_unchecked, recompose
from attest.config.flat import schema_defaults
from attest.errors import AttestError
from attest.runs.identity import default_settings
from attest.runs.records import Record, hashable

IDENTITIES = {"dataset": "dataset.name", **{name: f"{name}._target_" for name in COMPONENTS}}
"""The group of settings -> the key that names it: other settings of the group may follow from it."""
ABSENT = "\N{EN DASH}"
"""The value of a setting that a run does not have."""


def complete_settings(records: Sequence[Record]) -> list[dict[str, Any]]:
    """Return the settings of each record, with the defaults of settings that are newer than the record."""
    defaults: dict[tuple[Any, ...], Mapping[str, Any]] = {}
    for record in records:
        if (kind := component_classes(record)) not in defaults:
            defaults[kind] = schema_defaults(compose_unchecked(()))
            with suppress(AttestError):  # a class of a package that is not installed here
                defaults[kind] = default_settings(recompose(record.settings))
    return [{**defaults[component_classes(record)], **record.settings} for record in records]


def component_classes(record: Record) -> tuple[Any, ...]:
    """Return the scale and the classes of model, head and optimiser, on which the defaults depend."""
    return record.settings["scale"], *(record.settings.get(f"{name}._target_") for name in COMPONENTS)


def varied_keys(runs: Sequence[Mapping[str, Any]], without: Sequence[str] = ()) -> list[str]:
    """Return the keys of the settings in which runs differ.

    Keys that name a group come first, then keys that all runs have, then the others.
    A setting is left out if it follows from the one that names its group, such as the arguments of a model from its
    class, or if a setting of the same name, such as head.dropout beside model.dropout, has the same values.
    """
    keys = [key for key in dict.fromkeys(key for run in runs for key in run) if key not in without]
    columns = {key: tuple(hashable(run.get(key, ABSENT)) for run in runs) for key in keys}
    varied = {key: values for key, values in columns.items() if len(set(values)) > 1}
    names = [key for key in IDENTITIES.values() if key in varied]
    kept: dict[str, tuple[Any, ...]] = {key: varied[key] for key in names}
    for key, values in sorted(varied.items(), key=lambda item: ABSENT in item[1]):
        identity = IDENTITIES.get(key.partition(".")[0])
        alike = [other for other in kept if other.rpartition(".")[2] == key.rpartition(".")[2]]
        if key in kept or (identity in kept and follows(values, kept[identity])):
            continue
        if all(kept[other] != values for other in alike):
            kept[key] = values
    return list(kept)


def follows(values: Sequence[Any], names: Sequence[Any]) -> bool:
    """Return whether the value of a setting is the same in all runs that have the same name."""
    return len(set(zip(names, values, strict=True))) == len(set(names))


def short_key(key: str) -> str:
    """Return the head of a setting's column: model for the class of the model."""
    group = key.partition(".")[0]
    return group if IDENTITIES.get(group) == key else key


def short_value(key: str, value: Any, others: Iterable[Any] = ()) -> Any:
    """Return the value of a setting for a column: a class without its package, unless one of `others` has its name."""
    if not key.endswith("._target_"):
        return value
    name = str(value).rpartition(".")[2]
    clashes = any(other != value and str(other).rpartition(".")[2] == name for other in others)
    return value if clashes else name
