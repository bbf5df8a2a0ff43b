"""All binary trees of a sentence at once: their sum, their best, and how likely each span is.

The weight of a tree is exp(sum of the scores of its spans). A chart is filled from short spans to long ones, for all
sentences and all spans of one length together; what a span takes from its parts is summed up or maximised. The rest
follows by differentiation: the gradient of the log of the sum is the probability of each span, and the gradient of the
highest score is 1 at the spans of the best tree.

Legend: B sentences, T words of the longest, K = T + 1 borders between words. A span (i, j) holds the words between the
borders i and j; scores of spans of one word, of the whole sentence and of padding change no tree.
"""

from collections.abc import Callable

import torch
from torch import Tensor

Combine = Callable[[Tensor], Tensor]
"""Over the last axis, which holds the ways to divide a span in two."""


def log_sum(ways: Tensor) -> Tensor:
    return ways.logsumexp(-1)


def maximum(ways: Tensor) -> Tensor:
    return ways.max(-1).values  # of equals one alone, where amax would divide the gradient among them


def inside_scores(scores_BKK: Tensor, length_B: Tensor, combine: Combine) -> Tensor:
    """(B,) what all trees of each sentence come to.

    c(i, j) = s(i, j) + combine over i < k < j of c(i, k) + c(k, j), and c = 0 for words
    """
    borders = scores_BKK.shape[1]
    # The parts of a span lie side by side: left ones by (start, length), right ones by (end, length).
    starting_BKT = scores_BKK.new_zeros(scores_BKK.shape)
    ending_BKT = scores_BKK.new_zeros(scores_BKK.shape)
    for length in range(2, borders):
        left = starting_BKT[:, : borders - length, 1:length]
        right = ending_BKT[:, length:, 1:length].flip(-1)
        value = combine(left + right) + scores_BKK.diagonal(length, 1, 2)
        starting_BKT[:, : borders - length, length] = value
        ending_BKT[:, length:, length] = value
    return starting_BKT[torch.arange(len(length_B), device=length_B.device), 0, length_B]


def inside_gradient(scores_BKK: Tensor, length_B: Tensor, combine: Combine) -> Tensor:
    if scores_BKK.shape[1] < 3:  # words alone have no spans that a score could count for
        return torch.zeros_like(scores_BKK)
    with torch.enable_grad():
        leaves_BKK = scores_BKK.detach().requires_grad_()
        return torch.autograd.grad(inside_scores(leaves_BKK, length_B, combine).sum(), leaves_BKK)[0]


def span_probabilities(scores_BKK: Tensor, length_B: Tensor) -> Tensor:
    """(B, K, K) how likely each span is to be in the tree; 1 for the whole sentence, 0 for words and padding."""
    return inside_gradient(scores_BKK, length_B, log_sum)


def best_tree(scores_BKK: Tensor, length_B: Tensor) -> Tensor:
    """(B, K, K) True at the spans of two words and more of the tree with the highest score."""
    return inside_gradient(scores_BKK, length_B, maximum) > 0.5


def likeliest_tree(scores_BKK: Tensor, length_B: Tensor) -> Tensor:
    """(B, K, K) True at the spans of the tree that has the most spans right, by their probabilities (Goodman 1996)."""
    return best_tree(span_probabilities(scores_BKK, length_B), length_B)


def negative_log_likelihood(scores_BKK: Tensor, gold_BKK: Tensor, length_B: Tensor) -> Tensor:
    """(B,) -log p(gold tree): 0 for sentences of one word or two, which have one tree."""
    gold_B = scores_BKK.masked_fill(~gold_BKK, 0.0).sum((1, 2))
    return inside_scores(scores_BKK, length_B, log_sum) - gold_B


def chart_from_spans(spans: list[tuple[int, int, int]], sentences: int, words: int) -> Tensor:
    """(B, K, K) True at (sentence, start, end)."""
    chart_BKK = torch.zeros(sentences, words + 1, words + 1, dtype=torch.bool)
    if spans:
        chart_BKK[tuple(torch.tensor(spans).T)] = True
    return chart_BKK
