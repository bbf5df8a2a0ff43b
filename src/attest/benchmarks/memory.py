"""Peak memory of feature-wise attention against the length of the sentences, each in a process of its own."""

import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from attest.benchmarks.timing import row

CODE = """
import sys, torch
from attest.benchmarks.core import FUNCTIONS, step
from attest.environment import PeakMemory
from attest.kernels import backends, library
variant, batch, time, features = sys.argv[1], *map(int, sys.argv[2:])
backends.use("native" if variant == "kernel" else "reference")
step(FUNCTIONS[variant], 1, 2, features)()  # whatever is loaded once
once = step(FUNCTIONS[variant], batch, time, features)
before = int(next(l for l in open("/proc/self/status") if l.startswith("VmRSS")).split()[1]) * 1024
peak = PeakMemory("cpu")
once()
print(peak.bytes() - before)
"""


def measure(*, batch: int, features: int, lengths: Sequence[int], repeats: int) -> list[dict[str, Any]]:
    """What a step needs beyond its inputs."""
    rows = []
    for time in lengths:
        for variant in ("eager", "kernel"):
            command = [sys.executable, "-c", CODE, variant, *map(str, (batch, time, features))]
            values = [
                int(subprocess.run(command, check=True, capture_output=True, text=True).stdout) / 2**20
                for _ in range(repeats)
            ]
            rows.append(row(str(time), variant, values, unit="MiB"))
    return rows
