"""The machine and the libraries of a run. They are recorded and never part of the run id."""

import os
import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import torch

from attest.system import checkout

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
        **(checkout.checkout_state() if code is None else code),
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
