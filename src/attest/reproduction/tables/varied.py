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
OWN_CODE = ("task", "text.tokens", "phrases.source")
"""The keys that may name code of the user's own, beside those of IDENTITIES; such a name has a point."""
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
        if key in kept or (identity in kept and is_determined_by(values, kept[identity])):
            continue
        if all(kept[other] != values for other in alike):
            kept[key] = values
    return list(kept)


def is_determined_by(values: Sequence[Any], names: Sequence[Any]) -> bool:
    """Return whether the value of a setting is the same in all runs that have the same name."""
    return len(set(zip(names, values, strict=True))) == len(set(names))


def distinguishing_keys(runs: Sequence[Mapping[str, Any]], keys: Sequence[str], least: int, most: int) -> list[str]:
    """Return at most `most` of the varied keys, in their order: those that tell runs apart.

    They are looked for among keys that name a group, then among keys of code of the user's own, then among keys that
    differ between runs with the same names: these were typed, while others may follow from the experiment. If fewer
    than `least` tell all runs apart, further keys follow.
    """
    columns = {key: [hashable(run.get(key, ABSENT)) for run in runs] for key in keys}
    names = [key for key in keys if key in IDENTITIES.values()]
    groups = [tuple(run.get(key, ABSENT) for key in names) for run in runs]
    typed = [key for key in keys if key not in names and differs_within(columns[key], groups)]
    own = [key for key in typed if key in OWN_CODE and any("." in str(value) for value in columns[key])]
    chosen: list[str] = []
    told_apart: Sequence[Any] = [()] * len(runs)
    for stage in (names, own, typed):
        candidates = {key: columns[key] for key in stage}
        while len(chosen) < most and candidates:
            joined = {key: list(zip(told_apart, values, strict=True)) for key, values in candidates.items()}
            best = max(joined, key=lambda key: len(set(joined[key])))
            if len(set(joined[best])) == len(set(told_apart)):
                break
            chosen.append(best)
            told_apart = joined[best]
            del candidates[best]
    others = [key for key in dict.fromkeys((*names, *typed, *keys)) if key not in chosen]
    chosen += others[: max(0, least - len(chosen))]
    return [key for key in keys if key in chosen]


def differs_within(values: Sequence[Any], groups: Sequence[Any]) -> bool:
    """Return whether a setting differs between runs of one group; runs without the setting do not count."""
    stated = [(group, value) for group, value in zip(groups, values, strict=True) if value != ABSENT]
    return len(set(stated)) > len({group for group, _ in stated})


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
