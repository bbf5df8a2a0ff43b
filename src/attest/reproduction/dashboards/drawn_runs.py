"""Runs and groups as the panels of a dashboard show them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from attest.runs.dashboards import Axis
from attest.runs.records import Record

Styles = Mapping[str, Mapping[str, Any]]
"""A group -> the settings of matplotlib by which all panels show it: its colour, and the style of its lines."""


@dataclass(frozen=True)
class Run:
    """A run as a dashboard shows it."""

    group: str
    record: Record
    config: Mapping[str, Any]
    figures: Mapping[str, Any]

    def value(self, axis: Axis) -> Any:
        """Return the value of a setting or figure; None if the run has none."""
        return config_value(self.config, axis.key) if axis.setting else self.figures.get(axis.key)


def config_value(config: Mapping[str, Any], key: str) -> Any:
    """Return the value behind a dotted key of nested settings; None if there is none."""
    value: Any = config
    for part in key.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def dot(style: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a dot of a group; it is hollow if the group's lines are not solid."""
    face = style["color"] if style["linestyle"] == "-" else "white"
    return {"color": style["color"], "marker": "o", "markersize": 4, "markerfacecolor": face, "linestyle": "none"}
