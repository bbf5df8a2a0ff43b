"""Accuracy against the length of a sentence, from stored predictions.

Legend: N examples, B bins of lengths, R runs.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np


def by_length(
    predictions: Mapping[str, np.ndarray], bins: Sequence[int], length: str = "longest"
) -> tuple[np.ndarray, np.ndarray]:
    """Accuracy in per cent (B,), NaN in an empty bin, and the number of examples (B,). The length of a pair is that of
    its longest sentence, or the mean of both."""
    words_NS = predictions["lengths"]
    length_N = words_NS.mean(1) if length == "mean" else words_NS.max(1)
    right_N = predictions["predictions"] == predictions["labels"]
    bin_N = np.digitize(length_N, bins) - 1  # -1 where shorter than the first bin
    inside_N = bin_N >= 0
    counts_B = np.bincount(bin_N[inside_N], minlength=len(bins))
    right_B = np.bincount(bin_N[inside_N], right_N[inside_N], minlength=len(bins))
    return 100 * right_B / np.where(counts_B, counts_B, np.nan), counts_B


def labels(bins: Sequence[int]) -> list[str]:
    """5\N{EN DASH}8 and the like; the last bin has no end. A mean of 8.5 lies in that bin too."""
    closed = [(first, after - 1) for first, after in pairwise(bins)]
    texts = [f"{first}" if first == last else f"{first}\N{EN DASH}{last}" for first, last in closed]
    return [*texts, f"\N{GREATER-THAN OR EQUAL TO}{bins[-1]}"]
