"""Peak memory of feature-wise attention by sentence length, measured in new processes."""

from collections.abc import Sequence
from typing import Any

from attest.benchmarks.feature_attention import FUNCTIONS, make_step
from attest.benchmarks.subprocesses import added_peak_memory, run_in_new_process
from attest.benchmarks.timing import result_row
from attest.models.kernels import backends


def measure(*, batch: int, features: int, lengths: Sequence[int], repeats: int) -> list[dict[str, Any]]:
    """Return the peak memory of a step beyond its inputs, in MiB, for each of `lengths`, eager and with the kernel."""
    rows = []
    for time in lengths:
        for variant in ("eager", "kernel"):
            values = [run_in_new_process(peak_memory, variant, batch, time, features) / 2**20 for _ in range(repeats)]
            rows.append(result_row(str(time), variant, values, unit="MiB"))
    return rows


def peak_memory(variant: str, batch: int, time: int, features: int) -> int:
    """Return the peak memory of a step in this process beyond its inputs, in bytes."""
    backends.use("native" if variant == "kernel" else "reference")
    make_step(FUNCTIONS[variant], 1, 2, features)()  # so that libraries that are loaded on first use do not count
    return added_peak_memory(make_step(FUNCTIONS[variant], batch, time, features))
