from dataclasses import replace
from pathlib import Path

import pytest

from attest.data.files.source import Source
from attest.data.readers import Example

SOURCE = Source(Path("a.txt"))


@pytest.mark.parametrize("sentences", [("one",), ("one", "two")])
def test_an_example_without_trees_has_none_for_each_sentence(sentences):
    example = Example(SOURCE, 1, 0, "good", sentences)
    assert example.parses == (None,) * len(sentences)
    assert replace(example, label="bad").parses == example.parses


def test_trees_that_are_given_are_kept():
    assert Example(SOURCE, 1, 0, None, ("one", "two"), (None, "( a b )")).parses == (None, "( a b )")
