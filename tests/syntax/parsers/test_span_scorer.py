"""What a parser sees of words, and scores of spans."""

import numpy as np
import pytest
import torch

from attest.syntax.parsers.span_scorer import SpanScorer
from attest.syntax.parsers.word_features import FEATURES, NOTHING, WORD, feature_rows, word_rows, word_shape

SENTENCES = [["a", "quiet", "song"], ["goats", "eat", "the", "tall", "grass"], ["yes"]]
SIZES = {"rows": 512, "word_size": 8, "hidden_size": 6, "span_size": 5}


def batch(sentences):
    return torch.from_numpy(feature_rows(sentences, SIZES["rows"])), torch.tensor([len(one) for one in sentences])


def test_rows_are_the_same_on_every_machine_and_never_that_of_nothing():
    assert word_rows("Walked", 1000) == (868, 918, 759, 463, 752, 167)
    assert min(min(word_rows(f"word{number}", 7)) for number in range(100)) > NOTHING


def test_words_share_the_rows_of_what_they_have_in_common():
    walked, talked = word_rows("walked", 2**15), word_rows("talked", 2**15)
    assert walked[WORD] != talked[WORD]
    assert walked[1:4] == talked[1:4]  # endings
    assert word_rows("19th", 2**15)[5] == word_rows("20th", 2**15)[5] != walked[5]  # shape
    assert word_rows("walked", 2**15) == word_rows("WALKED", 2**15)


@pytest.mark.parametrize(("escaped", "plain"), [("-LRB-", "("), ("``", '"'), ("1\\/2", "1/2")])
def test_what_treebanks_escape_is_what_it_stands_for(escaped, plain):
    assert word_rows(escaped, 2**15) == word_rows(plain, 2**15)


def test_shapes():
    assert [word_shape(word) for word in ("europe", "co-writer", "20th", "u.s.", "")] == [
        "xx",
        "xx-x",
        "ddx",
        "x.x.",
        "",
    ]


def test_sentences_are_padded_with_nothing():
    found = feature_rows(SENTENCES, 512)
    assert found.shape == (3, 5, FEATURES)
    np.testing.assert_array_equal(found[2, 1:], NOTHING)
    np.testing.assert_array_equal(found[1, 0], word_rows("goats", 512))
    assert feature_rows([], 512).shape == (0, 0, FEATURES)


def test_a_score_is_that_of_the_difference_between_two_borders():
    scorer = SpanScorer(**SIZES).eval()
    rows_BTF, length_B = batch(SENTENCES)
    states_BKH = scorer.border_states(scorer.words(rows_BTF).sum(2), length_B)
    scores_BKK = scorer(rows_BTF, length_B)
    hidden_P = (scorer.span(states_BKH[1, 4] - states_BKH[1, 1]) + scorer.bias_P).relu()
    torch.testing.assert_close(scores_BKK[1, 1, 4], scorer.score(hidden_P)[0])


def test_borders_see_all_words_before_and_all_words_behind_them():
    scorer = SpanScorer(**SIZES).eval()
    states_BKH = scorer.border_states(*words_of(scorer, [["a", "quiet", "song"], ["a", "quiet", "goat"]]))
    before, behind = states_BKH.chunk(2, -1)
    same_before = (before[0] == before[1]).all(-1).tolist()
    same_behind = (behind[0] == behind[1]).all(-1).tolist()
    assert same_before == [True, True, True, False]
    assert same_behind == [False, False, False, True]


def words_of(scorer, sentences):
    rows_BTF, length_B = batch(sentences)
    return scorer.words(rows_BTF).sum(2), length_B


def test_neither_padding_nor_other_sentences_change_a_score():
    scorer = SpanScorer(**SIZES, layers=2).eval()
    together = scorer(*batch(SENTENCES))
    for row, sentence in enumerate(SENTENCES):
        borders = len(sentence) + 1
        torch.testing.assert_close(scorer(*batch([sentence]))[0], together[row, :borders, :borders])


def test_training_hides_words_and_leaves_the_rest_of_them():
    scorer = SpanScorer(**SIZES, hidden=0.5)
    rows_BTF, _ = batch([["goats"] * 100] * 20)
    hidden = scorer.hide_words(rows_BTF)
    assert 0.4 < (hidden[..., WORD] == NOTHING).float().mean() < 0.6
    assert hidden[..., 1:].equal(rows_BTF[..., 1:])
    assert scorer.eval().hide_words(rows_BTF).equal(rows_BTF)
    assert (rows_BTF[..., WORD] != NOTHING).all()  # of the batch itself nothing is lost


def test_parameters_are_counted_by_hand():
    table, lstm = 512 * 8, 2 * 4 * (6 * 8 + 6 * 6 + 2 * 6)
    assert sum(one.numel() for one in SpanScorer(**SIZES).parameters()) == table + lstm + 5 * 12 + 5 + 6
