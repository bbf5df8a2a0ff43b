"""Dashboards and reports of runs as plain data: sections of panels, and the runs and columns that they show.

`wandb_pages` converts them for Weights & Biases; nothing here depends on it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Axis:
    """A quantity that runs have: a setting, or a figure at the end of the run."""

    title: str
    key: str
    """The dotted key of the setting, such as optimizer.lr, or the name of the figure, such as test/accuracy."""
    setting: bool
    """True if the key names a setting."""
    log: bool = False
    """True if the scale is logarithmic."""


@dataclass(frozen=True, kw_only=True)
class Curves:
    """A metric by training step: the mean of each group of runs, with a band of one standard deviation."""

    title: str
    metric: str


@dataclass(frozen=True, kw_only=True)
class Bars:
    """Figures at the end of runs: the mean of each group, with the standard deviation as its error."""

    title: str
    figures: Sequence[Axis]
    """The figures whose bars stand side by side, such as ours and the paper's."""


@dataclass(frozen=True, kw_only=True)
class Coordinates:
    """Parallel coordinates: a line for each run, through its value on each axis."""

    title: str
    axes: Sequence[Axis]


@dataclass(frozen=True, kw_only=True)
class Scatter:
    """A point for each run."""

    title: str
    x: Axis
    y: Axis


@dataclass(frozen=True, kw_only=True)
class Comparer:
    """The settings and figures in which the runs that a user selects differ."""

    title: str


@dataclass(frozen=True, kw_only=True)
class Text:
    """A text in markdown."""

    markdown: str


Panel = Curves | Bars | Coordinates | Scatter | Comparer | Text


@dataclass(frozen=True, kw_only=True)
class Section:
    """Panels below a heading."""

    title: str
    panels: Sequence[Panel]
    folded: bool = False
    """True if the panels are hidden until a user unfolds the section."""


@dataclass(frozen=True, kw_only=True)
class Dashboard:
    """A view of the runs that pass a filter, in groups."""

    name: str
    """The name by which the same dashboard is found again, whatever its title."""
    title: str
    filters: Mapping[str, Sequence[str]]
    """The key of a setting -> its values in the runs that are shown, without equals signs."""
    group: str
    """The key of the setting that the runs of a group share."""
    columns: Sequence[Axis]
    """The columns that stand first in the list of runs."""
    sections: Sequence[Section]


@dataclass(frozen=True, kw_only=True)
class Code:
    """Lines of commands or of their output, below a heading that folds them away."""

    title: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Report:
    """A page of texts and of panels of a dashboard."""

    title: str
    description: str
    dashboard: Dashboard
    """The dashboard whose runs the panels show."""
    parts: Sequence[Text | Section | Code]
