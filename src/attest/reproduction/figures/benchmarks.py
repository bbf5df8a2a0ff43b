"""The pictures of benchmarks, drawn from records."""

from collections.abc import Mapping
from itertools import product
from math import ceil
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

from attest.benchmarks.spec import Benchmark
from attest.reproduction.figures.benchmark_medians import (
    PAPER,
    Rows,
    distinct,
    draw_medians,
    is_logarithmic,
    rows_where,
    scale_values,
    variant_styles,
)
from attest.reproduction.figures.mean_lines import draw_mean
from attest.reproduction.figures.pictures import picture_mark
from attest.reproduction.figures.style import canvas
from attest.reproduction.plurals import counted
from attest.runs.records import Record

WIDTH, PANEL = 6.4, 4.2
"""The inches of a picture's width with one panel, and of each panel's width with several."""
LEGEND_LETTER, LEGEND_SHAPE = 0.06, 0.55
"""The inches of a letter in the legend, and of the shape before a label with the space around it."""


def draw_benchmark(benchmark: Benchmark, record: Record, path: Path) -> None:
    """Draw the chart of a benchmark; the same record gives the same file."""
    with matplotlib.rc_context({"svg.id": picture_mark([record.id])}):
        if benchmark.name == "convergence":
            draw_convergence(benchmark, record.curve, path)
        else:
            draw_costs(benchmark, with_paper(record.curve, benchmark.paper), path)


def draw_convergence(benchmark: Benchmark, rows: Rows, path: Path) -> None:
    """Draw the learning curves of all variants, in a panel for each case."""
    cases = distinct(rows, "case")
    with canvas(path, max(WIDTH, PANEL * len(cases)), 3.6) as figure:
        for axes, case in zip(figure.subplots(1, len(cases), squeeze=False)[0], cases, strict=True):
            axes.set_title(case, fontsize=9)
            draw_learning_curves(axes, rows_where(rows, "case", case))
        add_title_and_legend(figure, benchmark.title)


def draw_learning_curves(axes: Any, rows: Rows) -> None:
    """Draw the mean over seeds of each variant, with a band of one standard deviation if there are several seeds."""
    for variant in distinct(rows, "variant"):
        runs = rows_where(rows, "variant", variant)
        values_RC = np.array([run["values"] for run in runs])
        draw_mean(axes, runs[0]["steps"], values_RC, label=f"{variant} ({counted(len(runs), 'run')})")
    axes.set_xlabel("step")
    axes.set_ylabel("dev accuracy, %")


def draw_costs(benchmark: Benchmark, rows: Rows, path: Path) -> None:
    """Draw the median time or memory of all variants by case, in one panel or several with the same scale."""
    panels, styles, logarithmic = split_panels(rows, benchmark.axis), variant_styles(rows), is_logarithmic(rows)
    with canvas(path, max(WIDTH, PANEL * len(panels)), 3.8) as figure:
        grid = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
        for axes, (title, panel) in zip(grid, panels.items(), strict=True):
            axes.set_title(title, fontsize=9)
            axes.set_xlabel(benchmark.axis)
            draw_medians(axes, panel, styles, logarithmic=logarithmic)
        scale_values(grid[0], rows)
        add_title_and_legend(figure, benchmark.title)


def add_title_and_legend(figure: Any, title: str) -> None:
    """Add a title above the panels, and below them a legend in which each label stands once."""
    drawn = [axes.get_legend_handles_labels() for axes in figure.axes]
    shapes = {label: shape for shapes, labels in drawn for shape, label in zip(shapes, labels, strict=True)}
    widths, room = [LEGEND_LETTER * len(label) + LEGEND_SHAPE for label in shapes], figure.get_figwidth()
    most = len(shapes) if sum(widths) <= room else max(1, int(room / max(widths)))
    columns = ceil(len(shapes) / ceil(len(shapes) / most))  # lines of equal length
    figure.suptitle(title, fontsize=10)
    figure.legend(shapes.values(), shapes, loc="outside lower center", ncols=columns, frameon=False, fontsize=8)


def with_paper(rows: Rows, paper: Mapping[str, float]) -> Rows:
    """Return the rows in the unit of the last row, followed by a row with the paper's figure of each case."""
    unit = rows[-1]["unit"]
    measured = rows_where(rows, "unit", unit)
    cases = [case for case in distinct(measured, "case") if case in paper]
    return [*measured, *({"case": case, "variant": PAPER, "unit": unit, "values": [paper[case]]} for case in cases)]


def split_panels(rows: Rows, axis: str) -> dict[str, Rows]:
    """Return the rows of each panel by its title.

    If the cases are all combinations of several first and several last parts, as in "10 words, peak", there is a panel
    for each last part, and its rows have the first part as their case, without a noun that is the first word of `axis`.
    Else there is one panel without a title.
    """
    parts = {case: case.rpartition(", ")[::2] for case in distinct(rows, "case")}
    heads, tails = (list(dict.fromkeys(column)) for column in zip(*parts.values(), strict=True))
    if len(heads) == 1 or len(tails) == 1 or set(parts.values()) != set(product(heads, tails)):
        return {"": rows}
    noun = f" {axis.partition(' ')[0]}"
    return {
        tail: [
            {**row, "case": parts[row["case"]][0].removesuffix(noun)} for row in rows if parts[row["case"]][1] == tail
        ]
        for tail in tails
    }
