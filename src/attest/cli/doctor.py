"""attest doctor: the machine, and which back ends are in use."""

import argparse
from pathlib import Path

import torch

from attest.config.compose import compose
from attest.config.settings import Logger
from attest.models.kernels import backends, library
from attest.system import environment


def doctor(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Print one line for each thing that can make training slow or fail: back ends, compiler, GPU, folders."""
    settings, here = compose(overrides), environment.describe()
    threads = settings.trainer.threads or here["threads"]
    device = "cuda" if settings.trainer.accelerator == "gpu" else "cpu"
    backend, reason = backends.choose_backend(device, "float32", settings.trainer.attention)
    lines = {
        "python": f"{here['python']} on {here['system']}",
        "packages": ", ".join(f"{name} {version}" for name, version in here["packages"].items()),
        "processor": f"{here['processor']}, {here['cores']} cores, {threads} threads in use",
        "gpu": here["gpu"] or "none that torch can use",
        "attention": f"{backend}: {reason} (trainer.attention={settings.trainer.attention})",
        "compiler": library.compiler() or "none; a C++ compiler such as g++ makes attention many times faster",
        "kernels": str(library.cache_folder()),
        "precision": f"{settings.trainer.precision}; this processor has {describe_bfloat16()}",
        "data": describe_folder(Path(settings.paths.data)),
        "results": describe_folder(Path(settings.paths.results)),
        "loggers": describe_mirrors(settings.logger),
    }
    for name, text in lines.items():
        print(f"{name:<10} {text}")


def describe_mirrors(logger: Logger) -> str:
    """Return a text on which mirrors runs have, and whether Weights & Biases uploads them."""
    from attest.runs.wandb_account import wandb_mode

    kept = {"online": "runs are uploaded", "offline": "runs are kept offline", "disabled": "off, by WANDB_MODE"}
    mirrors = [f"W&B: {kept[wandb_mode(logger)]} (logger=wandb)"] if logger.wandb else []
    mirrors += ["CSV files (logger=csv)"] * logger.csv + ["TensorBoard files (logger=tensorboard)"] * logger.tensorboard
    return ", ".join(mirrors) or "none (logger=none)"


def describe_bfloat16() -> str:
    """Return a text on whether this processor has instructions for bf16. Without them, bf16 is slower than fp32."""
    flags = torch.cpu._is_avx512_bf16_supported(), torch.cpu._is_amx_tile_supported()
    return "instructions for bf16" if any(flags) else "no instructions for bf16, which will be slower than fp32"


def describe_folder(path: Path) -> str:
    """Return the path of a folder as text, with a remark if it does not exist."""
    return f"{path}" if path.is_dir() else f"{path} (does not exist yet)"
