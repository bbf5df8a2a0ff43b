"""Membership of a run in a choice of a config group, such as model=disan.

A record holds the settings of a run, but not the choices that gave them.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from attest.config.compose import compose_unchecked
from attest.config.flat import flatten
from attest.config.own_folders import choices
from attest.config.settings import Settings
from attest.reproduction.tables.allowed_deviations import allowed_deviations
from attest.runs.records import hashable

GROUP_KEYS = {
    "model": ("model._target_",),
    "mask": ("model.directions",),
    "head": ("head._target_",),
    "optimizer": ("optimizer._target_",),
    "dataset": ("dataset.name",),
    "text": ("text",),
    "vectors": ("vectors.file",),
    "phrases": ("phrases.source",),
    "protocol": ("protocol.name",),
    "experiment": ("task", "dataset.name", "head._target_", "text", "protocol.name"),
}
"""The config group -> the settings that say whether a run belongs to a choice of it; text: all settings below it."""


def matches_choice(run: Mapping[str, Any], group: str, choice: str) -> bool:
    """Return whether a run has the settings that identify a choice of a group, whatever other settings it changed."""
    scale = str(run.get("scale", "paper"))
    settings = choice_settings(group, choice, scale)
    wanted = identifying_settings_of(group, settings)
    if group == "model":
        wanted |= {key: settings[key] for key in keys_that_differ_by_model(str(settings["model._target_"]), scale)}
    return all(run.get(key) == value for key, value in wanted.items())


@cache
def keys_that_differ_by_model(target: str, scale: str) -> list[str]:
    """Return the settings that have another value in each of the models of one class, if there are several."""
    models = [choice_settings("model", name, scale) for name in choices("model")]
    models = [settings for settings in models if settings["model._target_"] == target]
    if len(models) < 2:
        return []
    keys = (key for key in models[0] if key.startswith("model.") and all(key in settings for settings in models))
    return [key for key in keys if len({hashable(settings[key]) for settings in models}) == len(models)]


def identifying_settings_of(group: str, settings: dict[str, Any]) -> dict[str, Any]:
    """Return those of the settings that identify a choice of a group."""
    allowed = allowed_deviations(Settings)
    return {
        key: value
        for key, value in settings.items()
        if key not in allowed or key in GROUP_KEYS[group]
        if any(key == wanted or key.startswith(f"{wanted}.") for wanted in GROUP_KEYS[group])
    }


@cache
def choice_settings(group: str, choice: str, scale: str) -> dict[str, Any]:
    """Return the settings of a choice of a group by dotted key, at a scale."""
    return flatten(compose_unchecked([f"{group}={choice}", f"scale={scale}"]))
