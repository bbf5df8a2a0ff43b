"""Which examples of a split are used."""

import numpy as np
import pytest

from attest.data.splits.provisional import NO_CLASS, ProvisionalSplit
from attest.data.splits.split import Ragged, Split
from attest.data.splits.usable_examples import drop_unusable, length_limit
from attest.errors import DataError


def examples_of(lengths, labels=None, damaged=()):
    ragged = Ragged.from_lists([[2] * length for length in lengths])
    size = len(lengths)
    labels = np.zeros(size, np.int64) if labels is None else np.array(labels)
    split = Split((ragged,), labels, np.arange(size), np.full(size, -1, np.int16))
    errors = {place: DataError(f"example {place}") for place in damaged}
    return ProvisionalSplit(split, np.arange(size) % 2 == 0, np.arange(size), errors)


def test_examples_without_a_label_and_longer_ones_are_dropped():
    examples = examples_of([1, 5, 2, 6], [0, 1, NO_CLASS, 1])
    kept = drop_unusable(examples, 5)
    assert (kept.split.rows.tolist(), kept.has_parses.tolist(), kept.cut_off.tolist()) == (
        [0, 1],
        [True, False],
        [0, 1],
    )
    assert drop_unusable(examples, None).split.rows.tolist() == [0, 1, 3]
    whole = examples_of([1, 5])
    assert drop_unusable(whole, 5) is whole


def test_the_first_damaged_example_that_is_kept_raises_its_error():
    examples = examples_of([1, 9, 2, 3, 4], [0, 0, NO_CLASS, 0, 0], damaged=(1, 2, 3, 4))
    with pytest.raises(DataError, match=r"^example 3$"):
        drop_unusable(examples, 5)
    assert len(drop_unusable(examples, 2)) == 1


@pytest.mark.parametrize(
    ("percentile", "limit"), [(99.9, 999), (99.95, 1000), (97.0, 970), (29.0, 290), (0.1, 1), (0.01, 1), (100.0, None)]
)
def test_the_limit_is_the_smallest_length_that_a_percentile_does_not_exceed(percentile, limit):
    """Of 1,000 sentences of 1 to 1,000 tokens; 99.9 / 100 is a float above 999 / 1000."""
    ragged = Ragged(np.zeros(500_500, np.int32), np.cumsum(np.arange(1001)))
    examples = ProvisionalSplit(Split.from_sentences(ragged), np.zeros(1000, bool), np.zeros(1000, np.int64))
    assert length_limit(examples, percentile) == limit


def test_whole_percentiles_are_as_exact_in_floats():
    for size in (1, 7, 100, 1000, 9_001):
        lengths = np.arange(1, size + 1)
        ragged = Ragged(np.zeros(lengths.sum(), np.int32), np.concatenate([[0], np.cumsum(lengths)]))
        examples = ProvisionalSplit(Split.from_sentences(ragged), np.zeros(size, bool), np.zeros(size, np.int64))
        for percentile in range(1, 100):
            limit = np.searchsorted(lengths / size, percentile / 100) + 1
            assert length_limit(examples, float(percentile)) == limit
