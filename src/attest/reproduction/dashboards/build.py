"""The dashboard and the report of a table: a plain specification, which services such as Weights & Biases draw."""

from collections.abc import Sequence

from attest.reproduction.dashboards.axes import (
    main_metric,
    measured_columns,
    metric_axes,
    numbers,
    setting_axes,
    unique,
)
from attest.reproduction.pages.numbers import displayed_unit, with_unit
from attest.reproduction.pages.table_page import render_table
from attest.reproduction.pages.terminal.table_runs import render_runs
from attest.reproduction.run_context import printed_key
from attest.reproduction.specs.added_rows import added_rows_words
from attest.reproduction.specs.metric_names import DEV
from attest.reproduction.tables.cells import cells
from attest.reproduction.tables.table import Table
from attest.runs.dashboards import (
    Axis,
    Bars,
    Code,
    Comparer,
    Coordinates,
    Curves,
    Dashboard,
    Panel,
    Report,
    Scatter,
    Section,
    Text,
)
from attest.training.tasks import task_class

STEP_METRICS = {
    "train/step_loss": "Loss of a step",
    "train/lr": "Learning rate",
    "train/grad_norm": "Gradient norm before clipping",
    "train/examples_per_second": "Examples a second",
}
"""The metrics of single steps -> their titles."""
MAX_AXES = 8
"""The largest number of settings in a panel of parallel coordinates."""
TITLE_LENGTH = 128
"""The number of characters that W&B allows in the title of a report."""


def table_dashboard(table: Table) -> Dashboard:
    """Return the dashboard of a table: curves, figures beside the paper's, settings, a comparison of runs, the page."""
    spec, figures, main = table.spec, metric_axes(table), main_metric(table)
    seen = [f"{DEV}{measure}" for measure in measures_of(table)]
    best = [Axis(title=metric, key=metric, setting=False) for metric in seen]
    return Dashboard(
        name=f"{spec.name} {table.scale}",
        title=f"{spec.name}, scale {table.scale}",
        filters={f"{spec.name}.table": [spec.name], "scale": [table.scale]},
        group=f"{spec.name}.group",
        columns=[
            Axis(title="Runs", key=f"{spec.name}.group", setting=True),
            *unique([*([main] if main else []), *best, *figures]),
            Axis(title="Best step", key="best_step", setting=False),
            Axis(title="Seconds", key="cost/wall_seconds", setting=False),
        ],
        sections=[
            Section(title="Curves", panels=curves(seen)),
            *figure_section(table),
            *settings_section(table, unique([*best, *figures])),
            Section(title="Compare runs", panels=[Comparer(title="Settings and figures that differ")]),
            Section(title="Table", panels=[Text(markdown=render_table(table))]),
            Section(
                title="Steps",
                folded=True,
                panels=[Curves(title=title, metric=metric) for metric, title in STEP_METRICS.items()],
            ),
        ],
    )


def report_title(title: str, scale: str) -> str:
    """Return the title of a table's report, cut before the scale, which tells the reports of a table apart."""
    ending = f", scale {scale}"
    return title[: TITLE_LENGTH - len(ending)] + ending


def table_report(table: Table) -> Report:
    """Return the report of a table: its page with the findings, panels, and the commands that make and send it."""
    spec, dashboard = table.spec, table_dashboard(table)
    _title, _, page = render_table(table).partition("\n")
    words = " ".join([spec.name, *added_rows_words(spec), f"scale={table.scale}"])
    commands = [f"attest {command} {words}" for command in ("reproduce", "show", "wandb push")]
    return Report(
        title=report_title(spec.title, table.scale),
        description=f"{spec.source}. Paper: {spec.reference}",
        dashboard=dashboard,
        parts=[
            Text(markdown=page.strip()),
            *(
                section
                for section in dashboard.sections
                if not section.folded and not any(isinstance(panel, Text) for panel in section.panels)
            ),
            Code(title="Commands", text="\n".join([*commands, "", render_runs(table)])),
        ],
    )


def measures_of(table: Table) -> list[str]:
    """Return the measures by which the tasks of a table select the best weights, as accuracy."""
    results = [result for row in table.rows for result in row.results]
    return list(dict.fromkeys(task_class(result.cell.settings.task).measure for result in results))


def curves(metrics: Sequence[str]) -> list[Panel]:
    """Return the panels of learning curves: dev figures and losses."""
    titles = {**{metric: metric for metric in metrics}, f"{DEV}loss": "dev/loss", "train/loss": "train/loss"}
    return [Curves(title=title, metric=metric) for metric, title in titles.items()]


def figure_section(table: Table) -> list[Section]:
    """Return the section of bars, ours and, where one is printed, the paper's; no section without measured columns."""
    printed = {
        table.columns[name].metric
        for row in table.rows
        for name, figure in row.spec.paper.items()
        if table.shows_paper and name in table.columns and figure.value is not None and not row.is_cited
    }
    panels: list[Panel] = []
    for metric, column in measured_columns(table).items():
        figures = [Axis(title="ours", key=metric, setting=False)]
        if metric in printed:
            figures.append(Axis(title="paper", key=printed_key(table.spec.name, metric), setting=False))
        title = with_unit(column.title, displayed_unit(column, table.scale))
        panels.append(Bars(title=title, figures=figures))
    return [Section(title="Figures", panels=panels)] if panels else []


def settings_section(table: Table, figures: Sequence[Axis]) -> list[Section]:
    """Return the section of the settings in which the cells of a table differ; no section if they differ in none.

    Parallel coordinates lead from the settings to the figures. A scatter plot shows the main figure by the setting with
    most numbers in the rows that have run or, if no setting has several, by the number of parameters.
    """
    known = cells(table.spec, table.scale)
    axes = setting_axes(known)
    if not axes or not figures:
        return []
    shown = [result.cell for row in table.rows for result in row.results if result.group] or known
    counts = {axis.key: len(set(numbers(shown, axis.key))) for axis in axes}
    x = max(axes, key=lambda axis: counts[axis.key])
    if counts[x.key] < 2:
        x = Axis(title="parameters", key="parameters", setting=False, log=True)
    y = main_metric(table) or figures[0]
    return [
        Section(
            title="Settings",
            panels=[
                Coordinates(title="Settings and figures", axes=[*axes[:MAX_AXES], *figures]),
                Scatter(title=f"{y.title} by {x.title}", x=x, y=y),
            ],
        )
    ]
