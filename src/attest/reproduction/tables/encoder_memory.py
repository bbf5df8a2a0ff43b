"""The memory that encoders need to train, from the newest benchmark of it.

memory/eager/saved/20 are the bytes that plain torch keeps for the backward pass if the longest of its sentences has 20
words.
"""

from collections.abc import Iterable, Mapping
from statistics import median
from typing import Any

from attest.reproduction.specs.metric_names import MEMORY
from attest.runs.records import Record

BENCHMARK = "encoder_memory"
BENCHMARK_NAMES: Mapping[str, str] = {"MultiHead": "multi-head", "DiSAN": "DiSAN", "PSAN": "PSAN"}
"""The class of an encoder -> its name in the benchmark, where sentence vectors are as wide as word vectors."""
MEBIBYTE = 2**20


def newest_benchmark(records: Iterable[Record]) -> Record | None:
    """Return the newest finished record of the benchmark, or None if there is none."""
    measured = (record for record in records if record.kind == "bench" and record.settings["benchmark"] == BENCHMARK)
    return max(
        (record for record in measured if record.status == "done"), key=lambda record: record.finished, default=None
    )


def training_memory(benchmark: Record | None, target: str, name: str) -> float | None:
    """Return the median over repetitions, in bytes, for the encoder class that `target` names; None if it was not
    measured."""
    way, kind, words = name.removeprefix(MEMORY).split("/")
    encoder = BENCHMARK_NAMES.get(target.rpartition(".")[2])
    keys = {"case": f"{words} words, {kind}", "variant": f"{encoder}, {way}"}
    rows: Iterable[Mapping[str, Any]] = benchmark.curve if benchmark is not None else ()
    values = [row["values"] for row in rows if keys.items() <= row.items()]
    return median(values[0]) * MEBIBYTE if values else None
