"""One benchmark in, one record out."""

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
from attest.benchmarks.timing import rates
from attest.config.schema import flatten
from attest.models.kernels import backends
from attest.runs import versions
from attest.runs.identity import digest
from attest.runs.records import Record, now
from attest.system import environment


def bench(benchmark: Benchmark) -> Record:
    """Measure here and now. The record of an earlier time on the same machine with the same torch is replaced."""
    torch.manual_seed(0)
    where = environment.describe()
    settings = {"benchmark": benchmark.name, **flatten(benchmark.options)}
    rows = MEASURES[benchmark.measure](**benchmark.options)
    if all(row["unit"] == "MiB" for row in rows):  # memory does not depend on how fast a machine is, or how busy
        measured = {}
    else:
        measured = {f"rate/{name}": number for name, number in rates().items()}
    machine = [where["processor"], where["cores"], where["threads"], where["packages"]["torch"]]
    return Record(
        id=digest([settings, versions.BENCHMARK, machine]),
        kind="bench",
        status="done",
        settings=settings,
        versions={"benchmark": versions.BENCHMARK},
        data={"fingerprint": ""},
        seed=0,
        metrics=measured,
        curve=rows,
        environment={**where, "attention": " - ".join(backends.choose_backend("cpu", "float32"))},
        finished=now(),
    )


Row = Mapping[str, Any]
"""What was measured of one variant in one case: {"case", "variant", "unit", "values"}, values as they came."""

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
