"""The medians of a benchmark in one panel: lines, or groups of bars or dots.

An axis of values that begins at 0 has bars. A logarithmic axis has no 0, so the height of a bar would mean nothing
there; it has dots.
"""

import textwrap
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.ticker import FuncFormatter, LogLocator

from attest.benchmarks.ratio import median_interval, name_interval, numbers_of_rounds
from attest.reproduction.figures.mean_lines import MARKERS
from attest.reproduction.figures.style import COLOURS, colours_of
from attest.reproduction.plurals import pluralize_range

LOG_FROM = 10.0
"""The ratio of the highest to the lowest median from which on the axis of values is logarithmic."""
PAPER = "paper"
"""The variant that stands for the figures that a paper prints."""
DOT_DISTANCE = 0.16
"""The largest distance between the dots of a case, in distances between cases."""
LETTERS_PER_INCH = 10
"""The number of letters of the cases' names that fit side by side in an inch of the figure."""
PAPER_MARKER = "*"
"""The marker of a paper's figures, which no variant has."""
Style = Mapping[str, Any]
"""The settings of matplotlib for what is drawn of a variant: its colour, its marker and the style of its line."""
Rows = Sequence[Mapping[str, Any]]
"""Rows of a benchmark's record: each has a case, a variant, a unit, and the values of all rounds or steps."""


def distinct(rows: Rows, key: str) -> list[str]:
    """Return the different values of a key, in the order of the rows."""
    return list(dict.fromkeys(row[key] for row in rows))


def rows_where(rows: Rows, key: str, value: str) -> Rows:
    """Return the rows with the given value of a key."""
    return [row for row in rows if row[key] == value]


def variant_styles(rows: Rows) -> dict[str, Style]:
    """Return the style of each variant; the paper's figures are black stars.

    The variants of a model, such as "DiSAN, eager" and "DiSAN, fast", share its colour; the line of eager is dashed.
    """
    variants = distinct(rows, "variant")
    models = {variant: model_of(variant) for variant in variants}
    colours = colours_of([models[variant] for variant in variants if variant != PAPER])
    styles: dict[str, Style] = {PAPER: {"color": "black", "marker": PAPER_MARKER, "linestyle": "none"}}
    for place, variant in enumerate(variants):
        if variant != PAPER:
            is_dashed = models[variant] != variant and variant.endswith("eager")
            styles[variant] = {
                "color": colours[models[variant]],
                "marker": MARKERS[place % len(MARKERS)],
                "linestyle": "--" if is_dashed else "-",
            }
    return styles


def model_of(variant: str) -> str:
    """Return the model of a variant that names one first, as in "DiSAN, eager", else the variant."""
    model = variant.rpartition(", ")[0]
    return model if variant not in COLOURS and model in COLOURS else variant


def is_logarithmic(rows: Rows) -> bool:
    """Return whether the axis of values is logarithmic: all medians are above 0 and differ by a large factor."""
    medians = [float(np.median(row["values"])) for row in rows]
    return min(medians) > 0 and max(medians) >= LOG_FROM * min(medians)


def scale_values(axes: Any, rows: Rows) -> None:
    """Let the axis of values begin at 0, or make it logarithmic; either way its labels are plain numbers with a unit.

    This comes after drawing, since the upper end of the axis follows what is drawn.
    """
    if is_logarithmic(rows):
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.minorticks_off()
    else:
        axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.6g}"))
    axes.set_ylabel(f"{rows[0]['unit']} (median and\n{describe_interval(numbers_of_rounds(rows))})")


def describe_interval(rounds: Collection[int]) -> str:
    """Return what `median_interval` gives for these numbers of rounds, such as "95% interval of 15 rounds" or "range of
    3 rounds"."""
    return f"{name_interval(rounds)} of {pluralize_range(rounds, 'round')}"


def draw_medians(axes: Any, rows: Rows, styles: Mapping[str, Style], *, logarithmic: bool) -> None:
    """Draw lines if the cases are numbers, else a group for each case: of dots on a logarithmic axis, else of bars."""
    if all(case.replace(",", "").isdigit() for case in distinct(rows, "case")):
        draw_median_lines(axes, rows, styles)
    else:
        draw_median_groups(axes, rows, styles, bars=not logarithmic)


def draw_median_lines(axes: Any, rows: Rows, styles: Mapping[str, Style]) -> None:
    """Draw a line for each variant along the cases, on a logarithmic axis; the paper's figures are not connected."""
    number = {case: int(case.replace(",", "")) for case in distinct(rows, "case")}
    for variant in distinct(rows, "variant"):
        own = rows_where(rows, "variant", variant)
        draw_dots(axes, [number[row["case"]] for row in own], own, styles[variant])
    axes.set_xscale("log", base=2)
    axes.set_xticks(list(number.values()), list(number))
    axes.xaxis.minorticks_off()


def draw_median_groups(axes: Any, rows: Rows, styles: Mapping[str, Style], *, bars: bool) -> None:
    """Draw the variants of each case side by side, centred on the tick of the case; the paper's figures are dots."""
    cases = distinct(rows, "case")
    groups = [rows_where(rows, "case", case) for case in cases]
    width = min(0.8 / max(map(len, groups)), 1.0 if bars else DOT_DISTANCE)
    for tick, group in enumerate(groups):
        for place, row in enumerate(group):
            x, style = tick + width * (place - (len(group) - 1) / 2), styles[row["variant"]]
            if bars and row["variant"] != PAPER:
                median, error = median_and_error(row["values"])
                axes.bar(x, median, 0.94 * width, yerr=error, color=style["color"], ecolor="0.3", label=row["variant"])
            else:
                draw_dots(axes, [x], [row], {**style, "linestyle": "none"})
    for tick in range(1, len(cases)):
        axes.axvline(tick - 0.5, color="0.85", linewidth=0.8)
    letters = LETTERS_PER_INCH * axes.figure.get_figwidth() / len(axes.figure.axes) / len(cases)
    axes.set_xticks(range(len(cases)), [textwrap.fill(case, int(letters)) for case in cases])
    axes.set_xlim(-0.5, len(cases) - 0.5)
    axes.grid(visible=False, axis="x")


def draw_dots(axes: Any, x: Sequence[float], rows: Rows, style: Style) -> None:
    """Draw the medians of some rows of one variant as dots with their intervals."""
    medians, errors = zip(*(median_and_error(row["values"]) for row in rows), strict=True)
    axes.errorbar(x, medians, np.hstack(errors), markersize=5, label=rows[0]["variant"], **style)


def median_and_error(values: Sequence[float]) -> tuple[float, np.ndarray]:
    """Return the median and how far its interval reaches below and above it (2, 1)."""
    median = float(np.median(values))
    low, high = median_interval(values)
    return median, np.array([[max(median - low, 0.0)], [max(high - median, 0.0)]])
