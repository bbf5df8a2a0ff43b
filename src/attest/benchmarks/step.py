"""Time of a training step at the paper's size, plain and fast, on the same batches.

plain: attention in plain PyTorch, padded batches, torch's dropout, torch's Adadelta on every row of the table of word
vectors, and malloc as it is. fp32 and bf16: packed batches, C++ kernels, updates of the rows that a batch touches, and
freed memory kept in the process. "plain, memory kept" shows how much of the gain is due to the last of these.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count, islice
from typing import Any

import numpy as np
import pytorch_lightning as pl
from torch import nn

from attest.benchmarks import random_pairs
from attest.benchmarks.subprocesses import run_in_new_process
from attest.benchmarks.timing import matrix_product_rates, result_row, time_in_turns
from attest.config.compose import compose
from attest.config.settings import Settings
from attest.data.batches.batch import Batch
from attest.data.batches.protocol import training_batches
from attest.data.corpus import Corpus
from attest.data.splits.split import FIRST_WORD, PADDING, Split
from attest.models.kernels import backends
from attest.models.kernels.dropout import Dropout
from attest.system import malloc
from attest.system.devices import NumberFormat, computed_in
from attest.training.assemble import assemble_task
from attest.training.loop import fit_with_lightning
from attest.training.tasks import SentenceTask


def measure(
    *, settings: Sequence[str], words: int, rounds: int, warmup: int = 3, examples: int = 6400
) -> list[dict[str, Any]]:
    """Return the seconds of a step by variant and order of batches, with lower bounds and the time of Lightning's loop.

    The batches hold `examples` random pairs over a vocabulary of `words` words (see `random_pairs`).
    """
    composed, split = compose(settings), random_pairs.random_split(examples, words)
    per_second = matrix_product_rates()
    rows: list[dict[str, Any]] = [
        result_row("matrix product", name, [value / 1e9], unit="GFLOPS") for name, value in per_second.items()
    ]
    for case in ("unsorted", "by_length"):
        reordered = in_order(composed, case)
        apart = run_in_new_process(seconds_of_plain_steps, list(settings), case, words, rounds, warmup, examples)
        rows.append(result_row(case, "plain", apart))
        variants = {"plain, memory kept": make_plain_step(reordered, split, words)}
        for name in per_second:
            fast = fast_module(reordered, words)
            variants[name] = make_step(fast, endless_batches(reordered, split), number_format=name)
        seconds = time_in_turns(variants, rounds, warmup)
        rows += [result_row(case, name, values) for name, values in seconds.items()]
        module = fast_module(reordered, words)
        operations = [dense_operations(module, batch) for batch in timed_batches(reordered, split, rounds, warmup)]
        for name, value in per_second.items():
            rows.append(result_row(case, f"floor {name}", [number / value for number in operations]))
    rows += compare_lightning(composed, split, words, rounds)
    backends.use("auto")
    return rows


def seconds_of_plain_steps(
    settings: Sequence[str], case: str, words: int, rounds: int, warmup: int, examples: int
) -> list[float]:
    """Return the seconds of each plain step. In a process of its own, malloc is as a plain script would have it."""
    split = random_pairs.random_split(examples, words)
    step = make_plain_step(in_order(compose(settings), case), split, words, keeps_memory=False)
    return time_in_turns({"plain": step}, rounds, warmup)["plain"]


def in_order(settings: Settings, case: str) -> Settings:
    """Return the settings with this order of batches: a value of `protocol.batches`."""
    return replace(settings, protocol=replace(settings.protocol, batches=case))


def make_plain_step(settings: Settings, split: Split, words: int, *, keeps_memory: bool = True) -> Callable[[], None]:
    """Return a function that makes a step of the variant "plain", or of "plain, memory kept"."""
    batches = endless_batches(settings, split)
    return make_step(plain_module(settings, words), batches, "reference", keeps_memory=keeps_memory)


def endless_batches(settings: Settings, split: Split) -> Iterator[Batch]:
    """Return an iterator over training batches that does not end."""
    batches = training_batches(split, settings.protocol, seed=0)
    batches.stop = 10**9
    return iter(batches)


def timed_batches(settings: Settings, split: Split, rounds: int, warmup: int) -> Iterator[Batch]:
    """Return an iterator over the batches of the rounds that are timed, which follow those of the warm-up rounds."""
    return islice(endless_batches(settings, split), warmup, warmup + rounds)


def fast_module(settings: Settings, words: int) -> SentenceTask:
    """Return the module that training uses, on random vectors for a vocabulary of `words` words."""
    size = settings.vectors.size
    table = np.random.default_rng(0).normal(0, 0.3, (FIRST_WORD + words, size)).astype(np.float32)
    return assemble_task(settings, Corpus({}, [], words, table, [], {}))


def plain_module(settings: Settings, words: int) -> SentenceTask:
    """Return the module of `fast_module` made of torch's own parts: padded batches, dropout and Adadelta of torch."""
    constants = {key: value for key, value in settings.optimizer.items() if key in ("lr", "rho", "eps", "weight_decay")}
    optimizer = {"_target_": "torch.optim.Adadelta", **constants, "foreach": True}
    padded = replace(settings.trainer, packed=False)
    module = fast_module(replace(settings, optimizer=optimizer, trainer=padded), words)
    for parent in list(module.modules()):
        for name, child in parent.named_children():
            if isinstance(child, Dropout):
                setattr(parent, name, nn.Dropout(child.p))
    return module


