"""Errors over test items: whether a difference would hold on other items, not whether other seeds would give it.

A figure of N items moves by U_n / N when item n counts once more, so that its standard error is sqrt(sum U_n^2) / N:
the infinitesimal jackknife (Jaeckel 1972), which a bootstrap over items approaches without drawing any. For shares and
means it is the usual standard error.

Legend: N items of a test set, M rows of the official file.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from attest.reproduction.specs.metric_names import SUBSET_MARK, without_subset
from attest.reproduction.tables.subsets import SUBSET_MASKS
from attest.runs.records import Record
from attest.runs.store import Store, first_arrays


@dataclass(frozen=True, eq=False)
class ItemPredictions:
    """The predictions of one run for the items behind a figure."""

    rows_N: np.ndarray
    """The rows of the items in the official file."""
    gold_N: np.ndarray
    """The labels or scores of the official file."""
    predicted_N: np.ndarray


PredictionLookup = Callable[[Record, str], ItemPredictions | None]
"""A function of a run's record and a metric that returns the predictions, or None if there are none.

There are none if they are not stored or if INFLUENCE lacks the metric."""


def no_predictions(record: Record, metric: str) -> ItemPredictions | None:
    """Return None, for tables whose predictions are not looked up."""
    return None


def accuracy_influence(gold_N: np.ndarray, predicted_N: np.ndarray) -> np.ndarray:
    """Return the influence U (N,) of each item on an accuracy in per cent."""
    right_N = 100.0 * (gold_N == predicted_N)
    return right_N - right_N.mean()


def correlation_influence(gold_N: np.ndarray, predicted_N: np.ndarray) -> np.ndarray:
    """Return the influence U (N,) of each item on Pearson's r: x y - r (x^2 + y^2) / 2 of standardised x and y."""
    if not np.ptp(gold_N) or not np.ptp(predicted_N):  # r is 0 then, whatever the items
        return np.zeros(len(gold_N))
    x_N, y_N = (standardised(values_N.astype(np.float64)) for values_N in (gold_N, predicted_N))
    return x_N * y_N - (x_N * y_N).mean() * (x_N**2 + y_N**2) / 2


def standardised(values_N: np.ndarray) -> np.ndarray:
    """Return the values with mean 0 and standard deviation 1."""
    return (values_N - values_N.mean()) / values_N.std()


INFLUENCE: Mapping[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "test/accuracy": accuracy_influence,
    "test/pearson": correlation_influence,
}
"""The metric -> the function of gold values and predictions that returns the influence U of each item."""


def predictions_behind(
    record: Record, metric: str, subsets: Sequence[Record], stores: Sequence[Store]
) -> ItemPredictions | None:
    """Return the predictions of a run for the items behind a metric: the test set, or the subset in its name.

    Return None if the run's predictions are not stored, if INFLUENCE lacks the metric, or if the subset is unknown.
    """
    name, _, subset = metric.partition(SUBSET_MARK)
    arrays = first_arrays(record.id, stores) if name in INFLUENCE else None
    if arrays is None:
        return None
    predictions = ItemPredictions(
        arrays["rows"], arrays["labels" if "labels" in arrays else "scores"], arrays["predictions"]
    )
    if not subset:
        return predictions
    mask = SUBSET_MASKS[subset](record, arrays, subsets, stores)
    if mask is None:
        return None
    return ItemPredictions(*(values_N[mask.mask_N] for values_N in vars(predictions).values()))


def standard_error(pairs: Sequence[tuple[ItemPredictions, ItemPredictions]], metric: str) -> float:
    """Return the standard error, over test items, of the mean difference between paired runs.

    All runs share one test set, or each pair has the test set of its fold.
    """
    influence = INFLUENCE[without_subset(metric)]
    rows, moves = [], []
    for pair in pairs:
        for sign, run in zip((1, -1), pair, strict=True):
            rows.append(run.rows_N)
            moves.append(sign * influence(run.gold_N, run.predicted_N) / (len(run.rows_N) * len(pairs)))
    moved_M = np.bincount(np.concatenate(rows), weights=np.concatenate(moves))  # 0 for rows that no run was tested on
    return math.sqrt(float(moved_M @ moved_M))
