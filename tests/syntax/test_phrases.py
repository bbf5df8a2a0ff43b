"""Phrase division: what holds of any tree, and Figure 1 of PSAN by hand."""

import random

import numpy as np
import pytest
from kept_phrases import phrases_of
from syntax.drawn_trees import drawn_tree

from attest.config.settings import Phrases
from attest.syntax.phrases import divide_into_phrases, phrase_bits
from attest.syntax.trees import Tree, from_unlabelled

SENTENCE = "( ( the ( old man ) ) ( ( walks ( his ( small dog ) ) ) . ) )"


def levels_of(text, **settings):
    tree = from_unlabelled(text)
    return [
        [" ".join(tree.words[slice(*span)]) for span in level]
        for level in divide_into_phrases(tree, Phrases(**settings))
    ]


def test_by_hand():
    assert levels_of(SENTENCE) == [
        ["the old man", "walks his small dog ."],
        ["the old man", "walks his small dog", "."],
        ["the old man", "walks", "his small dog", "."],
    ]


def test_divided_until_single_words_are_left():
    assert levels_of(SENTENCE, levels=5, min_length=2)[-1] == list(from_unlabelled(SENTENCE).words)


def test_more_than_two_parts():
    flat = "( ( the dog ) ran ( to me ) . )"
    assert levels_of(flat, levels=1) == [["the dog", "ran to me ."]]
    assert levels_of(flat, levels=1, branching="nary") == [["the dog", "ran", "to me", "."]]


def test_blocks_of_like_length_as_many_as_there_are_phrases():
    tree = "( a ( b ( c ( d ( e ( f g ) ) ) ) ) )"
    assert levels_of(tree) == [["a", "b c d e f g"], ["a", "b", "c d e f g"], ["a", "b", "c", "d e f g"]]
    blocks = levels_of(tree, blocks="equal")
    assert blocks == [["a b c", "d e f g"], ["a b", "c d", "e f g"], ["a", "b c", "d e", "f g"]]


@pytest.mark.parametrize("branching", ["binary", "nary"])
def test_every_level_partitions_the_sentence_and_refines_the_one_above(branching):
    for seed in range(60):
        assert_levels_refine(seed, branching)


def assert_levels_refine(seed, branching):
    rng = random.Random(seed)
    tree = drawn_tree(rng, rng.randint(1, 40))
    settings = Phrases(levels=rng.randint(1, 5), min_length=rng.randint(2, 6), branching=branching)
    levels = divide_into_phrases(tree, settings)
    above = [(0, len(tree.words))]
    for level in levels:
        assert [start for start, _ in level] == [0, *(end for _, end in level[:-1])]
        assert level[-1][1] == len(tree.words)
        for start, end in above:
            inside = [span for span in level if start <= span[0] and span[1] <= end]
            assert inside[0][0] == start
            assert inside[-1][1] == end
            if end - start < settings.min_length:
                assert inside == [(start, end)]
            elif branching == "binary":
                assert len(inside) == 2
            else:
                assert len(inside) >= 2
        above = level
    kept = phrase_bits(levels, len(tree.words))
    assert kept.dtype == np.uint8
    assert phrases_of(kept, settings.levels) == levels


def test_blocks_are_as_many_and_of_like_length():
    for seed in range(30):
        assert_blocks_are_alike(seed)


def assert_blocks_are_alike(seed):
    rng = random.Random(seed)
    tree = drawn_tree(rng, rng.randint(1, 40))
    for phrases, blocks in zip(
        divide_into_phrases(tree, Phrases()), divide_into_phrases(tree, Phrases(blocks="equal")), strict=True
    ):
        assert len(blocks) == len(phrases)
        lengths = [end - start for start, end in blocks]
        assert sum(lengths) == len(tree.words)
        assert max(lengths) - min(lengths) <= 1


def test_a_sentence_without_words_has_no_phrases():
    assert divide_into_phrases(Tree((), ()), Phrases()) == [[], [], []]
    assert len(phrase_bits([[], [], []], 0)) == 0
