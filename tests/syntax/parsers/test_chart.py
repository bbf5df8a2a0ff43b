"""Charts against all binary trees of short sentences, written down one by one."""

import itertools

import pytest
import torch

from attest.syntax.parsers.chart import (
    best_tree,
    chart_from_spans,
    inside_scores,
    likeliest_tree,
    log_sum,
    maximum,
    negative_log_likelihood,
    span_probabilities,
)

LENGTHS = [1, 2, 3, 5, 6]


def all_trees(start, end):
    """Every binary tree over the words from start to end, as the set of its spans of two words and more."""
    if end - start == 1:
        return [frozenset()]
    return [
        left | right | {(start, end)}
        for middle in range(start + 1, end)
        for left, right in itertools.product(all_trees(start, middle), all_trees(middle, end))
    ]


def value(tree, scores_KK):
    return sum((scores_KK[span] for span in tree), scores_KK.new_zeros(()))


@pytest.fixture
def scores_BKK():
    """Of sentences of different lengths, with loud padding."""
    return torch.randn(len(LENGTHS), 7, 7, dtype=torch.float64) * 3


def test_there_are_as_many_trees_as_catalan_counts():
    assert [len(set(all_trees(0, length))) for length in range(1, 8)] == [1, 1, 2, 5, 14, 42, 132]


def test_the_sum_and_the_highest_are_those_of_all_trees(scores_BKK):
    lengths = torch.tensor(LENGTHS)
    of_all, best = inside_scores(scores_BKK, lengths, log_sum), inside_scores(scores_BKK, lengths, maximum)
    for row, length in enumerate(LENGTHS):
        values = torch.stack([value(tree, scores_BKK[row]) for tree in all_trees(0, length)])
        torch.testing.assert_close(of_all[row], values.logsumexp(0))
        torch.testing.assert_close(best[row], values.max())


def test_probabilities_are_those_of_the_trees_that_hold_a_span(scores_BKK):
    found = span_probabilities(scores_BKK, torch.tensor(LENGTHS))
    for row, length in enumerate(LENGTHS):
        trees = all_trees(0, length)
        weights = torch.stack([value(tree, scores_BKK[row]) for tree in trees]).softmax(0)
        expected = torch.zeros_like(found[row])
        for tree, weight in zip(trees, weights, strict=True):
            for span in tree:
                expected[span] += weight
        torch.testing.assert_close(found[row], expected)


def spans_of(chart_KK):
    return frozenset(map(tuple, chart_KK.nonzero().tolist()))


def test_the_best_tree_is_the_best_of_all(scores_BKK):
    found = best_tree(scores_BKK, torch.tensor(LENGTHS))
    for row, length in enumerate(LENGTHS):
        assert spans_of(found[row]) == max(all_trees(0, length), key=lambda tree: value(tree, scores_BKK[row]))


def test_the_likeliest_tree_has_the_most_spans_right_on_average(scores_BKK):
    lengths = torch.tensor(LENGTHS)
    found, likely = likeliest_tree(scores_BKK, lengths), span_probabilities(scores_BKK, lengths)
    for row, length in enumerate(LENGTHS):
        assert spans_of(found[row]) == max(all_trees(0, length), key=lambda tree: value(tree, likely[row]))


def test_equal_scores_still_give_one_tree():
    found = best_tree(torch.zeros(1, 7, 7), torch.tensor([6]))
    assert spans_of(found[0]) in all_trees(0, 6)


def test_surprise_is_minus_the_log_of_the_share_of_the_tree(scores_BKK):
    trees = [all_trees(0, length)[-1] for length in LENGTHS]
    gold = chart_from_spans([(row, *span) for row, tree in enumerate(trees) for span in tree], len(trees), 6)
    found = negative_log_likelihood(scores_BKK, gold, torch.tensor(LENGTHS))
    for row, tree in enumerate(trees):
        every = torch.stack([value(one, scores_BKK[row]) for one in all_trees(0, LENGTHS[row])])
        torch.testing.assert_close(found[row], every.logsumexp(0) - value(tree, scores_BKK[row]))
    torch.testing.assert_close(found[:2], torch.zeros(2, dtype=torch.float64))  # they have one tree each


def test_its_gradient_is_what_finite_differences_give(scores_BKK):
    lengths = torch.tensor(LENGTHS)
    gold = best_tree(-scores_BKK, lengths)
    assert torch.autograd.gradcheck(
        lambda scores: negative_log_likelihood(scores, gold, lengths), scores_BKK[:, :7, :7].requires_grad_()
    )


def test_padding_changes_nothing(scores_BKK):
    for row, length in enumerate(LENGTHS):
        alone = scores_BKK[row : row + 1, : length + 1, : length + 1]
        together = span_probabilities(scores_BKK, torch.tensor(LENGTHS))[row, : length + 1, : length + 1]
        torch.testing.assert_close(span_probabilities(alone, torch.tensor([length]))[0], together)
    assert not span_probabilities(scores_BKK, torch.tensor(LENGTHS))[2, 4:].any()
