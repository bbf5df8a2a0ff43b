"""Relatedness of two sentences on a scale of grades (Tai, Socher and Manning 2015, section 5.2).

Legend: B examples of a batch, N examples of a split, K grades.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor

from attest.data.batches.batch import Batch
from attest.data.splits.split import Split
from attest.models.heads.relatedness import divergence, expected_grade
from attest.system.correlation import pearson, spearman
from attest.training.tasks.base import SentenceTask
from attest.training.tasks.example_facts import example_facts


class Relatedness(SentenceTask):
    """A regression task on pairs of sentences, with Pearson's r as its main metric.

    The predicted score is r^T p with r = (6 - K, ..., 5), where p is the predicted distribution over grades. The loss
    is KL(t || p) for the target distribution t, for which r^T t is the gold score.
    """

    measure: ClassVar[str] = "pearson"

    def loss(self, outputs_BO: Tensor, batch: Batch) -> Tensor:
        assert batch.scores is not None
        return divergence(outputs_BO, batch.scores)

    def share_correct(self, outputs_BO: Tensor, batch: Batch) -> Tensor:
        """Return the share of predicted scores, from 0 to 1, that are less than half a grade from the gold score."""
        assert batch.scores is not None
        return ((expected_grade(outputs_BO) - batch.scores).abs() < 0.5).float().mean()

    @staticmethod
    def metrics(name: str, outputs_NO: Tensor, split: Split, genres: Sequence[str] = ()) -> dict[str, float]:
        assert split.scores is not None
        gold_N, predicted_N = np.asarray(split.scores, np.float64), expected_grade(outputs_NO.double()).numpy()
        return {
            f"{name}/pearson": pearson(gold_N, predicted_N),
            f"{name}/spearman": spearman(gold_N, predicted_N),
            f"{name}/mse": float(((gold_N - predicted_N) ** 2).mean()),
            f"{name}/loss": float(divergence(outputs_NO, torch.tensor(split.scores))),
        }

    @staticmethod
    def predictions(outputs_NO: Tensor, split: Split) -> Mapping[str, np.ndarray]:
        """Return `example_facts`, the gold scores (`scores`) and the predicted scores (`predictions`)."""
        return {
            **example_facts(split),
            "scores": np.asarray(split.scores, dtype=np.float32),
            "predictions": expected_grade(outputs_NO).numpy().astype(np.float32),
        }
