"""Where and with what a run was made: recorded, never part of its identity."""

import os
import platform
import subprocess
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import torch

PACKAGES = (
    "attest",
    "torch",
    "pytorch-lightning",
    "hydra-core",
    "omegaconf",
    "torchmetrics",
    "numpy",
    "scipy",
    "scikit-learn",
    "wandb",
)


def describe() -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "packages": {name: found for name in PACKAGES if (found := installed(name))},
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
        "cores": os.cpu_count(),
        "threads": torch.get_num_threads(),
        "gpu": torch.cuda.get_device_name() if torch.cuda.is_available() else None,
        **commit(),
    }


def installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def commit() -> dict[str, Any]:
    """The checkout that this code runs from, if it is one."""

    def git(*arguments: str) -> str | None:
        command = ["git", "-C", str(Path(__file__).parent), *arguments]
        try:
            return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()
        except (OSError, subprocess.SubprocessError):
            return None

    ours = git("ls-files", "--error-unmatch", Path(__file__).name) is not None
    head = git("rev-parse", "HEAD") if ours else None
    return {} if head is None else {"commit": head, "uncommitted_changes": bool(git("status", "--porcelain"))}


class PeakMemory:
    """Highest memory use since the start: of the process on Linux, of the device where a GPU trains."""

    def __init__(self, device: str) -> None:
        self.device = device
        if device == "gpu":
            torch.cuda.reset_peak_memory_stats()
        else:
            with suppress(OSError):  # else the peak is that of the process since its start
                Path("/proc/self/clear_refs").write_text("5", encoding="ascii")

    def bytes(self) -> int:
        if self.device == "gpu":
            return torch.cuda.max_memory_allocated()
        try:
            return held("VmHWM")
        except OSError:
            import resource

            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def held(kind: str = "VmRSS") -> int:
    """Bytes that this process holds, or of another kind that Linux tells of."""
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return int(next(line for line in status if line.startswith(kind)).split()[1]) * 1024
