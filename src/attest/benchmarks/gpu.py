"""A training step of DiSAN at the paper's size on a GPU: eager, compiled, in bf16, and a floor.

`make bench BENCH=gpu` prints the measurements, and needs torch and numpy alone. Without a GPU, it measures fewer steps
on the processor. The task, its optimiser and the batches are those of training: data and word vectors stay on the
device, and no step waits for it. A block of steps is timed as a whole.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import torch

from attest.benchmarks.random_pairs import random_split
from attest.benchmarks.timing import DTYPES, number_formats, result_row
from attest.data.batches.batch import Batch
from attest.data.batches.training import UnsortedBatches
from attest.data.splits.split import FIRST_WORD
from attest.models import DiSAN, PairClassifier
from attest.models.kernels import backends
from attest.models.word_vectors import WordVectors
from attest.system.devices import TORCH_NAMES, Device, computed_in, synchronize
from attest.training.optim import Adadelta
from attest.training.tasks import Classification

SNLI_PAIRS = 549_367
"""The number of labelled training pairs of SNLI."""
PAIRS, FEATURES, CLASSES = 64, 300, 3
WORDS = 30_000


def disan_task(device: str) -> Classification:
    """Return DiSAN with a classifier of pairs and random word vectors, on the device and in training mode."""
    table_VE = torch.randn(FIRST_WORD + WORDS, FEATURES)
    encoder = DiSAN(FEATURES, FEATURES, dropout=0.25)
    task = Classification(
        WordVectors(table_VE, WORDS, trainable=True, unknown_range=0.05, sparse=True),
        encoder,
        PairClassifier(encoder.width, CLASSES),
        Adadelta,
        weight_decay=5e-5,
    )
    return task.to(device).train()


def device_batches(device: str, number: int) -> UnsortedBatches:
    """Return random batches with the lengths of SNLI, which are packed on the device."""
    batches = UnsortedBatches(random_split(PAIRS * number, WORDS), PAIRS, seed=0, stop=number)
    batches.device = torch.device(device)
    return batches


def variants(device: Device) -> Iterator[tuple[str, backends.Backend, AbstractContextManager[Any]]]:
    """Yield the name, the back end of attention and the number format of each variant."""
    fast: backends.Backend = "compiled" if device == "gpu" else "native"
    for number_format in number_formats(device):
        for name, backend in (("eager", "reference"), (fast, fast)):
            context = computed_in(number_format, TORCH_NAMES[device])
            yield f"{name} {number_format}", backend, context  # type: ignore[misc]


def seconds_of(step: Callable[[Batch], object], batches: UnsortedBatches, device: Device, blocks: int) -> list[float]:
    """Return the seconds of a step, the mean of each block of all batches, after a block that warms up."""
    seconds = []
    for block in range(blocks + 1):
        synchronize(device)
        began = time.perf_counter()
        for batch in batches:
            step(batch)
        synchronize(device)
        if block:
            seconds.append((time.perf_counter() - began) / len(batches))
    return seconds


def training_step(
    task: Classification, optimizer: torch.optim.Optimizer, half: AbstractContextManager[Any] | None = None
) -> Callable[[Batch], torch.Tensor]:
    """Return a function that makes one training step without waiting for the device, and returns its loss there."""

    def step(batch: Batch) -> torch.Tensor:
        optimizer.zero_grad()
        with half or nullcontext():
            loss = task.training_step(batch, 0)
        loss.backward()
        task.clip_gradients()
        optimizer.step()
        return loss.detach()

    return step


def floor_seconds(task: Classification, batches: Iterable[Batch], device: Device, dtype: torch.dtype) -> float:
    """Return the seconds that the matrix products of a step take alone, forward and backward, on this device."""
    size = 4096 if device == "gpu" else 1024
    x = torch.randn(size, size, device=TORCH_NAMES[device], dtype=dtype)
    for _ in range(3):
        _ = x @ x
    synchronize(device)
    began = time.perf_counter()
    for _ in range(10):
        _ = x @ x
    synchronize(device)
    rate = 10 * 2 * size**3 / (time.perf_counter() - began)
    matrices = sum(p.numel() for p in task.encoder.parameters() if p.dim() >= 2)
    head = sum(p.numel() for p in task.head.parameters() if p.dim() >= 2)
    words = float(np.mean([sum(map(sum, batch.lengths or ())) for batch in batches]))
    return 6.0 * (words * matrices + PAIRS * head) / rate


def measure(device: Device, *, steps: int, blocks: int) -> list[dict[str, Any]]:
    """Return the rows of all variants: seconds of a step and of an epoch of SNLI's size, and peak memory."""
    torch_name = TORCH_NAMES[device]
    batches = device_batches(torch_name, steps)
    rows = []
    for name, backend, half in variants(device):
        torch.manual_seed(0)
        backends.use(backend)
        task = disan_task(torch_name)
        if device == "gpu":
            torch.cuda.reset_peak_memory_stats()
        seconds = seconds_of(training_step(task, task.configure_optimizers(), half), batches, device, blocks)
        rows.append(result_row("step", name, seconds))
        rows.append(result_row("epoch of SNLI", name, [s * SNLI_PAIRS / PAIRS for s in seconds]))
        if device == "gpu":
            rows.append(result_row("peak memory", name, [torch.cuda.max_memory_allocated()], unit="bytes"))
    backends.use("auto")
    task = disan_task(torch_name)
    floors = {name: floor_seconds(task, batches, device, DTYPES[name]) for name in number_formats(device)}
    rows += [result_row("step", f"floor {name}", [seconds]) for name, seconds in floors.items()]
    return rows


def main() -> None:
    """Print the measurements of this machine's GPU or, if there is none, of its processor with fewer steps."""
    gpu = torch.cuda.is_available()
    name = torch.cuda.get_device_name() if gpu else f"no GPU that torch {torch.__version__} can use; on the processor"
    print(f"A training step of DiSAN, {PAIRS} pairs, {FEATURES} features: {name}")
    rows = measure("gpu", steps=50, blocks=5) if gpu else measure("cpu", steps=2, blocks=1)
    for row in rows:
        print(f"{row['case']:<16}{row['variant']:<18}{float(np.median(row['values'])):>14.6g} {row['unit']}")


if __name__ == "__main__":
    main()
