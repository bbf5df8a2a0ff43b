"""The distribution over all binary trees of a sentence: its normaliser, its best tree, the probability of each span.

The weight of a tree is exp(sum of the scores of its spans). The inside algorithm fills a chart from short spans to long
ones, for all sentences and all spans of one length together. It combines the two parts of a span by a sum or a maximum.
Gradients give the rest: the gradient of the log of the sum is the probability of each span, and the gradient of the
highest score is 1 at the spans of the best tree.

Legend: B sentences, T words of the longest, K = T + 1 borders between words. A span (i, j) holds the words between the
borders i and j. Scores of single words, of the whole sentence and of padding do not change which tree is best.
"""

from collections.abc import Callable

import torch
from torch import Tensor

Combine = Callable[[Tensor], Tensor]
"""A function that reduces the last axis, which holds one score for each way to divide a span in two."""


def log_sum(ways: Tensor) -> Tensor:
    """Return the logarithm of the summed weights of all ways to divide a span."""
    return ways.logsumexp(-1)


def maximum(ways: Tensor) -> Tensor:
    """Return the score of the best way to divide a span."""
    return ways.max(-1).values  # amax would divide the gradient among equal scores; max gives it to one of them


def inside_scores(scores_BKK: Tensor, length_B: Tensor, combine: Combine) -> Tensor:
    """Return the score (B,) that combines all trees of each sentence, by the inside algorithm.

    c(i, j) = s(i, j) + combine over i < k < j of c(i, k) + c(k, j), and c = 0 for words
    """
    borders = scores_BKK.shape[1]
    # Both parts of a span are found by slicing: left parts by (start, length), right parts by (end, length).
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
    """Return the gradient (B, K, K) of `inside_scores` with respect to the scores of the spans."""
    if scores_BKK.shape[1] < 3:  # sentences of one word have no spans of two or more words
        return torch.zeros_like(scores_BKK)
    with torch.enable_grad():
        leaves_BKK = scores_BKK.detach().requires_grad_()
        return torch.autograd.grad(inside_scores(leaves_BKK, length_B, combine).sum(), leaves_BKK)[0]


def span_probabilities(scores_BKK: Tensor, length_B: Tensor) -> Tensor:
    """Return the probability (B, K, K) of each span to be in the tree: 1 for sentences, 0 for words and padding."""
    return inside_gradient(scores_BKK, length_B, log_sum)


def best_tree(scores_BKK: Tensor, length_B: Tensor) -> Tensor:
    """Return a boolean chart (B, K, K), True at the spans of two or more words of the tree with the highest score."""
    return inside_gradient(scores_BKK, length_B, maximum) > 0.5


def likeliest_tree(scores_BKK: Tensor, length_B: Tensor) -> Tensor:
    """Return a boolean chart (B, K, K) of the tree with the highest expected number of correct spans (Goodman 1996)."""
    return best_tree(span_probabilities(scores_BKK, length_B), length_B)


def negative_log_likelihood(scores_BKK: Tensor, gold_BKK: Tensor, length_B: Tensor) -> Tensor:
    """Return -log p(gold tree) (B,), which is 0 for sentences of one or two words, since they have only one tree."""
    gold_B = scores_BKK.masked_fill(~gold_BKK, 0.0).sum((1, 2))
    return inside_scores(scores_BKK, length_B, log_sum) - gold_B


def chart_from_spans(spans: list[tuple[int, int, int]], sentences: int, words: int) -> Tensor:
    """Return a boolean chart (B, K, K), True at each (sentence, start, end) in `spans`; `words` is K - 1."""
    chart_BKK = torch.zeros(sentences, words + 1, words + 1, dtype=torch.bool)
    if spans:
        chart_BKK[tuple(torch.tensor(spans).T)] = True
    return chart_BKK
