"""attest bench."""

import argparse
import sys
import time
from pathlib import Path

from attest.benchmarks import spec
from attest.cli.overrides import only
from attest.config.compose import compose_unchecked
from attest.config.paths import tracked_results
from attest.reproduction.collate import newest_benchmarks, write_results
from attest.reproduction.pages.benchmarks import render_benchmarks_page
from attest.runs.records import Record, Store
from attest.system.files import write_text


def bench(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Each benchmark leaves a record when it is done; the report is written from all records there are."""
    from attest.benchmarks.bench import bench as measured

    wanted = [spec.load(name) for name in parsed.names or spec.names()]
    paths = only(overrides, "paths")
    results = tracked_results() if parsed.publish else Path(compose_unchecked(["scale=paper", *paths]).paths.results)
    for number, benchmark in enumerate(wanted, 1):
        print(f"{number} of {len(wanted)}: {benchmark.name} ...", file=sys.stderr, flush=True)
        began = time.perf_counter()
        write(results, benchmark, measured(benchmark))
        print(f"{benchmark.name}: {time.perf_counter() - began:,.0f} s", file=sys.stderr, flush=True)
    if parsed.publish:
        write_results(results)
    text = render_benchmarks_page(newest_benchmarks(results))
    write_text(results / "benchmarks.md", text)
    print(text)


def write(results: Path, benchmark: spec.Benchmark, record: Record) -> None:
    from attest.reproduction.figures.benchmarks import draw_benchmark

    Store(results / "records").put(record)
    for suffix in ("svg", "png"):
        draw_benchmark(benchmark, record, results / "benchmarks" / f"{benchmark.name}.{suffix}")
