"""Memory that encoders need to train: the bytes that autograd keeps and the peak, measured in new processes.

Legend: B sentences, T words of the longest, D features.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attest.benchmarks.subprocesses import added_peak_memory, run_in_new_process
from attest.benchmarks.timing import result_row
from attest.config.settings import Phrases
from attest.models.attention import Layout
from attest.models.encoders import PSAN, DiSAN, Encoder, MultiHead
from attest.models.kernels import backends
from attest.syntax.parsers.baselines import BalancedParser
from attest.syntax.phrases import divide_into_phrases, phrase_bits
from attest.syntax.trees import from_spans

ENCODERS: Mapping[str, Callable[[int], Encoder]] = {
    "multi-head": lambda features: MultiHead(features, features // 2, heads=4),
    "DiSAN": lambda features: DiSAN(features, features // 2),
    "PSAN": PSAN,
}
"""The name of an encoder -> a function that builds it from the size of word vectors, which is also its width."""
IMPLEMENTATIONS = ("eager", "fast")
"""The implementations that are compared: plain torch on padded batches, and the fastest back end on packed batches."""


def measure(*, batch: int, features: int, lengths: Sequence[int], repeats: int) -> list[dict[str, Any]]:
    """Return rows for the memory of a training step, in MiB, by encoder and implementation.

    `peak` is the memory of the process beyond its inputs, `saved` the memory that autograd keeps for the backward pass.
    Each of `lengths` is the number of words of a batch's longest sentence; the shortest has half as many.
    """
    rows = []
    for time in lengths:
        for name in ENCODERS:
            for implementation in IMPLEMENTATIONS:
                bytes_by_repeat = [
                    run_in_new_process(peak_and_saved, name, implementation, batch, time, features)
                    for _ in range(repeats)
                ]
                for kind, values in zip(("peak", "saved"), zip(*bytes_by_repeat, strict=True), strict=True):
                    sizes = [value / 2**20 for value in values]
                    rows.append(result_row(f"{time} words, {kind}", f"{name}, {implementation}", sizes, unit="MiB"))
    return rows


def peak_and_saved(name: str, implementation: str, batch: int, time: int, features: int) -> tuple[int, int]:
    """Return the peak memory of a step in this process and the memory that autograd keeps, in bytes."""
    _, warm_up = make_step(name, implementation, 2, 4, features)
    warm_up()  # so that libraries that are loaded on first use do not count
    encoder, run_step = make_step(name, implementation, batch, time, features)
    return added_peak_memory(run_step), saved_bytes(run_step, encoder.parameters())


def make_step(
    name: str, implementation: str, batch: int, time: int, features: int
) -> tuple[Encoder, Callable[[], None]]:
    """Return an encoder by its name and a function that runs it forward and backward on random inputs."""
    backends.use("reference" if implementation == "eager" else "auto")
    torch.manual_seed(0)
    encoder = ENCODERS[name](features)
    length_B = np.linspace(time // 2, time, batch).round().astype(int)
    mask_BT = torch.arange(time) < torch.from_numpy(length_B)[:, None]
    x_BTD = torch.randn(batch, time, features)

    def run_step() -> None:
        layout = Layout(mask_BT, packed=implementation == "fast", phrases_BT=balanced_phrases(length_B, time))
        encoder.zero_grad()
        encoder.encode(layout.rows(x_BTD), layout).square().sum().backward()

    return encoder, run_step


def balanced_phrases(length_B: np.ndarray, time: int) -> Tensor:
    """Return the `Layout.phrases_BT` of balanced trees over sentences of these lengths."""
    phrases_BT = torch.zeros(len(length_B), time, dtype=torch.long)
    for row_T, words in zip(phrases_BT, length_B.tolist(), strict=True):
        tree = from_spans([""] * words, BalancedParser().parse([[""] * words])[0])
        row_T[:words] = torch.from_numpy(phrase_bits(divide_into_phrases(tree, Phrases()), words))
    return phrases_BT


def saved_bytes(run_step: Callable[[], None], weights: Iterable[Tensor]) -> int:
    """Return the bytes that autograd keeps for the backward pass of a step.

    Each block of memory is counted once. The weights are not counted, though a linear layer keeps a transposed view of
    its own, because they are in memory anyway.
    """
    bytes_by_address: dict[int, int] = {}

    def keep(x: Tensor) -> Tensor:
        bytes_by_address[x.untyped_storage().data_ptr()] = x.untyped_storage().nbytes()
        return x

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda x: x):
        run_step()
    weight_addresses = {weight.untyped_storage().data_ptr() for weight in weights}
    return sum(size for address, size in bytes_by_address.items() if address not in weight_addresses)
