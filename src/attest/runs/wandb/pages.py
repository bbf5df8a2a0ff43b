"""Dashboards and reports as workspaces and reports of wandb-workspaces."""

import wandb_workspaces.reports.v2.interface as reports
import wandb_workspaces.workspaces as workspaces

from attest.runs.dashboards import Code, Dashboard, Report, Section, Text
from attest.runs.wandb.panels import MAX_RUNS, column_of, filters_of, panel_of, view_part_id

GRID = (24, 8, 6)
"""The width of a report's grid, and the width and height of a panel in it."""


def workspace_of(dashboard: Dashboard, entity: str, project: str) -> workspaces.Workspace:
    """Return a dashboard as a workspace of a project, which no one has saved yet."""
    return workspaces.Workspace(
        entity=entity,
        project=project,
        name=dashboard.title,
        sections=[section_of(section, dashboard) for section in dashboard.sections],
        settings=workspaces.WorkspaceSettings(max_runs=MAX_RUNS),
        runset_settings=workspaces.RunsetSettings(
            filters=filters_of(dashboard),
            groupby=[workspaces.Config(dashboard.group)],
            pinned_columns=list(map(column_of, dashboard.columns)),
        ),
    )


def section_of(section: Section, dashboard: Dashboard) -> workspaces.Section:
    """Return a section of a workspace, with three panels side by side."""
    panels: list[reports.PanelTypes] = [panel_of(panel, dashboard, section.title) for panel in section.panels]
    return workspaces.Section(
        name=section.title,
        is_open=not section.folded,
        panels=panels,
        layout_settings=workspaces.SectionLayoutSettings(columns=3, rows=2),
    )


def wandb_report(report: Report, entity: str, project: str, *, linked: bool) -> reports.Report:
    """Return a report of a project; only if `linked`, its panels name the project, which W&B is then asked for."""
    owner = (entity, project) if linked else ("", "")
    blocks: list[reports.BlockTypes] = []
    for part in report.parts:
        match part:
            case Text():
                blocks.append(reports.MarkdownBlock(part.markdown))
            case Code():
                code = reports.CodeBlock(part.text, language=None)
                blocks.append(reports.H2(part.title, collapsed_blocks=[code]))
            case Section():
                blocks += [reports.H2(part.title), grid_of(part, report.dashboard, *owner)]
    return reports.Report(
        project=project,
        entity=entity,
        title=report.title,
        description=report.description,
        blocks=blocks,
        width="fluid",
    )


def grid_of(section: Section, dashboard: Dashboard, entity: str, project: str) -> reports.PanelGrid:
    """Return the panels of a report's section, with the runs that they show."""
    width, panel_width, height = GRID
    panels: list[reports.PanelTypes] = []
    for number, panel in enumerate(section.panels):
        row, column = divmod(number, width // panel_width)
        drawn_panel = panel_of(panel, dashboard, section.title)
        drawn_panel.layout = reports.Layout(x=column * panel_width, y=row * height, w=panel_width, h=height)
        panels.append(drawn_panel)
    runs = reports.Runset(
        entity=entity,
        project=project,
        name=dashboard.title,
        filters=filters_of(dashboard),
        groupby=[f"config.{dashboard.group}"],
        pinned_columns=["run:displayName", *map(column_of, dashboard.columns)],
    )
    runs._id = view_part_id(dashboard.name, section.title)
    return reports.PanelGrid(runsets=[runs], panels=panels)
