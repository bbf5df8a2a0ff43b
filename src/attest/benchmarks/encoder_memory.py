"""What encoders need to train: the bytes that autograd keeps, and the peak of the process, each in one of its own.

Legend: B sentences, T words of the longest, D features.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attest.benchmarks.subprocesses import fresh, peak_beyond
from attest.benchmarks.timing import row
from attest.config.settings import Phrases
from attest.models.attention import Layout
from attest.models.encoders import PSAN, DiSAN, Encoder, MultiHead
from attest.syntax.parsers.baselines import BalancedParser
from attest.syntax.phrases import divide_into_phrases, phrase_bits
from attest.syntax.trees import from_spans

ENCODERS: Mapping[str, Callable[[int], Encoder]] = {
    "multi-head": lambda features: MultiHead(features, features // 2, heads=4),
    "DiSAN": lambda features: DiSAN(features, features // 2),
    "PSAN": PSAN,
}
"""By name, all of vectors as wide as the words'."""
WAYS = ("eager", "fast")
"""Plain torch on padded batches, and whatever is fastest on packed ones."""


def measure(*, batch: int, features: int, lengths: Sequence[int], repeats: int) -> list[dict[str, Any]]:
    """Of a step, forward and backward: what the process needs beyond its inputs (peak), and what is kept for the
    backward pass (saved). The longest sentence of a batch has so many words, the shortest half as many."""
    rows = []
    for time in lengths:
        for name in ENCODERS:
            for way in WAYS:
                printed = [fresh(peak_and_saved, name, way, batch, time, features) for _ in range(repeats)]
                for kind, values in zip(("peak", "saved"), zip(*printed, strict=True), strict=True):
                    sizes = [value / 2**20 for value in values]
                    rows.append(row(f"{time} words, {kind}", f"{name}, {way}", sizes, unit="MiB"))
    return rows


def peak_and_saved(name: str, way: str, batch: int, time: int, features: int) -> tuple[int, int]:
    """Of one step of this process, in bytes."""
    _, warm_up = step(name, way, 2, 4, features)
    warm_up()  # whatever is loaded once
    encoder, once = step(name, way, batch, time, features)
    return peak_beyond(once), saved_bytes(once, encoder.parameters())


def step(name: str, way: str, batch: int, time: int, features: int) -> tuple[Encoder, Callable[[], None]]:
    """An encoder by its name, and a forward and a backward pass of it."""
    from attest.models.kernels import backends

    backends.use("reference" if way == "eager" else "auto")
    torch.manual_seed(0)
    encoder = ENCODERS[name](features)
    length_B = np.linspace(time // 2, time, batch).round().astype(int)
    mask_BT = torch.arange(time) < torch.from_numpy(length_B)[:, None]
    x_BTD = torch.randn(batch, time, features)

    def once() -> None:
        layout = Layout(mask_BT, packed=way == "fast", phrases_BT=halves(length_B, time))
        encoder.zero_grad()
        encoder.encode(layout.rows(x_BTD), layout).square().sum().backward()

    return encoder, once


def halves(length_B: np.ndarray, time: int) -> Tensor:
    """(B, T) the phrases of balanced trees."""
    phrases_BT = torch.zeros(len(length_B), time, dtype=torch.long)
    for row_T, words in zip(phrases_BT, length_B.tolist(), strict=True):
        tree = from_spans([""] * words, BalancedParser().parse([[""] * words])[0])
        row_T[:words] = torch.from_numpy(phrase_bits(divide_into_phrases(tree, Phrases()), words))
    return phrases_BT


def saved_bytes(once: Callable[[], None], weights: Iterable[Tensor]) -> int:
    """All that autograd keeps for the backward pass, each piece of memory once, but for the weights, which are there
    anyway: a linear layer keeps its own transposed, in the same place."""
    kept: dict[int, int] = {}

    def keep(x: Tensor) -> Tensor:
        kept[x.untyped_storage().data_ptr()] = x.untyped_storage().nbytes()
        return x

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda x: x):
        once()
    there_anyway = {weight.untyped_storage().data_ptr() for weight in weights}
    return sum(size for place, size in kept.items() if place not in there_anyway)
