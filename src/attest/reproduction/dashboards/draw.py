"""A picture of a dashboard, as a service would draw it from the same runs."""

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from attest.config.overrides import is_number
from attest.reproduction.dashboards.draw_panels import draw_panel
from attest.reproduction.dashboards.drawn_runs import Run, Styles, config_value
from attest.reproduction.figures.mean_lines import LINES
from attest.reproduction.figures.style import CYCLE, canvas
from attest.runs.dashboards import Bars, Coordinates, Curves, Dashboard, Panel, Scatter, Section
from attest.runs.records import Record
from attest.runs.run_card import RunCard, summary

WIDTH, HEIGHT, HEADING = 13.0, 2.3, 0.35
"""The inches of the picture's width, of a row of panels, and of a heading."""
PANELS = 3
"""The number of panels side by side; parallel coordinates take the place of two."""
LINE = 0.17
"""The inches of a line in the list of groups."""
STYLE = {"font.size": 7, "axes.titlesize": 8, "lines.linewidth": 1.2, "lines.markersize": 2.5}
DRAWN = (Curves, Bars, Coordinates, Scatter)


def draw_dashboard(dashboard: Dashboard, runs: Sequence[tuple[Record, RunCard]], path: Path) -> None:
    """Draw the list of groups with their first figures, and beside it the sections; other panels are headings only."""
    shown = [
        Run(str(config_value(card.config, dashboard.group)), record, card.config, summary(record, card))
        for record, card in runs
    ]
    groups = list(dict.fromkeys(run.group for run in shown))
    styles = {
        group: {"color": CYCLE[number % len(CYCLE)], "linestyle": LINES[number // len(CYCLE) % len(LINES)]}
        for number, group in enumerate(groups)
    }
    heights = [HEADING + HEIGHT * panel_rows(section) for section in dashboard.sections]
    with canvas(path, WIDTH, sum(heights), STYLE, title=dashboard.title) as figure:
        sides: Any = figure.subfigures(1, 2, width_ratios=[1, 3.2])
        left, right = sides
        draw_group_list(left, dashboard, shown, styles)
        subfigures = right.subfigures(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0]
        for subfigure, section in zip(subfigures, dashboard.sections, strict=True):
            draw_section(subfigure, section, shown, styles)


def drawn_panels(section: Section) -> list[Panel]:
    """Return the panels of a section that are drawn: none of a folded one."""
    return [] if section.folded else [panel for panel in section.panels if isinstance(panel, DRAWN)]


def draw_group_list(subfigure: Any, dashboard: Dashboard, runs: Sequence[Run], styles: Styles) -> None:
    """Draw the list of groups: colour, name, number of runs, and the mean of the first figure among the columns."""
    figure = next(column for column in dashboard.columns if not column.setting)
    subfigure.suptitle(dashboard.title, x=0.03, ha="left", fontsize=10, fontweight="bold")
    axes = subfigure.subplots()
    axes.axis("off")
    axes.set_xlim(0, 1)
    axes.set_ylim(subfigure.bbox.height / subfigure.dpi / LINE, -1)
    axes.text(1, 0, figure.title, ha="right")
    for y, (group, style) in enumerate(styles.items(), 1):
        own = [run for run in runs if run.group == group]
        axes.plot([0, 0.055], [y - 0.2] * 2, linewidth=1.8, **style)
        axes.text(0.07, y, f"{group} ({len(own)})", fontsize=6)
        axes.text(1, y, mean_text([run.value(figure) for run in own]), ha="right", fontsize=6)


def mean_text(values: Sequence[Any]) -> str:
    """Return the mean of numbers, or a dash if there are none."""
    numbers = [float(value) for value in values if is_number(value)]
    return f"{np.mean(numbers):.4g}" if numbers else "\N{EN DASH}"


def draw_section(subfigure: Any, section: Section, runs: Sequence[Run], styles: Styles) -> None:
    """Draw the heading of a section, and its panels below it."""
    panels = drawn_panels(section)
    sign = "\N{BLACK DOWN-POINTING SMALL TRIANGLE}" if panels else "\N{BLACK RIGHT-POINTING SMALL TRIANGLE}"
    subfigure.suptitle(f"{sign} {section.title}", x=0.01, ha="left", fontsize=9, fontweight="bold")
    widths = [2 if isinstance(panel, Coordinates) else 1 for panel in panels]
    grid = subfigure.add_gridspec(max(panel_rows(section), 1), PANELS)
    for panel, width, place in zip(panels, widths, accumulate(widths, initial=0), strict=False):
        row, column = divmod(place, PANELS)
        axes = subfigure.add_subplot(grid[row, column : column + width])
        axes.set_title(getattr(panel, "title", ""), loc="left")
        draw_panel(axes, panel, runs, styles)


def panel_rows(section: Section) -> int:
    """Return the number of rows that the panels of a section take."""
    panels = drawn_panels(section)
    places = len(panels) + sum(isinstance(panel, Coordinates) for panel in panels)
    return -(-places // PANELS)
