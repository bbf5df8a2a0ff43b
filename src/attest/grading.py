"""A score as a distribution over grades: Tai, Socher and Manning 2015, section 5.2.

Legend: B examples, K grades.
"""

import torch
import torch.nn.functional as F
from torch import Tensor

from attest.attention.masked import full

HIGHEST = 5
"""The best grade, of five from 1 (SICK) as of six from 0 (STS)."""
LEAST = 1e-10
"""Probabilities count as at least so much (authors' code), so that no logarithm is infinite."""


def expected_grade(logits_BK: Tensor) -> Tensor:
    """r^T p (B,)."""
    p_BK = full(logits_BK).softmax(-1)
    return (p_BK * grades(p_BK.shape[1], p_BK)).sum(-1)


def grades(number: int, like: Tensor) -> Tensor:
    """r (K,)."""
    return torch.arange(HIGHEST + 1 - number, HIGHEST + 1, dtype=like.dtype, device=like.device)


def divergence(logits_BK: Tensor, scores_B: Tensor) -> Tensor:
    """KL(t || p), averaged over examples. In fp32 at least: near a good fit, p - t is lost among the digits of bf16."""
    p_BK = full(logits_BK).softmax(-1)
    target_BK = soft_labels(scores_B, p_BK.shape[1]).to(p_BK.dtype).clamp(min=LEAST)
    log_p_BK = p_BK.clamp(min=LEAST).log()
    return F.kl_div(log_p_BK, target_BK, reduction="batchmean")


def soft_labels(scores_B: Tensor, number: int) -> Tensor:
    """t (B, K): the two grades around a score share it, so that r^T t is the score. 3.6 is 0.4 of 3 and 0.6 of 4."""
    return (1 - (scores_B[:, None] - grades(number, scores_B)).abs()).clamp(min=0)
