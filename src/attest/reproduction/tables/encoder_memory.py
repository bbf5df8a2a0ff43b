"""What encoders need to train, as the newest benchmark of it says: memory/eager/saved/20 are the bytes that plain torch
keeps for the backward pass where the longest of its sentences has 20 words."""

from collections.abc import Iterable, Mapping
from statistics import median
from typing import Any

from attest.reproduction.specs.metric_names import MEMORY
from attest.runs.records import Record

BENCHMARK = "encoder_memory"
MEASURED: Mapping[str, str] = {"MultiHead": "multi-head", "DiSAN": "DiSAN", "PSAN": "PSAN"}
"""Class of an encoder -> its name in the benchmark, where all have vectors as wide as the words'."""
MEBIBYTE = 2**20


def newest_benchmark(records: Iterable[Record]) -> Record | None:
    found = (record for record in records if record.kind == "bench" and record.settings["benchmark"] == BENCHMARK)
    return max((record for record in found if record.status == "done"), key=lambda one: one.finished, default=None)


def training_memory(benchmark: Record | None, target: str, name: str) -> float | None:
    """Of the encoder that a `_target_` names, in bytes, the median over repetitions; None where it was not measured."""
    way, kind, words = name.removeprefix(MEMORY).split("/")
    encoder = MEASURED.get(target.rpartition(".")[2])
    wanted = {"case": f"{words} words, {kind}", "variant": f"{encoder}, {way}"}
    rows: Iterable[Mapping[str, Any]] = benchmark.curve if benchmark is not None else ()
    values = [row["values"] for row in rows if wanted.items() <= row.items()]
    return median(values[0]) * MEBIBYTE if values else None
