"""The test items whose prediction differs between two runs.

Legend: N items that both runs were tested on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from attest.reproduction.tables.item_errors import ItemPredictions, predictions_behind
from attest.reproduction.tables.sweeps import SweepRow, SweepTable, tested_alike
from attest.runs.records import Record, Store


@dataclass(frozen=True, eq=False)
class ChangedItems:
    """The changed predictions of two runs with the same seed or fold, one of the first row, one of another row."""

    row: SweepRow
    replicate: str
    first: Record
    """The run of the first row."""
    second: Record
    rows_N: np.ndarray
    """The rows of the items in the official file."""
    gold_N: np.ndarray
    first_N: np.ndarray
    """The predictions of the first run; scores are rounded to whole grades."""
    second_N: np.ndarray

    @property
    def changed_N(self) -> np.ndarray:
        """True at the items whose prediction differs."""
        return self.first_N != self.second_N

    @property
    def gained(self) -> int:
        """The number of items that only the second run has right."""
        return int(((self.second_N == self.gold_N) & self.changed_N).sum())

    @property
    def lost(self) -> int:
        """The number of items that only the first run has right."""
        return int(((self.first_N == self.gold_N) & self.changed_N).sum())


def changed_items(table: SweepTable, stores: Sequence[Store]) -> list[ChangedItems]:
    """Return the changed predictions of each pair of runs of the first row and of another row, if both are stored."""
    first, *others = table.rows
    results = []
    for row in others:
        for replicate in row.runs.keys() & first.runs.keys() if tested_alike(row, first) else ():
            pair = first.runs[replicate], row.runs[replicate]
            one, other = (item_predictions(record, row.measure, stores) for record in pair)
            if one and other:
                results.append(ChangedItems(row, replicate, *pair, *matched(one, other)))
    return sorted(results, key=lambda result: (others.index(result.row), result.replicate))


def item_predictions(record: Record, measure: str, stores: Sequence[Store]) -> Mapping[int, tuple[float, float]]:
    """Return the gold value and the prediction of each test item by its row; nothing if they are not stored."""
    known = predictions_behind(record, f"test/{measure}", (), stores)
    return {} if known is None else by_row(known)


def by_row(known: ItemPredictions) -> dict[int, tuple[float, float]]:
    """Return the gold value and the prediction of each item by its row, both as whole numbers: labels or grades."""
    gold_N, predicted_N = np.rint(known.gold_N), np.rint(known.predicted_N)
    return dict(zip(known.rows_N.tolist(), zip(gold_N.tolist(), predicted_N.tolist(), strict=True), strict=True))


def matched(
    first: Mapping[int, tuple[float, float]], second: Mapping[int, tuple[float, float]]
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the rows, gold values and both predictions of the items that two runs were tested on, in their order."""
    rows = sorted(first.keys() & second.keys())
    gold, one = zip(*(first[row] for row in rows), strict=True) if rows else ((), ())
    return np.array(rows, int), np.array(gold, int), np.array(one, int), np.array([second[row][1] for row in rows], int)
