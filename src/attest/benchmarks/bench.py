"""Run a benchmark and record its results."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from attest.benchmarks import (
    convergence,
    encoder_memory,
    encoding,
    epoch,
    feature_attention,
    feature_attention_memory,
    ngrams,
    optimizer,
    recurrent,
    ssa,
    step,
    transfer,
)
from attest.benchmarks.spec import Benchmark
from attest.benchmarks.subprocesses import run_in_new_process
from attest.benchmarks.timing import matrix_product_rates
from attest.config.flat import flatten
from attest.errors import MachineError
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
    Raise MachineError if the benchmark measures kernels and they cannot be built here: plain torch would pass for them.
    """
    backend, reason = backends.choose_backend("cpu", "float32")
    if backend != "native" and benchmark.name not in WITHOUT_KERNELS:
        raise MachineError(f"attest bench {benchmark.name}: it measures kernels, which cannot be built here: {reason}")
    machine = environment.describe()
    settings = {"benchmark": benchmark.name, **flatten(benchmark.options)}
    rows = run_in_new_process(measure_rows, benchmark.name, dict(benchmark.options))
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
        environment={**machine, "attention": f"{backend} - {reason}"},
        finished=utc_now(),
    )


def measure_rows(name: str, options: Mapping[str, Any]) -> list[Row]:
    """Return the rows of a benchmark. A new process calls this, so that no benchmark changes the memory of the next."""
    torch.manual_seed(0)
    return list(MEASURES[name](**options))


MEASURES: Mapping[str, Callable[..., Sequence[Row]]] = {
    "core": feature_attention.measure,
    "step": step.measure,
    "encoding": encoding.measure,
    "encoder_memory": encoder_memory.measure,
    "epoch": epoch.measure,
    "memory": feature_attention_memory.measure,
    "optimizer": optimizer.measure,
    "convergence": convergence.measure,
    "ngrams": ngrams.measure,
    "ngrams_memory": ngrams.measure_memory,
    "recurrent": recurrent.measure,
    "transfer": transfer.measure,
    "structured": ssa.measure,
    "structured_memory": ssa.measure_memory,
}
"""The name of a benchmark -> the function that takes the benchmark's options and returns its rows."""
WITHOUT_KERNELS = ("transfer",)
"""The benchmarks that call no C++ kernel, neither of attention nor of an optimiser."""
