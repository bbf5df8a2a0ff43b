"""Adagrad (Duchi et al. 2011) for tables of word vectors too."""

from collections.abc import Callable, Iterable
from typing import Any

import torch

from attest.training.optim.parameters import Rows, check_rows


class Adagrad(torch.optim.Adagrad):
    """Adagrad (Duchi et al. 2011) as torch has it, for tables of word vectors too.

    Word vectors that a batch does not contain have a zero gradient, and a zero gradient changes nothing here. So
    `rows` touched and dense are the same function; both touch the rows of the batch alone.
    """

    def __init__(
        self,
        params: Iterable[Any],
        *,
        lr: float = 0.01,
        initial: float = 0.0,
        eps: float = 1e-10,
        weight_decay: float = 0.0,
        rows: Rows = "touched",
    ) -> None:
        """`initial`: what the sums of squares start at (TensorFlow: 0.1, and eps 0)."""
        check_rows(rows)
        if not initial and not eps:
            raise ValueError("initial and eps are not both 0: a gradient of 0 would be divided by 0")
        super().__init__(params, lr=lr, initial_accumulator_value=initial, eps=eps, weight_decay=weight_decay)

    def step(self, closure: Callable[[], float] | None = None) -> float | None:
        with torch.sparse.check_sparse_tensor_invariants(enable=False):  # torch warns where nothing is said
            return super().step(closure)
