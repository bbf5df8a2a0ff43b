"""Whether a difference would hold on other test items: another question than whether other seeds would give it.

A figure of N items moves by U_n / N when item n counts once more, so that its standard error is sqrt(sum U_n^2) / N:
the infinitesimal jackknife (Jaeckel 1972), what a bootstrap over items comes to without drawing any. For
shares and means it is the usual standard error.

Legend: N items of a test set, M items of all runs together.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from attest.reproduction.specs.metric_names import SUBSET, without_subset
from attest.reproduction.tables.subsets import SUBSET_MASKS, arrays_of
from attest.runs.records import Record, Store


@dataclass(frozen=True, eq=False)
class ItemPredictions:
    """What one run said of the items behind a figure."""

    rows_N: np.ndarray
    """Their rows in the official file."""
    gold_N: np.ndarray
    predicted_N: np.ndarray


PredictionLookup = Callable[[Record, str], ItemPredictions | None]
"""A run and one of its metrics -> what it said, if that was kept and the metric is known here."""


def no_predictions(record: Record, metric: str) -> ItemPredictions | None:
    return None


def of_accuracy(gold_N: np.ndarray, predicted_N: np.ndarray) -> np.ndarray:
    """U (N,) of a share, in per cent."""
    right_N = 100.0 * (gold_N == predicted_N)
    return right_N - right_N.mean()


def of_correlation(gold_N: np.ndarray, predicted_N: np.ndarray) -> np.ndarray:
    """U (N,) of Pearson's r: x y - r (x^2 + y^2) / 2 of standardised x and y."""
    if not np.ptp(gold_N) or not np.ptp(predicted_N):  # r is 0 then, whatever the items
        return np.zeros(len(gold_N))
    x_N, y_N = (standardised(each_N.astype(np.float64)) for each_N in (gold_N, predicted_N))
    return x_N * y_N - (x_N * y_N).mean() * (x_N**2 + y_N**2) / 2


def standardised(values_N: np.ndarray) -> np.ndarray:
    return (values_N - values_N.mean()) / values_N.std()


INFLUENCE: Mapping[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "test/accuracy": of_accuracy,
    "test/pearson": of_correlation,
}


def predictions_behind(
    record: Record, metric: str, subsets: Sequence[Record], stores: Sequence[Store]
) -> ItemPredictions | None:
    """From the predictions beside a record; of a view, of its items alone."""
    name, _, view = metric.partition(SUBSET)
    arrays = arrays_of(record.id, stores) if name in INFLUENCE else None
    if arrays is None:
        return None
    found = ItemPredictions(arrays["rows"], arrays["labels" if "labels" in arrays else "scores"], arrays["predictions"])
    if not view:
        return found
    chosen = SUBSET_MASKS[view](record, arrays, subsets, stores)
    return None if chosen is None else ItemPredictions(*(each[chosen.mask_N] for each in vars(found).values()))


def standard_error(pairs: Sequence[tuple[ItemPredictions, ItemPredictions]], metric: str) -> float:
    """Of the mean difference of paired runs, over their items: those of one test set, or of all folds."""
    influence = INFLUENCE[without_subset(metric)]
    rows, moves = [], []
    for pair in pairs:
        for sign, said in zip((1, -1), pair, strict=True):
            rows.append(said.rows_N)
            moves.append(sign * influence(said.gold_N, said.predicted_N) / (len(said.rows_N) * len(pairs)))
    of_item = np.unique(np.concatenate(rows), return_inverse=True)[1]
    moved_M = np.bincount(of_item, weights=np.concatenate(moves))
    return math.sqrt(float(moved_M @ moved_M))
