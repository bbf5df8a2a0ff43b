"""Time and memory of n-gram attention, forward and backward: as in the text, and as implemented in DAM.

Legend: B pairs, S sentences, T words of each, N words of the longest n-gram, M n-grams, I n-grams of a sentence, D
features, W features of an n-gram.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from attest.benchmarks.subprocesses import added_peak_memory, run_in_new_process
from attest.benchmarks.timing import result_row, time_in_turns
from attest.models.attention import Layout
from attest.models.matchers.context import NGrams
from attest.models.matchers.scores import FeedForwardScores


def fast_scores(ngrams: NGrams, attention: FeedForwardScores, x_STD: Tensor) -> Tensor:
    """Return the scores e_ij (B, I, I) of the first and second half of the sentences, as DAM computes them.

    A GRU starts at every word once, for all n-grams that begin there, and the hidden layer of the attention is never
    stored.
    """
    layout = Layout(torch.ones(x_STD.shape[:2], dtype=torch.bool), packed=True)
    items_MW, items = ngrams(layout.rows(x_STD), layout)
    return attention(*items.grid(items_MW).chunk(2))


def naive_scores(ngrams: NGrams, attention: FeedForwardScores, x_STD: Tensor) -> Tensor:
    """Return the scores of `fast_scores` computed as in the text.

    A GRU runs over each n-gram separately, and the network runs on the concatenation of each pair of n-grams.
    """
    time, size = x_STD.shape[1], ngrams.gru.hidden_size
    grams = []
    for first in range(time):
        for last in range(first, min(first + ngrams.span, time)):
            states = ngrams.gru(x_STD[:, first : last + 1].transpose(0, 1))[0]
            grams.append(torch.cat([states[-1, :, :size], states[0, :, size:]], dim=-1))
    first_BIW, second_BIW = torch.stack(grams, dim=1).chunk(2)
    shape = (-1, len(grams), len(grams), -1)
    pairs = torch.cat([first_BIW[:, :, None].expand(shape), second_BIW[:, None].expand(shape)], dim=-1)
    return attention.output(attention.hidden(pairs).relu()).squeeze(-1)


VARIANTS: dict[str, Callable[[NGrams, FeedForwardScores, Tensor], Tensor]] = {
    "naive": naive_scores,
    "fast": fast_scores,
}
"""The implementations that are compared."""


def measure(*, batch: int, features: int, cases: Sequence[Sequence[int]], rounds: int) -> list[dict[str, Any]]:
    """Return the seconds of a step for each variant and case.

    A case is (time, span): the number of words in a sentence and in the longest n-gram.
    """
    rows = []
    for time, span in cases:
        variants = {name: make_step(function, batch, time, span, features) for name, function in VARIANTS.items()}
        seconds = time_in_turns(variants, rounds, warmup=1)
        rows += [result_row(case_name(time, span), name, values) for name, values in seconds.items()]
    return rows


def measure_memory(*, batch: int, features: int, cases: Sequence[Sequence[int]], repeats: int) -> list[dict[str, Any]]:
    """Return the peak memory of a step beyond its inputs, in MiB, for the variants and cases of `measure`.

    Each value is measured in a new process.
    """
    rows = []
    for time, span in cases:
        for name in VARIANTS:
            values = [
                run_in_new_process(peak_memory, name, batch, time, span, features) / 2**20 for _ in range(repeats)
            ]
            rows.append(result_row(case_name(time, span), name, values, unit="MiB"))
    return rows


def peak_memory(name: str, batch: int, time: int, span: int, features: int) -> int:
    """Return the peak memory of a step in this process beyond its inputs, in bytes."""
    make_step(VARIANTS[name], 1, 2, 1, features)()  # so that libraries that are loaded on first use do not count
    return added_peak_memory(make_step(VARIANTS[name], batch, time, span, features))


def case_name(time: int, span: int) -> str:
    """Return the name of a case, such as "20 words, 4-grams"."""
    return f"{time} words, {span}-grams"


def make_step(
    function: Callable[[NGrams, FeedForwardScores, Tensor], Tensor], batch: int, time: int, span: int, features: int
) -> Callable[[], None]:
    """Return a function that computes scores of random sentences and their gradients."""
    ngrams = NGrams(features, features, span, "doubled", 0.0)
    attention = FeedForwardScores(2 * features, features)
    parameters = [*ngrams.parameters(), *attention.parameters()]
    x_STD = torch.randn(2 * batch, time, features, requires_grad=True)

    def run_step() -> None:
        scores_BII = function(ngrams, attention, x_STD)
        torch.autograd.grad(scores_BII.sum(), [x_STD, *parameters], allow_unused=True)

    return run_step
