"""Predictions of a trained module for a whole split, and the metrics made of them.

Legend: N examples of the split, C classes.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torchmetrics.functional.classification import multiclass_accuracy

from attest.batching import EvaluationBatches
from attest.corpus import Split


@torch.inference_mode()
def logits_of(module: nn.Module, split: Split, batch_size: int) -> Tensor:
    """(N, C) in the order of the split, without dropout."""
    was_training, device = module.training, next(module.parameters()).device
    module.eval()
    parts, places = [], []
    for batch in EvaluationBatches(split, batch_size):
        parts.append(module(batch.to(device)).float().cpu())
        places.append(torch.from_numpy(batch.index))
    module.train(was_training)
    logits_NC = torch.empty_like(torch.cat(parts))
    logits_NC[torch.cat(places)] = torch.cat(parts)
    return logits_NC


def metrics_of(name: str, logits_NC: Tensor, split: Split, genres: Sequence[str] = ()) -> dict[str, float]:
    """name/accuracy, name/loss, and name/accuracy/genre for each genre that the split has."""
    labels_N = torch.tensor(split.labels)
    found = {
        f"{name}/accuracy": accuracy(logits_NC, labels_N),
        f"{name}/loss": float(F.cross_entropy(logits_NC, labels_N)),
    }
    for number, genre in enumerate(genres):
        chosen = torch.from_numpy(np.flatnonzero(split.genres == number))
        if len(chosen):
            found[f"{name}/accuracy/{genre}"] = accuracy(logits_NC[chosen], labels_N[chosen])
    return found


def accuracy(logits_NC: Tensor, labels_N: Tensor) -> float:
    """Share of examples, in per cent, whose highest logit is that of the gold label."""
    return 100 * float(multiclass_accuracy(logits_NC, labels_N, num_classes=logits_NC.shape[1], average="micro"))


def predictions_of(logits_NC: Tensor, split: Split) -> Mapping[str, np.ndarray]:
    """What a record keeps of the test set: rows of the official file, gold labels and predicted classes."""
    return {
        "rows": np.asarray(split.rows),
        "labels": np.asarray(split.labels, dtype=np.int16),
        "predictions": logits_NC.argmax(-1).numpy().astype(np.int16),
    }
