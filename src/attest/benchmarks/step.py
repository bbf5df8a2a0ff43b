"""A whole training step at the paper's size: the fast way beside the plain one, on the same batches.

plain: attention as PyTorch computes it, padded batches, torch's dropout, and torch's Adadelta on every row of the
table of word vectors. fp32 and bf16: packed batches, kernels, and rows that a batch touches.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import count, islice
from typing import Any

import numpy as np
import pytorch_lightning as pl
import torch
from torch import nn

from attest.benchmarks import snli_shaped
from attest.benchmarks.timing import interleaved, rates, row
from attest.config.compose import compose
from attest.config.settings import Settings
from attest.data.batch import Batch
from attest.data.corpus import Corpus
from attest.data.samplers import training_batches
from attest.data.split import FIRST_WORD, PADDING, Split
from attest.models.kernels import backends
from attest.models.kernels.dropout import Dropout
from attest.system import malloc
from attest.training.assemble import assemble
from attest.training.loop import loop
from attest.training.tasks import SentenceTask


def measure(
    *, settings: Sequence[str], words: int, rounds: int, warmup: int = 3, examples: int = 6400
) -> list[dict[str, Any]]:
    composed, split = compose(settings), snli_shaped.split(examples, words)
    per_second = rates()
    rows: list[dict[str, Any]] = [
        row("matrix product", name, [value / 1e9], unit="GFLOPS") for name, value in per_second.items()
    ]
    for case in ("unsorted", "by_length"):
        protocol = replace(composed.protocol, batches=case)
        chosen = replace(composed, protocol=protocol)
        variants = {
            "plain": stepper(plain(chosen, words), batches(chosen, split), "reference"),
            "fp32": stepper(fast(chosen, words), batches(chosen, split)),
            "bf16": stepper(fast(chosen, words), batches(chosen, split), half=True),
        }
        seconds = interleaved(variants, rounds, warmup)
        rows += [row(case, name, values) for name, values in seconds.items()]
        module = fast(chosen, words)
        operations = [dense_operations(module, batch) for batch in islice(batches(chosen, split), rounds)]
        for name, value in per_second.items():
            rows.append(row(case, f"floor {name}", [number / value for number in operations]))
    rows += lightning(composed, split, words, rounds)
    backends.use("auto")
    return rows


def batches(settings: Settings, split: Split) -> Iterator[Batch]:
    drawn = training_batches(split, settings.protocol, seed=0)
    drawn.stop = 10**9
    return iter(drawn)


def fast(settings: Settings, words: int) -> SentenceTask:
    """The module as training makes it, on random word vectors."""
    size = settings.vectors.size
    table = np.random.default_rng(0).normal(0, 0.3, (FIRST_WORD + words, size)).astype(np.float32)
    return assemble(settings, Corpus({}, [], words, table, [], {}))


def plain(settings: Settings, words: int) -> SentenceTask:
    """The same made of torch's own parts."""
    constants = {key: value for key, value in settings.optimizer.items() if key in ("lr", "rho", "eps", "weight_decay")}
    optimizer = {"_target_": "torch.optim.Adadelta", **constants, "foreach": True}
    padded = replace(settings.trainer, packed=False)
    module = fast(replace(settings, optimizer=optimizer, trainer=padded), words)
    for parent in list(module.modules()):
        for name, child in parent.named_children():
            if isinstance(child, Dropout):
                setattr(parent, name, nn.Dropout(child.p))
    return module


def stepper(
    module: SentenceTask, drawn: Iterator[Batch], backend: backends.Backend = "auto", *, half: bool = False
) -> Callable[[], None]:
    malloc.keep_freed_memory()  # as training does
    optimizer = module.configure_optimizers()
    module.train()

    def once() -> None:
        backends.use(backend)
        with torch.autocast("cpu", torch.bfloat16) if half else nullcontext():
            loss = module.training_step(next(drawn), 0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return once


def dense_operations(module: SentenceTask, batch: Batch) -> float:
    """Multiplications and additions of the matrix products: forward, and twice as many backward."""
    words = sum(int((tokens != PADDING).sum()) for tokens in batch.sentences)
    encoder, head = (
        sum(p.numel() for p in part.parameters() if p.dim() >= 2) for part in (module.encoder, module.head)
    )
    return 6.0 * (words * encoder + len(batch.labels) * head)


class Laps(pl.Callback):
    """Wall time between the beginnings of steps, as Lightning makes them."""

    def __init__(self) -> None:
        self.began: list[float] = []

    def on_train_batch_end(self, *arguments: Any, **more: Any) -> None:
        self.began.append(time.perf_counter())


def lightning(settings: Settings, split: Split, words: int, rounds: int) -> list[dict[str, Any]]:
    """The same steps made by Lightning's loop and by a bare one, in turns of 20."""
    turn, modules = 20, (fast(settings, words), fast(settings, words))
    bare = stepper(modules[0], batches(settings, split))
    drawn = training_batches(split, settings.protocol, seed=0)
    found: dict[str, list[float]] = {"bare loop": [], "Lightning": []}
    for number in count():
        if len(found["Lightning"]) >= rounds:
            break
        seconds = interleaved({"bare": bare}, turn, warmup=2)["bare"]
        laps = Laps()
        drawn.start, drawn.stop = 0, turn + 2
        loop(settings.trainer, modules[1], drawn, [laps])
        if number:
            found["bare loop"] += seconds
            found["Lightning"] += [
                after - before for before, after in zip(laps.began[1:], laps.began[2:], strict=False)
            ]
    return [row("Lightning's loop, unsorted, fp32", name, values) for name, values in found.items()]
