"""Classification of a sentence, or of the relation between two sentences (Bowman et al. 2016).

Legend: B examples of a batch, N examples of a split, C classes.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from attest.data.batches.batch import Batch
from attest.data.splits.split import Split
from attest.training.tasks.base import SentenceTask
from attest.training.tasks.example_facts import example_facts


class Classification(SentenceTask):
    """A classification task. The loss is the cross-entropy; the main metric is the accuracy in percent."""

    measure: ClassVar[str] = "accuracy"

    def loss(self, outputs_BO: Tensor, batch: Batch) -> Tensor:
        return F.cross_entropy(outputs_BO, batch.labels)

    def share_correct(self, outputs_BO: Tensor, batch: Batch) -> Tensor:
        return (outputs_BO.argmax(-1) == batch.labels).float().mean()

    @staticmethod
    def metrics(name: str, outputs_NO: Tensor, split: Split, genres: Sequence[str] = ()) -> dict[str, float]:
        labels_N = torch.tensor(split.labels)
        metrics = {
            f"{name}/accuracy": accuracy(outputs_NO, labels_N),
            f"{name}/loss": float(F.cross_entropy(outputs_NO, labels_N)),
        }
        for number, genre in enumerate(genres):
            rows = torch.from_numpy(np.flatnonzero(split.genres == number))
            if len(rows):
                metrics[f"{name}/accuracy/{genre}"] = accuracy(outputs_NO[rows], labels_N[rows])
        return metrics

    @staticmethod
    def predictions(outputs_NO: Tensor, split: Split) -> Mapping[str, np.ndarray]:
        """Return `example_facts`, the gold classes (`labels`) and the classes of highest logit (`predictions`)."""
        return {
            **example_facts(split),
            "labels": np.asarray(split.labels, dtype=np.int16),
            "predictions": outputs_NO.argmax(-1).numpy().astype(np.int16),
        }


def accuracy(logits_NC: Tensor, labels_N: Tensor) -> float:
    """Return the share of examples whose highest logit is that of the gold label, in percent."""
    # Imported here, because using a finished run does not need torchmetrics.
    from torchmetrics.functional.classification import multiclass_accuracy

    return 100 * float(multiclass_accuracy(logits_NC, labels_N, num_classes=logits_NC.shape[1], average="micro"))
