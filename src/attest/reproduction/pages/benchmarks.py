"""The page of benchmarks as markdown, from records."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from attest.benchmarks.ratio import Ratio, name_interval, numbers_of_rounds
from attest.benchmarks.spec import Benchmark, Goal
from attest.reproduction.pages.text_table import TextTable, render_markdown
from attest.reproduction.plurals import pluralize_range
from attest.reproduction.tables.statistics import Summary, mean_interval
from attest.runs.records import Record

MIN_CHART_MEDIANS = 8
"""The smallest number of medians for which there is a chart: fewer are read faster in their table."""
RowsByVariant = Mapping[tuple[str, str], Mapping[str, Any]]
"""(Case, variant) -> the row of a benchmark's record."""


def render_benchmarks_page(pairs: Iterable[tuple[Benchmark, Record]]) -> str:
    """Return the page of the benchmarks that were measured, a section each."""
    lines = ["# Benchmarks", "", INTRODUCTION]
    for benchmark, record in pairs:
        lines += ["", f"## {benchmark.title}", "", benchmark.text.strip(), "", describe_machine(record), ""]
        is_curve = benchmark.name == "convergence"
        lines += render_curves(record) if is_curve else render_benchmark_table(benchmark, record)
        if benchmark.goals:
            lines += ["", *(render_goal(goal, rows_by_variant(record)) for goal in benchmark.goals)]
        if has_chart(record):
            lines += ["", f"![{describe_picture(benchmark, record)}](benchmarks/{benchmark.name}.svg)"]
    return "\n".join(lines) + "\n"


INTRODUCTION = """\
How much the fast paths gain over plain PyTorch in time or memory, each on the machine that its section names.

- Variants take turns in one process, after warm-up rounds that do not count.
- "median" is the median over rounds; the sentence above a table says how many there are.
- Above a table stands the rate of matrix products when the benchmark began; "matrix product" in it is the rate from
  which its floors are computed.
- "x NAME" is the time or memory of NAME divided by that of the variant: above 1, the variant is faster or smaller than
  NAME. It is the median of the ratios of each round, with its 95% bootstrap interval or, of fewer than 6 rounds, which
  are too few for one, with its range.
- Lines with "reached" or "missed" compare such a ratio with a goal of ours.
- The records hold every single measurement.
- `make bench` measures again on your machine."""


def has_chart(record: Record) -> bool:
    """Return whether a benchmark has a chart: not if its record has few medians in the unit that a chart would show."""
    return sum(row["unit"] == record.curve[-1]["unit"] for row in record.curve) >= MIN_CHART_MEDIANS


def describe_picture(benchmark: Benchmark, record: Record) -> str:
    """Return the content of a benchmark's picture in a sentence: what is drawn, and the outcome of its first goal."""
    drawn = "learning curves" if benchmark.name == "convergence" else f"medians by {benchmark.axis}"
    goals = [render_goal(goal, rows_by_variant(record)) for goal in benchmark.goals]
    outcome = f". {goals[0].removeprefix('- ').replace('**', '')}" if goals else ""
    return f"{benchmark.title}: {drawn}{outcome}"


def rows_by_variant(record: Record) -> RowsByVariant:
    """Return the rows of a record by their case and variant."""
    return {(row["case"], row["variant"]): row for row in record.curve}


def describe_machine(record: Record) -> str:
    """Return a sentence on where and when a benchmark was measured: CPU, threads, torch, back end, record."""
    environment = record.environment
    rates = [f"{value / 1e9:,.0f} in {name.removeprefix('rate/')}" for name, value in record.metrics.items()]
    products = f"; matrix products at GFLOPS: {' and '.join(rates)}" if rates else ""
    commit = f", commit {environment['commit'][:7]}" if "commit" in environment else ""
    commit += " with uncommitted changes" if record.uncommitted else ""
    counts = [len(row["values"]) for row in record.curve if len(row["values"]) > 1 and "steps" not in row]
    rounds = f" {pluralize_range(counts, 'round').capitalize()}." if counts else ""
    return (
        f"{environment['processor']}, {environment['cores']} cores, {environment['threads']} threads, torch "
        f"{environment['packages']['torch']}{products}; attention: {environment['attention']}. "
        f"Record {record.id}, {record.finished[:10]}{commit}.{rounds}"
    )


