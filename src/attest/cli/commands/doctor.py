"""attest doctor: the machine, and which back ends are in use."""

import argparse
import os
from pathlib import Path

import torch

from attest.config.compose import compose, compose_unchecked
from attest.config.settings import Logger
from attest.data.batches.device import describe_limit
from attest.models.kernels import backends, library
from attest.system import environment
from attest.system.devices import TORCH_NAMES, Device, choose_device, describe_devices, has_bfloat16, is_available


def doctor(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Print one line for each thing that can make training slow or fail: back ends, compiler, GPU, folders."""
    settings, here, wanted = compose(overrides), environment.describe(), compose_unchecked(overrides).trainer
    trainer = settings.trainer
    device = choose_device(wanted.accelerator)
    threads = trainer.threads or here["threads"]
    backend, reason = backends.choose_backend(TORCH_NAMES[device], "float32", trainer.attention)
    lines = {
        "python": f"{here['python']} on {here['system']}",
        "packages": ", ".join(f"{name} {version}" for name, version in here["packages"].items()),
        "processor": f"{here['processor']}, {here['cores']} cores; {threads} used at scale={settings.scale}",
        "gpu": describe_devices(),
        "device": f"{device}{describe_choice(wanted.accelerator, device)}{describe_memory(device)}",
        "attention": f"{backend}: {reason} (trainer.attention={trainer.attention})",
        "compiler": library.compiler() or "none; a C++ compiler such as g++ makes attention many times faster",
        "kernels": str(library.cache_folder()),
        "precision": f"{trainer.precision}; {describe_bfloat16(device)}",
        "data": describe_folder(Path(settings.paths.data)),
        "results": describe_folder(Path(settings.paths.results)),
        "loggers": describe_mirrors(settings.logger),
    }
    for name, text in lines.items():
        print(f"{name:<10} {text}")


def describe_mirrors(logger: Logger) -> str:
    """Return a text on which mirrors runs have, and whether Weights & Biases uploads them."""
    mirrors = [f"W&B: {describe_wandb(logger)} (logger=wandb)"] if logger.wandb else []
    if logger.csv:
        mirrors.append("CSV files (logger=csv)")
    if logger.tensorboard:
        mirrors.append("TensorBoard files (logger=tensorboard)")
    return ", ".join(mirrors) or "none (logger=none)"


def describe_wandb(logger: Logger) -> str:
    """Return a text on whether Weights & Biases uploads runs, and on what says otherwise."""
    from attest.runs.wandb.account import has_api_key, wandb_mode

    mode = wandb_mode(logger)
    if mode == "disabled":
        return "off, by WANDB_MODE" if os.environ.get("WANDB_MODE") else "off, by `wandb disabled`; type wandb enabled"
    if mode == "offline":
        return "runs are kept offline"
    return "runs are uploaded" if has_api_key() else "runs are uploaded once there is an API key; type wandb login"


def describe_choice(wanted: str, device: Device) -> str:
    """Return the end of a line on the device of a run: why it is taken, and whether it is missing."""
    missing = "" if is_available(device) else ", but torch finds none here, so that no run starts"
    if wanted != "auto":
        return f", as trainer.accelerator={wanted} says{missing}"
    return ", since torch finds one" if device == "gpu" else ", since torch finds no GPU of NVIDIA or AMD"


def describe_memory(device: Device) -> str:
    """Return a text on how large training data may be that stay in the memory of a GPU; "" for other devices."""
    return describe_limit(torch.device(TORCH_NAMES[device])) if is_available(device) else ""


def describe_bfloat16(device: Device) -> str:
    """Return a text on whether a device has instructions for bf16, and whether they make it faster than fp32."""
    name = "this processor" if device == "cpu" else f"the {device}"
    if has_bfloat16(device):
        taken = "which trainer.precision=auto takes" if device == "cpu" else "which save no time with models this small"
        return f"{name} has instructions for bf16, {taken}"
    return f"{name} has no instructions for bf16, which would be slower than fp32"


def describe_folder(path: Path) -> str:
    """Return the path of a folder as text, with a remark if it does not exist."""
    return f"{path}" if path.is_dir() else f"{path} (does not exist yet)"
