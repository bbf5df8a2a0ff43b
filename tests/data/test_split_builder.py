"""The builder of a split, which takes examples while files are read."""

from pathlib import Path

import numpy as np
import pytest

from attest.data.files.source import Source
from attest.data.readers import Example
from attest.data.splits.builder import SplitBuilder
from attest.data.splits.provisional import NO_CLASS
from attest.errors import DataError


def pair(parses=(None, None), **facts):
    return Example(Source(Path("a.txt")), 1, 0, None, ("one", "two"), parses, **facts)


def test_the_examples_added_become_the_arrays_of_a_split():
    builder = SplitBuilder()
    builder.add(pair(("( a )", "( b c )"), score=1.5, fold=2), 4, -1, 0)
    builder.add_sentence(0, [7], 3, np.array([1], np.uint8))
    builder.add_sentence(1, [8, 9], 1, np.array([1, 0], np.uint8))
    builder.add(pair(("( a )", None), score=2, fold=3), NO_CLASS, 1, 5)
    builder.add_sentence(0, [], 0, np.empty(0, np.uint8))
    builder.add_sentence(1, [7], 0, np.array([3], np.uint8))
    examples = builder.finish()
    split = examples.split
    assert (split.labels.tolist(), split.rows.tolist(), split.genres.tolist()) == ([4, NO_CLASS], [0, 5], [-1, 1])
    assert split.scores is not None
    assert split.folds is not None
    assert (split.scores.tolist(), split.folds.tolist()) == ([1.5, 2], [2, 3])
    assert [(side.tokens.tolist(), side.offsets.tolist()) for side in split.sentences] == [
        ([7], [0, 1, 1]),
        ([8, 9, 7], [0, 2, 3]),
    ]
    assert [None if side.phrases is None else side.phrases.tolist() for side in split.sentences] == [[1], [1, 0, 3]]
    assert (examples.has_parses.tolist(), examples.cut_off.tolist()) == ([True, False], [4, 0])
    assert {array.dtype for array in (split.labels, split.rows)} == {np.dtype(np.int64)}
    assert {side.tokens.dtype for side in split.sentences} == {np.dtype(np.int32)}


def test_scores_folds_and_phrases_are_none_where_there_are_none():
    builder = SplitBuilder()
    builder.add(pair(), 0, -1, 0)
    for side in range(2):
        builder.add_sentence(side, [2], 0, None)
    split = builder.finish().split
    assert (split.scores, split.folds, split.sentences[0].phrases) == (None, None, None)


def test_the_next_file_begins_at_the_row_after_the_last():
    builder = SplitBuilder()
    assert builder.next_row == 0
    builder.add(pair(), 0, -1, 6)
    assert builder.next_row == 7


@pytest.mark.parametrize(("lengths", "empty"), [((1, 2), False), ((1, 0), True), ((0, 1), True)])
def test_the_last_example_may_have_an_empty_sentence(lengths, empty):
    builder = SplitBuilder()
    builder.add(pair(), 0, -1, 0)
    for side, length in enumerate(lengths):
        builder.add_sentence(side, [2] * length, 0, None)
    assert builder.last_has_empty_sentence() == empty


def test_an_example_keeps_the_error_of_its_first_damaged_sentence():
    builder = SplitBuilder()
    for row in range(2):
        builder.add(pair(), 0, -1, row)
    first, second = DataError("first"), DataError("second")
    builder.add_error(first)
    builder.add_error(second)
    assert builder.finish().errors == {1: first}
