"""How closely two sentences are related, on a scale of grades: Tai, Socher and Manning 2015, section 5.2.

Legend: B examples of a batch, N examples of a split, K grades.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
import torch
import torch.nn.functional as F
from scipy import stats
from torch import Tensor

from attest.batching import Batch
from attest.corpus import Split
from attest.tasks.base import SentenceTask, known_of

HIGHEST = 5
"""The best grade, of five from 1 (SICK) as of six from 0 (STS)."""
LEAST = 1e-10
"""Probabilities count as at least so much (authors' code), so that no logarithm is infinite."""


class Relatedness(SentenceTask):
    """The score is r^T p with r = (6 - K, ..., 5); p is pulled to t, where r^T t is the gold score, by KL(t || p)."""

    measure: ClassVar[str] = "pearson"

    def loss(self, outputs_BO: Tensor, batch: Batch) -> Tensor:
        assert batch.scores is not None
        return divergence(outputs_BO, batch.scores)

    def share_correct(self, outputs_BO: Tensor, batch: Batch) -> Tensor:
        """The share of scores that are right to half a grade."""
        assert batch.scores is not None
        return ((expected_grade(outputs_BO) - batch.scores).abs() < 0.5).float().mean()

    @staticmethod
    def metrics(name: str, outputs_NO: Tensor, split: Split, genres: Sequence[str] = ()) -> dict[str, float]:
        assert split.scores is not None
        gold_N, said_N = np.asarray(split.scores, np.float64), expected_grade(outputs_NO.double()).numpy()
        return {
            f"{name}/pearson": correlation(gold_N, said_N),
            f"{name}/spearman": correlation(stats.rankdata(gold_N), stats.rankdata(said_N)),
            f"{name}/mse": float(((gold_N - said_N) ** 2).mean()),
            f"{name}/loss": float(divergence(outputs_NO, torch.tensor(split.scores))),
        }

    @staticmethod
    def predictions(outputs_NO: Tensor, split: Split) -> Mapping[str, np.ndarray]:
        """scores: gold; predictions: said."""
        return {
            **known_of(split),
            "scores": np.asarray(split.scores, dtype=np.float32),
            "predictions": expected_grade(outputs_NO).numpy().astype(np.float32),
        }


def correlation(first_N: np.ndarray, second_N: np.ndarray) -> float:
    """Pearson's r; of ranks, where equals share theirs, it is Spearman's rho. Who always says the same has none: 0."""
    if not np.ptp(second_N):
        return 0.0
    return float(np.corrcoef(first_N, second_N)[0, 1])


def expected_grade(logits_BK: Tensor) -> Tensor:
    """r^T p (B,)."""
    return logits_BK.softmax(-1) @ grades(logits_BK.shape[1], logits_BK)


def grades(number: int, like: Tensor) -> Tensor:
    """r (K,)."""
    return torch.arange(HIGHEST + 1 - number, HIGHEST + 1, dtype=like.dtype, device=like.device)


def divergence(logits_BK: Tensor, scores_B: Tensor) -> Tensor:
    """KL(t || p), averaged over examples."""
    target_BK = soft_labels(scores_B, logits_BK.shape[1]).to(logits_BK.dtype).clamp(min=LEAST)
    log_p_BK = logits_BK.softmax(-1).clamp(min=LEAST).log()
    return F.kl_div(log_p_BK, target_BK, reduction="batchmean")


def soft_labels(scores_B: Tensor, number: int) -> Tensor:
    """t (B, K): the two grades around a score share it, so that r^T t is the score. 3.6 is 0.4 of 3 and 0.6 of 4."""
    return (1 - (scores_B[:, None] - grades(number, scores_B)).abs()).clamp(min=0)
