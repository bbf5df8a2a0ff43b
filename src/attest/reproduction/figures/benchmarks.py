"""The pictures of benchmarks, drawn from records."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from attest.benchmarks.spec import Benchmark
from attest.reproduction.figures.style import canvas
from attest.runs.records import Record


def draw_benchmark(benchmark: Benchmark, record: Record, path: Path) -> None:
    """Draw the chart of a benchmark; the same record gives the same file."""
    cases = list(dict.fromkeys(row["case"] for row in record.curve))
    curves = benchmark.measure == "convergence"
    with canvas(path, 4.2 * len(cases) if curves else 6.4, 3.2 if curves else 3.6) as figure:
        if curves:
            for axes, case in zip(np.atleast_1d(figure.subplots(1, len(cases))), cases, strict=True):
                draw_learning_curves(axes, case, record.curve)
        else:
            draw_medians(figure.subplots(), benchmark, record.curve)
        figure.suptitle(benchmark.title, fontsize=10)


def draw_medians(axes: Any, benchmark: Benchmark, rows: Sequence[Mapping[str, Any]]) -> None:
    """Draw medians by case: lines if the cases are numbers, else bars; the axis of values is logarithmic."""
    unit = rows[-1]["unit"]
    rows = [row for row in rows if row["unit"] == unit]
    variants = list(dict.fromkeys(row["variant"] for row in rows))
    cases = list(dict.fromkeys(row["case"] for row in rows))
    numeric = all(case.replace(",", "").isdigit() for case in cases)
    for place, variant in enumerate(variants):
        own = {row["case"]: float(np.median(row["values"])) for row in rows if row["variant"] == variant}
        if numeric:
            x = [int(case.replace(",", "")) for case in own]
            axes.plot(x, list(own.values()), marker="o", markersize=3, label=variant)
        else:
            x = [cases.index(case) + 0.8 * (place + 0.5) / len(variants) - 0.4 for case in own]
            axes.bar(x, list(own.values()), width=0.75 / len(variants), label=variant)
    if numeric:
        axes.set_xscale("log", base=2)
        axes.set_xticks([int(case.replace(",", "")) for case in cases], cases)
        axes.minorticks_off()
    else:
        axes.set_xticks(range(len(cases)), cases)
    axes.set_yscale("log")
    axes.set_xlabel(benchmark.axis)
    axes.set_ylabel(f"median, {unit}")
    axes.legend(frameon=False, fontsize=8)


def draw_learning_curves(axes: Any, case: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Draw the mean over seeds, with their standard deviation as a band."""
    for variant in dict.fromkeys(row["variant"] for row in rows):
        own = [row for row in rows if (row["case"], row["variant"]) == (case, variant)]
        values, steps = np.array([row["values"] for row in own]), own[0]["steps"]
        mean, deviation = values.mean(0), values.std(0, ddof=1)
        (line,) = axes.plot(steps, mean, label=variant)
        axes.fill_between(steps, mean - deviation, mean + deviation, color=line.get_color(), alpha=0.12, linewidth=0)
    axes.set_title(case, fontsize=9)
    axes.set_xlabel("step")
    axes.set_ylabel("dev accuracy, %")
    axes.legend(frameon=False, fontsize=8)
