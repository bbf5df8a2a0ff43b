"""How well trees agree, counted by hand."""

import pytest

from attest.training.parser.agreement import f1


def test_words_and_whole_sentences_do_not_count():
    gold = [[(0, 5), (0, 2), (2, 5), (3, 5)], [(0, 3), (1, 3)], [(0, 2)], []]
    found = [[(0, 5), (0, 2), (2, 5), (2, 4), (0, 1)], [(0, 3), (0, 2)], [(0, 2)], []]
    assert f1(gold, found, [5, 3, 2, 1]) == pytest.approx(100 * 2 / 4)
    assert f1(gold, gold, [5, 3, 2, 1]) == 100


def test_missing_and_surplus_spans_count_both():
    assert f1([[(0, 4), (0, 2), (2, 4)]], [[(0, 4), (0, 2)]], [4]) == pytest.approx(100 * 2 * 1 / 3)


def test_where_there_is_nothing_to_find_all_of_it_is_found():
    assert f1([[(0, 2)]], [[(0, 2)]], [2]) == 100
