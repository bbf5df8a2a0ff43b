"""Run a benchmark and record its results."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from attest.benchmarks import (
    convergence,
    core,
    encoder_memory,
    encoding,
    epoch,
    memory,
    ngrams,
    optimizer,
    recurrent,
    step,
    structured,
    transfer,
)
from attest.benchmarks.spec import Benchmark
from attest.benchmarks.subprocesses import run_in_new_process
from attest.benchmarks.timing import matrix_product_rates
from attest.config.flat import flatten
from attest.models.kernels import backends
from attest.runs import versions
from attest.runs.identity import digest
from attest.runs.records import Record, utc_now
from attest.system import environment

Row = Mapping[str, Any]
"""The result of one variant in one case, with the keys case, variant, unit and values (in order of measurement)."""


def run_benchmark(benchmark: Benchmark) -> Record:
    """Run a benchmark on this machine and return its record.

    The record's id depends on the machine and the version of torch, so a later run on the same machine replaces it.
    """
    machine = environment.describe()
    settings = {"benchmark": benchmark.name, **flatten(benchmark.options)}
    rows = run_in_new_process(measure_rows, benchmark.measure, dict(benchmark.options))
    if all(row["unit"] == "MiB" for row in rows):  # memory does not depend on how fast a machine is, or how busy
        metrics = {}
    else:
        metrics = {f"rate/{name}": number for name, number in matrix_product_rates().items()}
    identity = [machine["processor"], machine["cores"], machine["threads"], machine["packages"]["torch"]]
    return Record(
        id=digest([settings, versions.BENCHMARK, identity]),
        kind="bench",
        status="done",
        settings=settings,
        versions={"benchmark": versions.BENCHMARK},
        data={"fingerprint": ""},
        seed=0,
        metrics=metrics,
        curve=rows,
        environment={**machine, "attention": " - ".join(backends.choose_backend("cpu", "float32"))},
        finished=utc_now(),
    )


def measure_rows(measure: str, options: Mapping[str, Any]) -> list[Row]:
    """Return the rows of a measure. A new process calls this, so that no benchmark changes the memory of the next."""
    torch.manual_seed(0)
    return list(MEASURES[measure](**options))


MEASURES: Mapping[str, Callable[..., Sequence[Row]]] = {
    "core": core.measure,
    "step": step.measure,
    "encoding": encoding.measure,
    "encoder_memory": encoder_memory.measure,
    "epoch": epoch.measure,
    "memory": memory.measure,
    "optimizer": optimizer.measure,
    "convergence": convergence.measure,
    "ngrams": ngrams.measure,
    "ngrams_memory": ngrams.measure_memory,
    "recurrent": recurrent.measure,
    "transfer": transfer.measure,
    "structured": structured.measure,
    "structured_memory": structured.measure_memory,
}
"""A benchmark's `measure` -> the function that takes the benchmark's options and returns its rows."""
