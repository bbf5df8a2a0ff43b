"""The machine, the libraries and the commit of a run. They are recorded and never part of the run id."""

import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
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
"""The packages whose versions are recorded."""


def describe(code: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the `environment` of a record: versions, processor, cores, threads, GPU and the commit of the code.

    `code` is the state of the checkout when the code was loaded; None: the state now.
    """
    return {
        "python": platform.python_version(),
        "packages": {name: release for name in PACKAGES if (release := installed_version(name))},
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor_name(),
        "cores": os.cpu_count(),
        "threads": torch.get_num_threads(),
        "gpu": torch.cuda.get_device_name() if torch.cuda.is_available() else None,
        **(checkout_state() if code is None else code),
    }


def device_name(device: str) -> str:
    """Return the name of the GPU if `device` is gpu, else that of the processor or of its kind."""
    if device == "gpu":
        return torch.cuda.get_device_name()
    return "GPU of Apple" if device == "mps" else processor_name() or platform.machine()


@cache
def installed_version(name: str) -> str | None:
    """Return the version of an installed package, or None if it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def processor_name() -> str:
    """Return the model name of the processor, or an empty string if the system does not say."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def checkout_state() -> dict[str, Any]:
    """Return the commit of the git checkout that this code runs from and whether it has uncommitted changes, or an
    empty mapping if the code is installed.

    Changes of results and of Markdown do not count: a run writes them itself, and no figure follows from them.
    """

    def git(*arguments: str) -> str | None:
        command = ["git", "-C", str(Path(__file__).parent), *arguments]
        try:
            return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()
        except (OSError, subprocess.SubprocessError):
            return None

    ours = git("ls-files", "--error-unmatch", Path(__file__).name) is not None
    head = git("rev-parse", "HEAD") if ours else None
    if head is None:
        return {}
    changes = git("status", "--porcelain", "--", ":(top)", ":(top,exclude)results", ":(top,exclude)*.md")
    return {"commit": head, "uncommitted_changes": bool(changes)}


def state_of_parts(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the state of the checkout over all parts of a run that was interrupted: that of the last part, marked as
    uncommitted if that of any part was."""
    last = dict(parts[-1])
    if any(part.get("uncommitted_changes") for part in parts):
        last["uncommitted_changes"] = True
    return last


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
