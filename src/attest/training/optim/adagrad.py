"""Adagrad (Duchi et al. 2011), also for sparse gradients of word vectors."""

from collections.abc import Callable, Iterable
from typing import Any

import torch

from attest.models.arguments import check_choice
from attest.training.optim.parameters import Rows


class Adagrad(torch.optim.Adagrad):
    """The optimiser Adagrad (Duchi et al. 2011) of torch, also for sparse gradients of word vectors.

    Word vectors that a batch does not contain have a zero gradient, and in Adagrad a zero gradient changes nothing.
    So `rows` has the same effect as touched and as dense: only the word vectors of the batch are updated.
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
        """Create the optimiser; `initial` is the first value of the sums of squares (TensorFlow: 0.1, and eps 0)."""
        check_choice("rows", rows, Rows)
        if not initial and not eps:
            raise ValueError(
                "initial and eps: both are 0, so a gradient of 0 would be divided by 0; set one of them above 0"
            )
        super().__init__(params, lr=lr, initial_accumulator_value=initial, eps=eps, weight_decay=weight_decay)

    def step(self, closure: Callable[[], float] | None = None) -> float | None:
        with torch.sparse.check_sparse_tensor_invariants(enable=False):  # torch warns unless this is set
            return super().step(closure)
