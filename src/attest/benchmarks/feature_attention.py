"""Time of feature-wise attention alone, forward and backward, by back end and sentence length.

Legend: B sentences, T words of each, D features.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from attest.benchmarks.timing import exponential_rate, result_row, time_in_turns
from attest.models.attention import feature_attention
from attest.models.attention.feature import compiled_attention, reference_attention
from attest.models.kernels import backends

FUNCTIONS: Mapping[str, Callable[..., Tensor]] = {
    "eager": reference_attention,
    "compiled": lambda *tensors, **options: compiled_attention()(*tensors, **options),
    "kernel": feature_attention,
}
"""The implementations that are compared."""


def measure(*, words: int, features: int, lengths: Sequence[int], rounds: int) -> list[dict[str, Any]]:
    """Return the seconds of a step for each of `lengths` and each implementation.

    A batch has about `words` words in sentences of one length. The variant "two exponentials" is the time of the
    exponentials alone, a lower bound.
    """
    backends.use("native")
    rows: list[dict[str, Any]] = []
    exponentials = exponential_rate()
    for time in lengths:
        batch = max(1, words // time)
        variants = {name: make_step(function, batch, time, features) for name, function in FUNCTIONS.items()}
        seconds = time_in_turns(variants, rounds)
        rows += [result_row(str(time), name, values) for name, values in seconds.items()]
        # Forward has two exponentials for each score, of which the mask leaves half; backward computes them again.
        scores = batch * time * (time - 1) / 2 * features
        rows.append(result_row(str(time), "two exponentials", [2 * 2 * scores / exponentials]))
    backends.use("auto")
    return rows


def make_step(function: Callable[..., Tensor], batch: int, time: int, features: int) -> Callable[[], None]:
    """Return a function that runs attention forward and backward on random inputs (B, T, D)."""
    inputs_BTD = [torch.randn(batch, time, features, requires_grad=True) for _ in range(3)]
    gradient_BTD, lengths = torch.randn(batch, time, features), torch.full((batch,), time)

    def run_step() -> None:
        s_BTD = function(*inputs_BTD, direction="forward", lengths=lengths, scale=5.0)
        torch.autograd.grad(s_BTD, inputs_BTD, gradient_BTD)

    return run_step
