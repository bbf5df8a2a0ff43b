"""Time of an optimiser's step on a table of word vectors, by the size of the vocabulary.

Legend: V words of the table, R words of a batch, E features.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F

from attest.benchmarks.timing import result_row, time_in_turns
from attest.training.optim import Adadelta, Adagrad

OPTIMIZERS: dict[str, tuple[Callable[..., torch.optim.Optimizer], bool]] = {
    "torch Adadelta, all rows": (partial(torch.optim.Adadelta, lr=0.5, rho=0.95, eps=1e-8, foreach=True), False),
    "Adadelta rows=touched": (Adadelta, True),
    "Adadelta rows=dense": (partial(Adadelta, rows="dense"), True),
    "torch Adagrad, all rows": (partial(torch.optim.Adagrad, lr=0.05, foreach=True), False),
    "Adagrad rows=touched": (Adagrad, True),
}
"""A constructor for each variant, and whether its gradients are sparse."""


def measure(*, vocabularies: Sequence[int], words: int, features: int, rounds: int) -> list[dict[str, Any]]:
    """Return the seconds of looking up a batch, its gradient and the optimiser's step.

    The cases are the sizes of the vocabulary in `vocabularies`, the variants those of OPTIMIZERS.
    """
    rows = []
    for size in vocabularies:
        variants = {}
        for name, (make, sparse) in OPTIMIZERS.items():
            table_VE = torch.nn.Parameter(torch.randn(size, features))
            variants[name] = make_step(table_VE, make([table_VE]), words, sparse)
        seconds = time_in_turns(variants, rounds)
        rows += [result_row(f"{size:,}", name, values) for name, values in seconds.items()]
    return rows


def make_step(
    table_VE: torch.nn.Parameter, optimizer: torch.optim.Optimizer, words: int, sparse: bool
) -> Callable[[], None]:
    """Return a function that looks up a batch of random words and makes a step."""
    generator = torch.Generator().manual_seed(0)

    def run_step() -> None:
        tokens_R = torch.randint(len(table_VE), (words,), generator=generator)
        optimizer.zero_grad()
        F.embedding(tokens_R, table_VE, sparse=sparse).sum().backward()
        optimizer.step()

    return run_step
