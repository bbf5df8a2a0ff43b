import numpy as np

from attest.data.corpus import Corpus, load_corpus, save_corpus
from attest.data.splits.split import Ragged, Split


def test_padding_by_hand():
    ragged = Ragged.from_lists([[5, 6, 7], [], [8]])
    assert ragged.lengths.tolist() == [3, 0, 1]
    assert ragged.padded_tokens(np.array([2, 0, 1])).tolist() == [[8, 0, 0], [5, 6, 7], [0, 0, 0]]
    assert ragged.padded_tokens(np.array([1])).tolist() == [[0]]  # a sentence without tokens is one place of padding
    assert ragged.padded_tokens(np.array([2])).tolist() == [[8]]


def test_choosing_sentences():
    chosen = Ragged.from_lists([[5, 6, 7], [], [8]]).select(np.array([2, 1, 0, 2]))
    assert chosen.tokens.tolist() == [8, 5, 6, 7, 8]
    assert chosen.lengths.tolist() == [1, 0, 3, 1]
    assert Ragged.from_lists([[5]]).select(np.array([], np.int64)).offsets.tolist() == [0]


def test_a_corpus_survives_the_disk(tmp_path):
    def split(*sentences):
        n = len(sentences)
        return Split(
            (Ragged.from_lists(sentences), Ragged.from_lists(sentences[::-1])),
            np.arange(n),
            np.arange(n) + 7,
            np.full(n, -1, np.int16),
        )

    splits = {"train": split([2, 3], [4]), "dev": split([]), "test": split([5])}
    corpus = Corpus(
        splits, ["", "", "a", "", "b", "c"], 3, np.eye(6, 5, dtype=np.float32), ["fiction"], {"fingerprint": "f"}
    )
    save_corpus(tmp_path, corpus)
    again = load_corpus(tmp_path)
    assert (again.words, again.training_words, again.genres, again.fingerprint) == (corpus.words, 3, ["fiction"], "f")
    np.testing.assert_array_equal(again.vectors, corpus.vectors)
    for name, expected in splits.items():
        for ours, theirs in zip(again.splits[name].sentences, expected.sentences, strict=True):
            np.testing.assert_array_equal(ours.tokens, theirs.tokens)
            np.testing.assert_array_equal(ours.offsets, theirs.offsets)
        np.testing.assert_array_equal(again.splits[name].rows, expected.rows)
    assert again.splits["train"].max_lengths().tolist() == [2, 2]
