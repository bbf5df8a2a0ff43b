"""N-gram attention, forward and backward: as written down, and with one walk per word and no pair stored.

Legend: B pairs, S sentences, T words of each, N words of the longest n-gram, M n-grams, I n-grams of a sentence, D
features, W features of an n-gram.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from attest.benchmarks.subprocesses import fresh, peak_beyond
from attest.benchmarks.timing import interleaved, row
from attest.models.attention import Layout
from attest.models.matchers.context import NGrams
from attest.models.matchers.scores import FeedForwardScores


def fast(ngrams: NGrams, attention: FeedForwardScores, x_STD: Tensor) -> Tensor:
    """e_ij (B, I, I) of the first and the second half of the sentences."""
    layout = Layout(torch.ones(x_STD.shape[:2], dtype=torch.bool), packed=True)
    items_MW, items = ngrams(layout.rows(x_STD), layout)
    return attention(*items.grid(items_MW).chunk(2))


def naive(ngrams: NGrams, attention: FeedForwardScores, x_STD: Tensor) -> Tensor:
    """The same: a GRU run over every n-gram by itself, and a network run on every pair of n-grams side by side."""
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


VARIANTS: dict[str, Callable[[NGrams, FeedForwardScores, Tensor], Tensor]] = {"naive": naive, "fast": fast}


def measure(*, batch: int, features: int, cases: Sequence[Sequence[int]], rounds: int) -> list[dict[str, Any]]:
    """Seconds of a step; `cases` are words of a sentence and of the longest n-gram."""
    rows = []
    for time, span in cases:
        variants = {name: step(function, batch, time, span, features) for name, function in VARIANTS.items()}
        seconds = interleaved(variants, rounds, warmup=1)
        rows += [row(case_of(time, span), name, values) for name, values in seconds.items()]
    return rows


def measure_memory(*, batch: int, features: int, cases: Sequence[Sequence[int]], repeats: int) -> list[dict[str, Any]]:
    """What a step needs beyond its inputs, each time in a process of its own."""
    rows = []
    for time, span in cases:
        for name in VARIANTS:
            values = [fresh(peak, name, batch, time, span, features) / 2**20 for _ in range(repeats)]
            rows.append(row(case_of(time, span), name, values, unit="MiB"))
    return rows


def peak(name: str, batch: int, time: int, span: int, features: int) -> int:
    """Of one step of this process, in bytes."""
    step(VARIANTS[name], 1, 2, 1, features)()  # whatever is loaded once
    return peak_beyond(step(VARIANTS[name], batch, time, span, features))


def case_of(time: int, span: int) -> str:
    return f"{time} words, {span}-grams"


def step(
    function: Callable[[NGrams, FeedForwardScores, Tensor], Tensor], batch: int, time: int, span: int, features: int
) -> Callable[[], None]:
    ngrams = NGrams(features, features, span, "doubled", 0.0)
    attention = FeedForwardScores(2 * features, features)
    parameters = [*ngrams.parameters(), *attention.parameters()]
    x_STD = torch.randn(2 * batch, time, features, requires_grad=True)

    def once() -> None:
        scores_BII = function(ngrams, attention, x_STD)
        torch.autograd.grad(scores_BII.sum(), [x_STD, *parameters], allow_unused=True)

    return once
