"""Timing of variants that take turns in one process, so that other load on the machine affects all of them."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from attest.system.devices import Device, NumberFormat, has_bfloat16

DTYPES: dict[NumberFormat, torch.dtype] = {"fp32": torch.float32, "bf16": torch.bfloat16}
"""The type of torch's numbers in each number format."""


def result_row(case: str, variant: str, values: Sequence[float], unit: str = "s") -> dict[str, Any]:
    """Return the row of a variant in a case, with values to six significant digits."""
    return {"case": case, "variant": variant, "unit": unit, "values": [float(f"{value:.6g}") for value in values]}


def time_in_turns(variants: Mapping[str, Callable[[], object]], rounds: int, warmup: int = 3) -> dict[str, list[float]]:
    """Return the seconds of each variant in each round, after warm-up rounds.

    The variant that begins a round changes from round to round.
    """
    seconds: dict[str, list[float]] = {name: [] for name in variants}
    names = list(variants)
    for number in range(-warmup, rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            began = time.perf_counter()
            variants[name]()
            if number >= 0:
                seconds[name].append(time.perf_counter() - began)
    return seconds


def matrix_product_rate(dtype: torch.dtype, size: int = 1536) -> float:
    """Return the multiplications and additions per second of a large matrix product, the best of eight."""
    x = torch.randn(size, size).to(dtype)
    best = min(time_in_turns({"product": lambda: x @ x}, rounds=8)["product"])
    return 2 * size**3 / best


def number_formats(device: Device = "cpu") -> list[NumberFormat]:
    """Return the number formats that a device has instructions for; without them, bf16 takes a hundredfold."""
    return ["fp32", "bf16"] if has_bfloat16(device) else ["fp32"]


def matrix_product_rates() -> dict[NumberFormat, float]:
    """Return `matrix_product_rate` by the name of the format, for those of `number_formats`."""
    return {name: matrix_product_rate(DTYPES[name]) for name in number_formats()}


def exponential_rate() -> float:
    """Return the exponentials per second on numbers that fit into the cache, the best of 50."""
    x = torch.randn(2**17)
    y = torch.empty_like(x)
    return len(x) / min(time_in_turns({"exp": lambda: torch.exp(x, out=y)}, rounds=50)["exp"])
