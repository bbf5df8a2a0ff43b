"""Runs that give every test item the same label: their accuracy is the share of that label, and says nothing more."""

import math

import numpy as np

from attest.reproduction.tables.item_errors import PredictionLookup
from attest.runs.records import Record

ACCURACY = "test/accuracy"


def gives_one_label(record: Record, look_up_predictions: PredictionLookup) -> bool:
    """Return whether a run gives every test item the same label.

    Predictions are read only if the accuracy is the share of a label, which few others have.
    """
    labels = record.data.get("splits", {}).get("test", {}).get("labels") or {}
    accuracy, items = record.metrics.get(ACCURACY), sum(labels.values())
    if accuracy is None or not any(math.isclose(accuracy, 100 * n / items, abs_tol=1e-4) for n in labels.values()):
        return False
    predictions = look_up_predictions(record, ACCURACY)
    return predictions is not None and bool(np.ptp(predictions.predicted_N) == 0)
