"""A training step of DiSAN at the paper's size on a GPU: eager, compiled, in bf16, and a floor.

`make bench BENCH=gpu` prints it, with torch and numpy alone; without a GPU, on the processor and with fewer steps. Data
and word vectors stay on the device, and no step waits for it: a block of steps is timed as a whole.

Legend: B sentences of a batch, two for each pair, T words of the longest, D features of a word, C classes.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attest.benchmarks.random_pairs import random_split
from attest.benchmarks.timing import result_row
from attest.models import DiSAN, PairClassifier
from attest.models.kernels import backends

SNLI_PAIRS = 549_367
"""The number of labelled training pairs of SNLI."""
PAIRS, FEATURES, CLASSES = 64, 300, 3
WORDS = 30_000

Batch = tuple[Tensor, Tensor, Tensor]
"""The word numbers of premises and hypotheses (B, T), the mask of real words (B, T), and the labels (pairs)."""


class Model(nn.Module):
    """DiSAN with fixed word vectors on the device, and a classifier of pairs."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS + 8, FEATURES)
        self.words.weight.requires_grad_(False)
        self.encoder = DiSAN(FEATURES, FEATURES)
        self.head = PairClassifier(self.encoder.width, CLASSES)

    def loss(self, batch: Batch) -> Tensor:
        """Return the mean cross-entropy of a batch."""
        tokens_BT, mask_BT, labels = batch
        premise_BW, hypothesis_BW = self.encoder(self.words(tokens_BT), mask_BT).chunk(2)
        return F.cross_entropy(self.head(premise_BW, hypothesis_BW), labels)


def device_batches(device: str, number: int) -> list[Batch]:
    """Return random batches with the lengths of SNLI, on the device."""
    split = random_split(PAIRS * number, WORDS)
    batches = []
    for begin in range(0, PAIRS * number, PAIRS):
        sentences = [side[place] for side in split.sentences for place in range(begin, begin + PAIRS)]
        longest = max(map(len, sentences))
        tokens_BT = torch.zeros(len(sentences), longest, dtype=torch.long)
        for row, sentence in zip(tokens_BT, sentences, strict=True):
            row[: len(sentence)] = torch.from_numpy(np.asarray(sentence).astype(np.int64))
        labels = torch.from_numpy(np.asarray(split.labels[begin : begin + PAIRS]).astype(np.int64))
        batches.append((tokens_BT.to(device), (tokens_BT != 0).to(device), labels.to(device)))
    return batches


def variants(device: str) -> Iterator[tuple[str, backends.Backend, AbstractContextManager[Any]]]:
    """Yield the name, the back end of attention and the number format of each variant."""
    fast: backends.Backend = "compiled" if device == "cuda" else "native"
    for number_format in ("fp32", "bf16"):
        for name, backend in (("eager", "reference"), (fast, fast)):
            half = torch.autocast(device, torch.bfloat16) if number_format == "bf16" else nullcontext()
            yield f"{name} {number_format}", backend, half  # type: ignore[misc]


def seconds_of(step: Callable[[Batch], None], batches: list[Batch], device: str, blocks: int) -> list[float]:
    """Return the seconds of a step, the mean of each block of all batches, after a block that warms up."""
    seconds = []
    for block in range(blocks + 1):
        wait(device)
        began = time.perf_counter()
        for batch in batches:
            step(batch)
        wait(device)
        if block:
            seconds.append((time.perf_counter() - began) / len(batches))
    return seconds


def wait(device: str) -> None:
    """Wait until the device has finished its work."""
    if device == "cuda":
        torch.cuda.synchronize()


def training_step(model: Model, half: AbstractContextManager[Any]) -> Callable[[Batch], None]:
    """Return a function that makes one training step without waiting for the device."""
    optimizer = torch.optim.Adadelta(filter(lambda p: p.requires_grad, model.parameters()), lr=0.5)
    model.train()

    def step(batch: Batch) -> None:
        optimizer.zero_grad()
        with half:
            loss = model.loss(batch)
        loss.backward()
        optimizer.step()

    return step


def floor_seconds(model: Model, batches: list[Batch], device: str, dtype: torch.dtype) -> float:
    """Return the seconds that the matrix products of a step take alone, forward and backward, on this device."""
    size = 4096 if device == "cuda" else 1024
    x = torch.randn(size, size, device=device, dtype=dtype)
    for _ in range(3):
        _ = x @ x
    wait(device)
    began = time.perf_counter()
    for _ in range(10):
        _ = x @ x
    wait(device)
    rate = 10 * 2 * size**3 / (time.perf_counter() - began)
    matrices = sum(p.numel() for p in model.encoder.parameters() if p.dim() >= 2)
    head = sum(p.numel() for p in model.head.parameters() if p.dim() >= 2)
    words = sum(int(mask.sum()) for _, mask, _ in batches) / len(batches)
    return 6.0 * (words * matrices + PAIRS * head) / rate


def measure(device: str, *, steps: int, blocks: int) -> list[dict[str, Any]]:
    """Return the rows of all variants: seconds of a step, hours of an epoch of SNLI's size, and peak memory."""
    batches = device_batches(device, steps)
    rows = []
    for name, backend, half in variants(device):
        torch.manual_seed(0)
        backends.use(backend)
        model = Model().to(device)
        if device == "cuda":
            torch.cuda.reset_peak_memory_stats()
        seconds = seconds_of(training_step(model, half), batches, device, blocks)
        rows.append(result_row("step", name, seconds))
        rows.append(result_row("epoch of SNLI", name, [s * SNLI_PAIRS / PAIRS for s in seconds]))
        if device == "cuda":
            rows.append(result_row("peak memory", name, [torch.cuda.max_memory_allocated()], unit="bytes"))
    backends.use("auto")
    model = Model().to(device)
    for name, dtype in (("fp32", torch.float32), ("bf16", torch.bfloat16)):
        rows.append(result_row("step", f"floor {name}", [floor_seconds(model, batches, device, dtype)]))
    return rows


def main() -> None:
    """Print the measurements of this machine's GPU or, if there is none, of its processor with fewer steps."""
    gpu = torch.cuda.is_available()
    name = torch.cuda.get_device_name() if gpu else f"no GPU that torch {torch.__version__} can use; on the processor"
    print(f"A training step of DiSAN, {PAIRS} pairs, {FEATURES} features: {name}")
    rows = measure("cuda", steps=50, blocks=5) if gpu else measure("cpu", steps=2, blocks=1)
    for row in rows:
        print(f"{row['case']:<16}{row['variant']:<18}{float(np.median(row['values'])):>14.6g} {row['unit']}")


if __name__ == "__main__":
    main()
