"""Benchmarks as markdown, from records alone."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from attest.benchmarks.spec import Benchmark, Goal
from attest.benchmarks.timing import Ratio
from attest.reproduction.tables.statistics import Summary, difference_interval
from attest.runs.records import Record

Values = Mapping[tuple[str, str], Mapping[str, Any]]
"""(case, variant) -> the row of a record."""


def markdown(pairs: Iterable[tuple[Benchmark, Record]]) -> str:
    parts = ["# Benchmarks", "", INTRODUCTION]
    for benchmark, record in pairs:
        parts += ["", f"## {benchmark.title}", "", benchmark.text.strip(), "", machine(record), ""]
        parts += curves(record) if benchmark.measure == "convergence" else table(benchmark, record)
        if benchmark.goals:
            parts += ["", *(judged(goal, rows_of(record)) for goal in benchmark.goals)]
        parts += ["", f"![{benchmark.title}](benchmarks/{benchmark.name}.svg)"]
    return "\n".join(parts) + "\n"


INTRODUCTION = """\
Variants take turns in one process, after rounds that do not count. A figure is the median over rounds; "x" is the
median of the ratios of each round, with its 95% bootstrap interval. All times as they came are in the records. `make
bench` measures again on your machine."""


def rows_of(record: Record) -> Values:
    return {(row["case"], row["variant"]): row for row in record.curve}


def machine(record: Record) -> str:
    where = record.environment
    rates = [f"{value / 1e9:,.0f} in {name.removeprefix('rate/')}" for name, value in record.metrics.items()]
    products = f"; matrix products at GFLOPS: {' and '.join(rates)}" if rates else ""
    commit = f", commit {where['commit'][:7]}" if "commit" in where else ""
    return (
        f"{where['processor']}, {where['cores']} cores, {where['threads']} threads, torch "
        f"{where['packages']['torch']}{products}; attention: {where['attention']}. "
        f"Record {record.id}, {record.finished[:10]}{commit}."
    )


def table(benchmark: Benchmark, record: Record) -> list[str]:
    rows, base = rows_of(record), benchmark.base
    head = [benchmark.axis, "variant", "median", *([f"x {base}"] if base else [])]
    if benchmark.paper:
        head.append("paper")
    lines = ["| " + " | ".join(head) + " |", "| --- | --- |" + " ---: |" * (len(head) - 2)]
    for (case, variant), row in rows.items():
        cells = [case, variant, in_unit(float(np.median(row["values"])), row["unit"])]
        if base:
            compared = (case, base) in rows and variant != base and rows[case, base]["unit"] == row["unit"]
            cells.append(times(Ratio.of(rows[case, base]["values"], row["values"])) if compared else "")
        if benchmark.paper:
            figure = benchmark.paper.get(case)
            cells.append("" if figure is None else in_unit(figure, row["unit"]))
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def judged(goal: Goal, rows: Values) -> str:
    ratio = Ratio.of(rows[goal.case, goal.versus]["values"], rows[goal.case, goal.variant]["values"])
    verdict = "reached" if ratio.median >= goal.at_least else "**missed**"
    aim = f"{goal.variant} at {goal.case}: at least {goal.at_least:g} x {goal.versus}"
    return f"- {aim}: {verdict}, {times(ratio)}"


def times(ratio: Ratio) -> str:
    return f"{ratio.median:.3g} ({ratio.low:.3g} to {ratio.high:.3g})"


def in_unit(value: float, unit: str) -> str:
    if unit != "s":
        return f"{value:,.4g} {unit}"
    return f"{value:,.1f} s" if value >= 1 else f"{value * 1e3:,.3g} ms"


def curves(record: Record) -> list[str]:
    """Each variant at the end, and its paired difference from plain training over the whole curve."""
    lines = ["| case | variant | seeds | dev accuracy at the end | minus plain | dev loss at the end | minus plain |"]
    lines.append("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    grouped: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in record.curve:
        grouped.setdefault((row["case"], row["variant"]), []).append(row)
    for (case, variant), runs in grouped.items():
        cells = [case, variant, str(len(runs))]
        for key in ("values", "losses"):
            last = last_of(runs, key)
            cells.append(f"{last.mean():.3f} ± {last.std(ddof=1):.3f}")
            cells.append("" if variant == "plain" else paired(last - last_of(grouped[case, "plain"], key)))
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def last_of(runs: Sequence[Mapping[str, Any]], key: str) -> np.ndarray:
    return np.array([run[key][-1] for run in runs])


def paired(difference: np.ndarray) -> str:
    """Mean over seeds, and the interval that holds the true mean in 95 of 100 such experiments."""
    interval = difference_interval(Summary(tuple(difference)))
    assert interval is not None  # convergence is measured with several seeds
    return f"{difference.mean():+.3f} ({interval[0]:+.3f} to {interval[1]:+.3f})"
