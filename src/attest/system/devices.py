"""The choice of a device and of a number format for a run, from what this machine has, with the reason for it."""

import logging
from contextlib import AbstractContextManager, nullcontext
from typing import Literal

import torch

Device = Literal["gpu", "mps", "cpu"]
NumberFormat = Literal["fp32", "bf16"]
TORCH_NAMES: dict[Device, str] = {"gpu": "cuda", "mps": "mps", "cpu": "cpu"}
"""The value of trainer.accelerator -> torch's name of the kind of device."""

log = logging.getLogger(__name__)


def choose_device(wanted: Literal["auto"] | Device) -> Device:
    """Return the device for a value of trainer.accelerator.

    A GPU of Apple (mps) is taken only when it is asked for, because no figure of ours was computed on one.
    """
    if wanted != "auto":
        return wanted
    return "gpu" if torch.cuda.is_available() else "cpu"


def choose_format(wanted: Literal["auto"] | NumberFormat, device: Device) -> NumberFormat:
    """Return the number format for a value of trainer.precision on a device.

    auto: bf16 on a CPU with instructions for it. A GPU waits for the CPU to launch the many small
    operations of a step, and bf16 adds further ones: a step of DiSAN takes 11.8 ms in fp32 on an H100, and 13.9 ms in
    bf16.
    """
    if wanted != "auto":
        return wanted
    return "bf16" if device == "cpu" and has_bfloat16(device) else "fp32"


def is_available(device: Device) -> bool:
    """Return whether torch can use a device of this kind here."""
    return {"gpu": torch.cuda.is_available, "mps": torch.backends.mps.is_available, "cpu": lambda: True}[device]()


def has_bfloat16(device: Device) -> bool:
    """Return whether a device has instructions for bf16. On a device without them, bf16 is slower than fp32."""
    if device == "gpu":
        return torch.cuda.is_available() and torch.cuda.is_bf16_supported(including_emulation=False)
    return device == "cpu" and (torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported())


def warn_if_slow(number_format: NumberFormat, device: Device, instead: str) -> None:
    """Log a warning if a device has no instructions for a number format; `instead` is the setting to use."""
    if number_format == "bf16" and not has_bfloat16(device):
        name = "processor" if device == "cpu" else device
        log.warning(
            "bf16: this %s has no instructions for it, and may take a hundred times longer than with fp32; type %s",
            name, instead,
        )  # fmt: skip


def describe_devices() -> str:
    """Return a text on the GPUs that torch can use or, if there is none, on what is missing for one."""
    if count := torch.cuda.device_count():
        return ", ".join(torch.cuda.get_device_name(number) for number in range(count))
    if torch.backends.mps.is_available():
        return "Apple (trainer.accelerator=mps)"
    if torch.version.cuda is None and torch.version.hip is None:
        return f"none that torch can use: torch {torch.__version__} is built without support for GPUs"
    return "none that torch can use; `nvidia-smi` says whether the driver works"


def computed_in(number_format: NumberFormat, device: str = "cpu") -> AbstractContextManager[object]:
    """Return a context in which modules on a kind of device compute products of matrices in a number format."""
    return torch.autocast(device, torch.bfloat16) if number_format == "bf16" else nullcontext()


def compute_fp32_exactly() -> None:
    """Let GPUs compute convolutions and recurrent layers of fp32 numbers in fp32, as they do all other products.

    torch's default is TF32, which rounds the factors to 11 bits: on an H100, the output of a Bi-LSTM is then off by
    5e-4 of its largest number, and by 5e-6 without it.
    """
    torch.backends.cudnn.allow_tf32 = False


def free_bytes(device: torch.device) -> int | None:
    """Return the free memory of a GPU in bytes, or None if it is unknown, as on every other device."""
    return torch.cuda.mem_get_info(device)[0] if device.type == "cuda" else None


def synchronize(device: Device) -> None:
    """Wait until a device has finished its work; a CPU has no work left when a call returns."""
    if device == "gpu":
        torch.cuda.synchronize()
    elif device == "mps":
        torch.mps.synchronize()
