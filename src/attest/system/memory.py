"""The memory that a run uses, on the GPU or on the CPU."""

import sys
from contextlib import suppress
from pathlib import Path

import torch


class PeakMemory:
    """The highest memory use since this object was created: of the GPU if `device` is gpu, else of this process."""

    def __init__(self, device: str) -> None:
        self.device = device
        if device == "gpu":
            torch.cuda.reset_peak_memory_stats()
        else:
            with suppress(OSError):  # where this is impossible, the peak counts from the start of the process
                Path("/proc/self/clear_refs").write_text("5", encoding="ascii")

    def bytes(self) -> int:
        """Return the highest memory use so far, in bytes."""
        if self.device == "gpu":
            return torch.cuda.max_memory_allocated()
        try:
            return process_memory("VmHWM")
        except OSError:
            import resource

            unit = 1 if sys.platform == "darwin" else 1024
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def process_memory(kind: str = "VmRSS") -> int:
    """Return the memory of this process in bytes; `kind` is the name of a line in /proc/self/status.

    VmRSS is the resident memory, VmHWM its highest value so far. Raise OSError on systems without this line.
    """
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    for line in status:
        if line.startswith(kind):
            return int(line.split()[1]) * 1024
    raise OSError(f"/proc/self/status has no line {kind}")
