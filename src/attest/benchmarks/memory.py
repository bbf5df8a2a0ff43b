"""Peak memory of feature-wise attention against the length of the sentences, each in a process of its own."""

from collections.abc import Sequence
from typing import Any

from attest.benchmarks.core import FUNCTIONS, step
from attest.benchmarks.subprocesses import fresh, peak_beyond
from attest.benchmarks.timing import row
from attest.models.kernels import backends


def measure(*, batch: int, features: int, lengths: Sequence[int], repeats: int) -> list[dict[str, Any]]:
    """What a step needs beyond its inputs."""
    rows = []
    for time in lengths:
        for variant in ("eager", "kernel"):
            values = [fresh(peak, variant, batch, time, features) / 2**20 for _ in range(repeats)]
            rows.append(row(str(time), variant, values, unit="MiB"))
    return rows


def peak(variant: str, batch: int, time: int, features: int) -> int:
    """Of one step of this process, in bytes."""
    backends.use("native" if variant == "kernel" else "reference")
    step(FUNCTIONS[variant], 1, 2, features)()  # whatever is loaded once
    return peak_beyond(step(FUNCTIONS[variant], batch, time, features))
