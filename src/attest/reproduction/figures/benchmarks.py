"""The pictures of benchmarks, drawn from records."""

from collections.abc import Mapping
from itertools import product
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
from attest.reproduction.figures.legends import legend_below
from attest.reproduction.figures.mean_lines import LINES, MARKERS, UNBOUNDED, draw_band, draw_mean
from attest.reproduction.figures.pictures import picture_fingerprint
from attest.reproduction.figures.style import WIDTH, canvas, colours_of
from attest.reproduction.plurals import pluralize
from attest.reproduction.tables.statistics import Summary, mean_interval
from attest.runs.records import Record

PANEL = 3.4
"""The inches of a panel's width, if there are several."""
PLAIN = "plain"
"""The variant that the learning curves of the others are compared with."""


def draw_benchmark(benchmark: Benchmark, record: Record, path: Path) -> None:
    """Draw the chart of a benchmark; the same record gives the same file."""
    with matplotlib.rc_context({"svg.id": picture_fingerprint([record.id])}):
        if benchmark.name == "convergence":
            draw_convergence(benchmark, record.curve, path)
        else:
            rows = [row for row in record.curve if row["case"] not in benchmark.table_only]
            draw_costs(benchmark, with_paper(rows, benchmark.paper), path)


def draw_convergence(benchmark: Benchmark, rows: Rows, path: Path) -> None:
    """Draw the learning curves of all variants, in a panel for each case, and below them the differences from plain."""
    cases = distinct(rows, "case")
    with canvas(path, max(WIDTH, PANEL * len(cases)), 5.4, title=benchmark.title) as figure:
        upper, lower = figure.subplots(2, len(cases), squeeze=False, sharex="col", height_ratios=[3, 2])
        for above, below, case in zip(upper, lower, cases, strict=True):
            above.set_title(case, fontsize=9)
            draw_learning_curves(above, rows_where(rows, "case", case))
            draw_differences(below, rows_where(rows, "case", case))
        upper[0].set_ylabel("dev accuracy, %\n(each panel has its scale)" if len(cases) > 1 else "dev accuracy, %")
        lower[0].set_ylabel("minus plain, points")
        figure.suptitle(benchmark.title, fontsize=10)
        legend_below(figure)


def draw_learning_curves(axes: Any, rows: Rows) -> None:
    """Draw the mean over seeds of each variant, with a band of one standard deviation if there are several seeds."""
    variants = distinct(rows, "variant")
    colours = colours_of(variants)
    for variant in variants:
        runs = rows_where(rows, "variant", variant)
        values_RC = np.array([run["values"] for run in runs])
        draw_mean(
            axes,
            runs[0]["steps"],
            values_RC,
            label=f"{variant} ({pluralize(len(runs), 'run')})",
            color=colours[variant],
        )
    axes.xaxis.set_major_formatter("{x:,.0f}")


def draw_differences(axes: Any, rows: Rows) -> None:
    """Draw the mean difference of each variant from plain training, seed by seed, with its 95% interval as a band."""
    variants = distinct(rows, "variant")
    colours, plain = colours_of(variants), {run["seed"]: run["values"] for run in rows_where(rows, "variant", PLAIN)}
    for place, variant in enumerate(variants):
        runs = [run for run in rows_where(rows, "variant", variant) if run["seed"] in plain]
        if variant == PLAIN or not runs:
            continue
        difference_RC = np.array([run["values"] for run in runs]) - np.array([plain[run["seed"]] for run in runs])
        mean_C, intervals = difference_RC.mean(0), [mean_interval(Summary(tuple(column))) for column in difference_RC.T]
        half_C = np.array([
            np.nan if interval is None else interval[1] - mean
            for mean, interval in zip(mean_C, intervals, strict=True)
        ])  # fmt: skip
        style = {"color": colours[variant], "marker": MARKERS[place], "linestyle": LINES[place]}
        draw_band(axes, runs[0]["steps"], mean_C, half_C, bounds=UNBOUNDED, **style)
    axes.axhline(0, color="0.4", linewidth=0.8)
    axes.set_xlabel("step")
    axes.xaxis.set_major_formatter("{x:,.0f}")


def draw_costs(benchmark: Benchmark, rows: Rows, path: Path) -> None:
    """Draw the median time or memory of all variants by case, in one panel or several with the same scale."""
    panels, styles, logarithmic = split_panels(rows, benchmark.axis), variant_styles(rows), is_logarithmic(rows)
    with canvas(path, max(WIDTH, PANEL * len(panels)), 3.8, title=benchmark.title) as figure:
        grid = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
        for axes, (title, panel) in zip(grid, panels.items(), strict=True):
            axes.set_title(title, fontsize=9)
            axes.set_xlabel(benchmark.axis)
            draw_medians(axes, panel, styles, logarithmic=logarithmic)
        scale_values(grid[0], rows)
        figure.suptitle(benchmark.title, fontsize=10)
        legend_below(figure)


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
