"""Facts about examples that are stored beside a record."""

import numpy as np
import pytest

from attest.data.splits.split import Ragged, Split
from attest.training.tasks.example_facts import example_facts

FIRST, SECOND = Ragged.from_lists([[2, 3], [4], [2, 2]]), Ragged.from_lists([[3, 2], [5], [2]])


@pytest.mark.parametrize(
    ("sentences", "known"),
    [
        ((FIRST,), {"rows": [7, 8, 11], "lengths": [[2], [1], [2]]}),
        ((FIRST, SECOND), {"rows": [7, 8, 11], "lengths": [[2, 2], [1, 1], [2, 1]], "same_bag": [True, False, False]}),
    ],
    ids=["sentences", "pairs"],
)
def test_facts_by_hand(sentences, known):
    split = Split(sentences, np.zeros(3), np.array([7, 8, 11]), np.full(3, -1, np.int16))
    assert {name: array.tolist() for name, array in example_facts(split).items()} == known
