import random

import pytest
from syntax.drawn_trees import drawn_tree

from attest.syntax.trees import Tree, binarise, children, from_labelled, from_spans, from_unlabelled, to_brackets

FLAT = Tree(("the", "big", "red", "dog", "."), ((0, 5), (0, 4)))


def test_brackets_of_the_text_are_written_as_treebanks_write_them():
    assert to_brackets(Tree(("(", "sic", ")"), ((0, 3),))) == "( -LRB- sic -RRB- )"
    assert to_brackets(Tree((":)", "b"), ((0, 2),))) == "( :-RRB- b )"
    assert from_unlabelled("( -LRB- sic -RRB- )").spans == ((0, 3),)


def test_a_binary_parse_by_hand():
    tree = from_unlabelled("( ( A man ) ( runs . ) )")
    assert tree == Tree(("A", "man", "runs", "."), ((0, 4), (0, 2), (2, 4)))
    assert to_brackets(tree) == "( ( A man ) ( runs . ) )"


def test_a_sentence_of_one_word():
    assert from_unlabelled("Run") == from_unlabelled("( Run )") == from_labelled("(S (VB Run))") == Tree(("Run",), ())
    assert to_brackets(Tree(("Run",), ())) == "Run"


def test_labels_traces_and_unary_chains_are_gone():
    tree = from_labelled("( (S (NP (-NONE- *)) (VP (TO to) (VP (VB win) (NP (DT a) (NN race)))) (. .)) )")
    assert tree == Tree(("to", "win", "a", "race", "."), ((0, 5), (0, 4), (1, 4), (2, 4)))


def test_only_a_space_parts_words():
    assert from_labelled("(S (CD 1\u00a0\\/2) (-LRB- -LRB-))").words == ("1\u00a0\\/2", "-LRB-")


def test_more_than_two_parts_are_grouped():
    assert to_brackets(binarise(FLAT)) == "( ( the ( big ( red dog ) ) ) . )"
    assert to_brackets(binarise(FLAT, "left")) == "( ( ( ( the big ) red ) dog ) . )"


def test_parts_of_nodes():
    assert children(FLAT) == {(0, 5): [(0, 4), (4, 5)], (0, 4): [(0, 1), (1, 2), (2, 3), (3, 4)]}


def test_any_tree_survives_writing_and_binarising():
    for seed in range(50):
        assert_tree_survives(seed)


def assert_tree_survives(seed):
    rng = random.Random(seed)
    tree = drawn_tree(rng, rng.randint(1, 30))
    assert from_unlabelled(to_brackets(tree)) == tree
    binary = binarise(tree, rng.choice(["left", "right"]))
    assert binary == from_spans(binary.words, binary.spans) == binarise(binary)
    assert set(tree.spans) <= set(binary.spans)
    assert len(binary.spans) == len(tree.words) - 1
    assert all(len(parts) == 2 for parts in children(binary).values())


def test_trees_may_be_of_any_depth():
    depth = 50_000
    tree = from_unlabelled("( " * depth + "a" + " b )" * depth)
    assert len(tree.spans) == depth == len(children(tree))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the line holds no tree"),
        ("( )", "a node is empty"),
        ("( ( a b )", "ends before the tree does"),
        ("( a b ) )", r"'\)' at character 9 follows the end"),
        ("( a b ) ( c d )", r"'\(' at character 9 follows the end"),
        ("two words", "'words' at character 5 follows the end"),
        (") a", "a closing bracket has no opening bracket"),
    ],
)
def test_what_is_no_tree(text, message):
    with pytest.raises(ValueError, match=message):
        from_unlabelled(text)


@pytest.mark.parametrize(
    ("spans", "message"),
    [
        ([(0, 2), (1, 3)], r"the spans \(1, 3\) and \(0, 2\) cross"),
        ([(1, 4)], r"\(1, 4\) is not a span of two or more words in a sentence of 3"),
        ([(1, 2)], "not a span of two or more words"),
        ([(-1, 2)], "not a span"),
    ],
)
def test_spans_that_make_no_tree(spans, message):
    with pytest.raises(ValueError, match=message):
        from_spans("abc", spans)