def render_benchmark_table(benchmark: Benchmark, record: Record) -> list[str]:
    """Return the lines of a table of medians, with ratios to the base variant and the paper's figures where there are
    any."""
    rows, base = rows_by_variant(record), benchmark.base
    interval = name_interval(numbers_of_rounds(record.curve))
    head = [benchmark.axis, "variant", "median", *([f"x {base} ({interval})"] if base else [])]
    if benchmark.paper:
        head.append("paper")
    table = []
    for (case, variant), row in rows.items():
        cells = [case, variant, format_measurement(float(np.median(row["values"])), row["unit"])]
        if base:
            compared = (case, base) in rows and variant != base and rows[case, base]["unit"] == row["unit"]
            compared = compared and min(row["values"]) > 0  # no memory beyond that of the process can be seen
            cells.append(format_ratio(Ratio.from_times(rows[case, base]["values"], row["values"])) if compared else "")
        if benchmark.paper:
            figure = benchmark.paper.get(case)
            cells.append("" if figure is None else format_measurement(figure, row["unit"]))
        table.append(cells)
    return render_markdown(TextTable(head, table, names=2)).splitlines()


def render_goal(goal: Goal, rows: RowsByVariant) -> str:
    """Return a bullet that tells whether a goal is reached, with the ratio and its interval."""
    aim = f"{goal.variant} at {goal.case}: at least {goal.at_least:g} x {goal.versus}"
    if not {(goal.case, goal.variant), (goal.case, goal.versus)} <= rows.keys():
        known = any(variant == goal.variant for _, variant in rows)
        reason = "this record lacks it" if known else "the machine has no instructions for it"
        return f"- {aim}: not measured; {reason}"
    if min(rows[goal.case, goal.variant]["values"]) <= 0:
        return f"- {aim}: not measured; {goal.variant} needs no more memory than the process has"
    ratio = Ratio.from_times(rows[goal.case, goal.versus]["values"], rows[goal.case, goal.variant]["values"])
    verdict = "reached" if ratio.median >= goal.at_least else "**missed**"
    return f"- {aim}: {verdict}, {format_ratio(ratio)}"


def format_ratio(ratio: Ratio) -> str:
    """Return a ratio with its interval: 4.04 (3.55 to 5.04)."""
    return f"{ratio.median:.3g} ({ratio.low:.3g} to {ratio.high:.3g})"


def format_measurement(value: float, unit: str) -> str:
    """Return a figure with its unit; seconds below 1 are given in ms."""
    if unit != "s":
        return f"{value:,.4g} {unit}"
    return f"{value:,.1f} s" if value >= 1 else f"{value * 1e3:,.3g} ms"


def render_curves(record: Record) -> list[str]:
    """Return the lines of a table with each variant at the end of training, and its paired difference from plain
    training."""
    head = ["case", "variant", "seeds", "dev accuracy at the end", "minus plain", "dev loss at the end", "minus plain"]
    table = []
    grouped: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in record.curve:
        grouped.setdefault((row["case"], row["variant"]), []).append(row)
    for (case, variant), runs in grouped.items():
        cells = [case, variant, str(len(runs))]
        for key in ("values", "losses"):
            last = final_values(runs, key)
            cells.append(f"{last.mean():.3f}" + (f" ± {last.std(ddof=1):.3f}" if len(last) > 1 else ""))
            cells.append(
                "" if variant == "plain" else format_seed_difference(last - final_values(grouped[case, "plain"], key))
            )
        table.append(cells)
    return render_markdown(TextTable(head, table, names=2)).splitlines()


def final_values(runs: Sequence[Mapping[str, Any]], key: str) -> np.ndarray:
    """Return the last value of each run under the given key."""
    return np.array([run[key][-1] for run in runs])


def format_seed_difference(difference: np.ndarray) -> str:
    """Return the mean difference over seeds and its 95% interval: +0.120 (-0.310 to +0.550), or that of one seed."""
    interval = mean_interval(Summary(tuple(difference)))
    if interval is None:
        return f"{difference.mean():+.3f} ({'one seed' if len(difference) == 1 else 'the same for all seeds'})"
    return f"{difference.mean():+.3f} ({interval[0]:+.3f} to {interval[1]:+.3f})"