def make_step(
    module: SentenceTask,
    batches: Iterator[Batch],
    backend: backends.Backend = "auto",
    *,
    number_format: NumberFormat = "fp32",
    keeps_memory: bool = True,
) -> Callable[[], None]:
    """Return a function that takes the next batch and makes a training step with this back end.

    As in training, the process from now on keeps the memory that it frees, unless `keeps_memory` is false.
    """
    if keeps_memory:
        malloc.keep_freed_memory()
    optimizer = module.configure_optimizers()
    module.train()

    def run_step() -> None:
        backends.use(backend)
        with computed_in(number_format):
            loss = module.training_step(next(batches), 0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return run_step


def dense_operations(module: SentenceTask, batch: Batch) -> float:
    """Return the number of multiplications and additions in the matrix products of a step, forward and backward."""
    words = sum(int((tokens != PADDING).sum()) for tokens in batch.sentences)
    encoder, head = (
        sum(p.numel() for p in part.parameters() if p.dim() >= 2) for part in (module.encoder, module.head)
    )
    return 6.0 * (words * encoder + len(batch.labels) * head)


class Laps(pl.Callback):
    """A callback that records the time at the end of each of Lightning's steps."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def on_train_batch_end(self, *arguments: Any, **more: Any) -> None:
        """Record the time."""
        self.times.append(time.perf_counter())


def compare_lightning(settings: Settings, split: Split, words: int, rounds: int) -> list[dict[str, Any]]:
    """Return rows for the seconds of a step in Lightning's loop and in a bare loop, which alternate every 20 steps."""
    turn, modules = 20, (fast_module(settings, words), fast_module(settings, words))
    bare = make_step(modules[0], endless_batches(settings, split))
    batches = training_batches(split, settings.protocol, seed=0)
    seconds_by_loop: dict[str, list[float]] = {"bare loop": [], "Lightning": []}
    for number in count():
        if len(seconds_by_loop["Lightning"]) >= rounds:
            break
        seconds = time_in_turns({"bare": bare}, turn, warmup=2)["bare"]
        laps = Laps()
        batches.start, batches.stop = 0, turn + 2
        fit_with_lightning(settings.trainer, modules[1], batches, [laps])
        if number:
            seconds_by_loop["bare loop"] += seconds
            seconds_by_loop["Lightning"] += [
                after - before for before, after in zip(laps.times[1:], laps.times[2:], strict=False)
            ]
    return [result_row("Lightning's loop, unsorted, fp32", name, values) for name, values in seconds_by_loop.items()]
