"""Nothing is parsed twice."""

import pytest

from attest.errors import StorageError
from attest.syntax.parsers import Parser
from attest.syntax.parsers.baselines import RightBranchingParser
from attest.syntax.parsers.cached import CachedParser, sentence_key
from attest.system.arrays import read_arrays, write_arrays

SENTENCES = [["a", "quiet", "song"], ["yes"], [], ["a quiet", "song"], ["a", "quiet", "song"]]


class Counting(Parser):
    def __init__(self):
        self.asked = []

    def parse(self, sentences):
        self.asked += map(list, sentences)
        return RightBranchingParser().parse(sentences)


def test_each_sentence_is_parsed_once_and_kept_on_disk(tmp_path):
    inner, opened = Counting(), []
    expected = RightBranchingParser().parse(SENTENCES)

    def cached(identity):
        return CachedParser(identity, lambda: opened.append(identity) or inner, tmp_path)

    first = cached("x 1")
    assert not opened  # not before there is something to parse
    assert first.parse(SENTENCES) == expected
    assert inner.asked == SENTENCES[:4]  # tokens are told apart, sentences that are equal are one
    assert cached("x 1").parse(SENTENCES[::-1]) == expected[::-1]
    assert opened == ["x 1"]
    assert first.parse([*SENTENCES, ["oh", "no"]])[-1] == [(0, 2)]
    assert inner.asked[4:] == [["oh", "no"]]
    assert cached("x 1").parse([["oh", "no"], ["yes"]]) == [[(0, 2)], []]
    assert cached("x 2").parse(SENTENCES) == expected
    assert opened == ["x 1", "x 2"]


def test_sentences_whose_tokens_hold_line_ends_have_keys_of_their_own():
    sentences = [["a\nb", "c"], ["a", "b\nc"], ["a\n", "b"], ["a", "\nb"], ["[1, 1] a", "b"], ["a", "b"], ["a b"]]
    assert len({sentence_key(sentence) for sentence in sentences}) == len(sentences)
    assert sentence_key(["a", "quiet", "song"]).hex() == "016480cf9fb2b415600201861dd5c1f5"  # as in existing caches


def test_a_damaged_file_is_named(tmp_path):
    parser = CachedParser("x", Counting, tmp_path)
    parser.parse(SENTENCES)
    (path,) = parser.folder.glob("*.npz")
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(StorageError, match=rf"{path.name}: not readable .*; delete the file"):
        CachedParser("x", Counting, tmp_path).parse(SENTENCES)


def test_a_file_with_too_few_offsets_is_named(tmp_path):
    parser = CachedParser("x", Counting, tmp_path)
    parser.parse(SENTENCES)
    (path,) = parser.folder.glob("*.npz")
    arrays = read_arrays(path, "keys", "spans", "offsets")
    write_arrays(path, {**arrays, "offsets": arrays["offsets"][:-1]})
    with pytest.raises(StorageError, match=rf"{path.name}: the file is damaged; delete it, and its sentences"):
        CachedParser("x", Counting, tmp_path).parse(SENTENCES)
