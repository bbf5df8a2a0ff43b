"""Fair timing: variants take turns in one process, so that whatever else the machine does meets all of them."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

RESAMPLES = 2000


def row(case: str, variant: str, values: Sequence[float], unit: str = "s") -> dict[str, Any]:
    return {"case": case, "variant": variant, "unit": unit, "values": [float(f"{value:.6g}") for value in values]}


def interleaved(variants: Mapping[str, Callable[[], object]], rounds: int, warmup: int = 3) -> dict[str, list[float]]:
    """Seconds of each variant in each round, after rounds that do not count; who begins, changes."""
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


@dataclass(frozen=True)
class Ratio:
    """The median over rounds, and where it would fall in 95 of 100 repetitions with other rounds."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, base: Sequence[float], other: Sequence[float]) -> "Ratio":
        """How many times longer `base` took than `other`, round by round where both ran in turns."""
        rng = np.random.default_rng(0)
        if len(base) == len(other):
            ratios = np.array(base) / np.array(other)
            drawn = np.median(rng.choice(ratios, (RESAMPLES, len(ratios))), axis=1)
            return cls(float(np.median(ratios)), *map(float, np.quantile(drawn, [0.025, 0.975])))
        tops, bottoms = (np.median(rng.choice(x, (RESAMPLES, len(x))), axis=1) for x in (base, other))
        return cls(float(np.median(base) / np.median(other)), *map(float, np.quantile(tops / bottoms, [0.025, 0.975])))


def rate(dtype: torch.dtype, size: int = 1536) -> float:
    """Multiplications and additions per second of a large matrix product, the best of several."""
    x = torch.randn(size, size).to(dtype)
    best = min(interleaved({"product": lambda: x @ x}, rounds=8)["product"])
    return 2 * size**3 / best


def rates() -> dict[str, float]:
    """By precision."""
    return {"fp32": rate(torch.float32), "bf16": rate(torch.bfloat16)}


def exponential_rate() -> float:
    """Exponentials per second on numbers that lie in the cache, the best of several."""
    x = torch.randn(2**17)
    y = torch.empty_like(x)
    return len(x) / min(interleaved({"exp": lambda: torch.exp(x, out=y)}, rounds=50)["exp"])
