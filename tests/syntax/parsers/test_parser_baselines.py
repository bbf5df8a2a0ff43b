import pytest

from attest.syntax.parsers.baselines import BalancedParser, RightBranchingParser
from attest.syntax.trees import from_spans, to_brackets

WORDS = ["we", "saw", "a", "red", "kite"]


@pytest.mark.parametrize(
    ("parser", "tree"),
    [
        (BalancedParser(), "( ( ( we saw ) a ) ( red kite ) )"),
        (RightBranchingParser(), "( we ( saw ( a ( red kite ) ) ) )"),
    ],
)
def test_trees_by_hand(parser, tree):
    first, second, third = parser.parse([WORDS, WORDS[:1], []])
    assert to_brackets(from_spans(WORDS, first)) == tree
    assert second == third == []


@pytest.mark.parametrize("parser", [BalancedParser(), RightBranchingParser()])
def test_a_binary_tree_of_any_length(parser):
    for number, spans in enumerate(parser.parse([["w"] * number for number in range(1, 40)]), 1):
        assert len(from_spans(["w"] * number, spans).spans) == len(spans) == number - 1
