"""attest bench: measure speed, memory and convergence, and record the results."""

import argparse
import sys
import time
from pathlib import Path

from attest.benchmarks import spec
from attest.cli.commands.figures import draw_charts
from attest.config.compose import compose_unchecked
from attest.config.paths import tracked_results
from attest.reproduction.collate import write_results
from attest.reproduction.figures.matplotlib_check import can_draw
from attest.reproduction.load import newest_benchmarks
from attest.reproduction.pages.benchmarks import render_benchmarks_page
from attest.runs.records import Record
from attest.runs.store import Store
from attest.system.files import write_text
from attest.system.signals import exit_code_of_signal


def bench(parsed: argparse.Namespace, overrides: list[str]) -> int:
    """Run benchmarks, write a record of each when it is done, then write and print the report of all records.

    Return the exit code.
    """
    try:
        measure(parsed, overrides)
    except KeyboardInterrupt:
        print("attest: stopped; benchmarks that are done are recorded, the others begin anew", file=sys.stderr)
        return exit_code_of_signal()
    return 0


def measure(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Run benchmarks, write a record of each when it is done, then write and print the report of all records."""
    from attest.benchmarks.bench import run_benchmark

    benchmarks = [spec.load_benchmark(name) for name in parsed.names or spec.benchmark_names()]
    places = compose_unchecked(["scale=paper", *overrides]).paths
    results = tracked_results() if parsed.publish else Path(places.results)
    for number, benchmark in enumerate(benchmarks, 1):
        print(f"{number} of {len(benchmarks)}: {benchmark.name} ...", file=sys.stderr, flush=True)
        began = time.perf_counter()
        write(results, benchmark, run_benchmark(benchmark))
        print(f"{benchmark.name}: {time.perf_counter() - began:,.0f} s", file=sys.stderr, flush=True)
    if parsed.publish:
        write_results(results)
    text = render_benchmarks_page(newest_benchmarks(results))
    write_text(results / "benchmarks.md", text)
    print(text)


def write(results: Path, benchmark: spec.Benchmark, record: Record) -> None:
    """Write the record and the charts of one benchmark."""
    Store(results / "records").put(record)
    if can_draw("chart"):
        draw_charts([benchmark.name], results)
