"""The test items whose prediction differs between two runs.

Legend: N items that both runs were tested on.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attest.reproduction.tables.item_errors import ItemPredictions, predictions_behind
from attest.reproduction.tables.sweeps import SweepRow, SweepTable, tested_alike
from attest.runs.records import Record
from attest.runs.store import Store


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
            one, other = (predictions_behind(record, f"test/{row.measure}", (), stores) for record in pair)
            if one is not None and other is not None:
                results.append(ChangedItems(row, replicate, *pair, *shared_items(one, other)))
    return sorted(results, key=lambda result: (others.index(result.row), len(result.replicate), result.replicate))


def shared_items(
    first: ItemPredictions, second: ItemPredictions
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the rows, gold values and both predictions of the items that two runs were tested on, in their order."""
    rows_N, of_first_N, of_second_N = np.intersect1d(first.rows_N, second.rows_N, return_indices=True)
    gold_N, first_N = round_half_up(first.gold_N[of_first_N]), round_half_up(first.predicted_N[of_first_N])
    return rows_N, gold_N, first_N, round_half_up(second.predicted_N[of_second_N])


def round_half_up(numbers: np.ndarray) -> np.ndarray:
    """Return labels or scores as whole numbers: scores are rounded to grades, halves up."""
    return np.floor(numbers + 0.5).astype(int)
