"""Panels, columns and filters of a dashboard as objects of wandb-workspaces, whose ids follow from their content."""

import wandb_workspaces.reports.v2.interface as reports
import wandb_workspaces.workspaces as workspaces

from attest.runs.dashboards import Axis, Bars, Comparer, Coordinates, Curves, Dashboard, Panel, Scatter, Text
from attest.runs.identity import digest

WandbPanel = (
    reports.LinePlot
    | reports.BarPlot
    | reports.ParallelCoordinatesPlot
    | reports.ScatterPlot
    | reports.RunComparer
    | reports.MarkdownPanel
)
MAX_RUNS = 100
"""The largest number of runs in a panel; W&B's default is 10, fewer than most tables have."""


def panel_of(panel: Panel, dashboard: Dashboard, section: str) -> WandbPanel:
    """Return a panel of a workspace or report."""
    drawn_panel = wandb_panel(panel, reports.Config(dashboard.group))
    drawn_panel._id = view_part_id(dashboard.name, section, repr(panel))
    return drawn_panel


def wandb_panel(panel: Panel, group: reports.Config) -> WandbPanel:
    """Return the panel of W&B that shows the content of a panel."""
    match panel:
        case Curves():
            return reports.LinePlot(
                title=panel.title,
                y=[panel.metric],
                groupby=group,
                groupby_aggfunc="mean",
                groupby_rangefunc="stddev",
                max_runs_to_show=MAX_RUNS,
            )
        case Bars():
            return reports.BarPlot(
                title=panel.title,
                metrics=[figure.key for figure in panel.figures],
                groupby=group,
                groupby_aggfunc="mean",
                groupby_rangefunc="stddev",
                max_runs_to_show=MAX_RUNS,
                max_bars_to_show=MAX_RUNS,
            )
        case Coordinates():
            columns = [
                reports.ParallelCoordinatesPlotColumn(quantity_of(axis), display_name=axis.title, log=axis.log or None)
                for axis in panel.axes
            ]
            return reports.ParallelCoordinatesPlot(columns=columns, title=panel.title)
        case Scatter():
            return reports.ScatterPlot(
                title=panel.title, x=quantity_of(panel.x), y=quantity_of(panel.y), log_x=panel.x.log or None
            )
        case Comparer():
            return reports.RunComparer(diff_only=True)
        case Text():
            return reports.MarkdownPanel(panel.markdown)


def quantity_of(axis: Axis) -> reports.Config | reports.SummaryMetric:
    """Return a setting or a figure as W&B names it."""
    return reports.Config(axis.key) if axis.setting else reports.SummaryMetric(axis.key)


def column_of(axis: Axis) -> str:
    """Return the name of a column in W&B's list of runs."""
    return f"config:{stored_key(axis.key)}" if axis.setting else f"summary:{axis.key}"


def stored_key(key: str) -> str:
    """Return the key under which W&B stores a setting: optimizer.value.lr for optimizer.lr."""
    first, _, rest = key.partition(".")
    return ".".join(filter(None, [first, "value", rest]))


def filters_of(dashboard: Dashboard) -> workspaces.And:
    """Return the filter of the runs that a dashboard shows.

    wandb-workspaces writes filters as expressions, and reads an equals sign in a value as an operator.
    """
    return workspaces.And(*(workspaces.Config(stored_key(key)).isin([*v]) for key, v in dashboard.filters.items()))


def view_part_id(*parts: str) -> str:
    """Return an id of a part of a view, which is the same whenever it is made."""
    return digest(parts)[:11]
