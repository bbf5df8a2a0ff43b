"""The facts of a corpus for the records of its runs: counts of examples, words and vectors."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from attest.config.settings import Settings, Text
from attest.data.corpus import Corpus
from attest.data.files.source import Source
from attest.data.phrases import phrase_counts
from attest.data.read_dataset import ProvisionalDataset
from attest.data.splits.provisional import NO_CLASS, ProvisionalSplit
from attest.data.text.vectors import FoundVectors
from attest.data.vector_file import hash_of_vectors
from attest.data.vocabulary import Vocabulary

TOKENS_AT_ONCE = 2**20


def split_facts(settings: Settings, data: ProvisionalDataset, split: str) -> dict[str, Any]:
    """Return the counts of a split: its rows, and how many of its examples are used; and the hashes of its files.

    If the phrases of a sentence are examples too, they share its row. The row counts once, as the whole sentence.
    """
    examples, used = data.all_examples[split], data.used_examples[split]
    labelled = examples.split.labels != NO_CLASS
    _, first = np.unique(examples.split.rows, return_index=True)
    facts = {
        "rows": len(first),
        "labelled": int(labelled[first].sum()),
        "too_long": int(labelled.sum()) - len(used),
        "used": len(used),
        "labels": {
            label: int((used.split.labels == number).sum()) for number, label in enumerate(settings.dataset.labels)
        },
        "with_parse": len(np.unique(examples.split.rows[examples.has_parses])),
        "empty": int((used.split.sentence_lengths() == 0).any(1).sum()),
    }
    if data.genres:
        facts["genres"] = {genre: int((used.split.genres == number).sum()) for number, genre in enumerate(data.genres)}
    if settings.phrases.source != "none" and settings.phrases.levels:
        facts["divided"] = phrase_counts(used.split.sentences, settings.phrases.levels)
    if tokens := int(used.cut_off.sum()):
        share = tokens / (tokens + int(used.split.word_counts().sum()))
        facts["cut"] = {"examples": int((used.cut_off > 0).sum()), "tokens": tokens, "share": round(share, 4)}
    facts["length_limit"] = data.length_limit if split == data.first else None
    facts["sha256"] = " ".join(file.source.sha256 for file in data.files[split])
    return facts


def vector_facts(
    settings: Settings,
    data: ProvisionalDataset,
    vocabulary: Vocabulary,
    table: np.ndarray,
    source: Source | None,
    pretrained: FoundVectors,
) -> dict[str, Any]:
    """Return facts about the file of word vectors: its rows, and how many words and tokens of the corpus have a vector.

    `pretrained` holds the vectors found in the file `source`, none if there is no file. `table` is the table of the
    vocabulary, in which words may have got the vectors of their neighbours.
    """
    facts = {
        "rows": pretrained.rows,
        "duplicates": pretrained.duplicates,
        "training_words": data.training_words,
        "training_words_found": sum(word in pretrained.vectors for word in data.words[: data.training_words]),
        "frozen_words": vocabulary.frozen_rows,
        "tokens_found": {
            split: share_with_vectors(used, data.words, pretrained, settings.text)
            for split, used in data.used_examples.items()
        },
        "sha256": hash_of_vectors(source),
    }
    if settings.vectors.unknown == "neighbours":
        facts["from_neighbours"] = missing_rows(vocabulary.table) - missing_rows(table)
    return facts


def missing_rows(table: np.ndarray) -> int:
    """Return the number of rows of a table of word vectors that have no vector yet."""
    return int(np.isnan(table).any(1).sum())


def share_with_vectors(examples: ProvisionalSplit, words: Sequence[str], pretrained: FoundVectors, text: Text) -> float:
    """Return the share of a split's tokens that have a vector; the added text.first and text.last do not count."""
    counts = sum((count_words(sentences.tokens, len(words)) for sentences in examples.split.sentences), 0)
    at_ends = {text.first, text.last} - {""}
    counts = counts * np.array([word not in at_ends for word in words], bool)
    has_vector = np.array([word in pretrained.vectors for word in words], bool)
    return round(float(counts @ has_vector / counts.sum()), 4) if counts.sum() else 0.0


def count_words(tokens: np.ndarray, words: int) -> np.ndarray:
    """Return (words,) how often each word number occurs in `tokens`."""
    counts = np.zeros(words, np.int64)
    for start in range(0, len(tokens), TOKENS_AT_ONCE):  # np.bincount makes a copy of eight bytes a token
        counts += np.bincount(tokens[start : start + TOKENS_AT_ONCE], minlength=words)
    return counts


def official_ratio(settings: Settings, corpus: Corpus) -> float:
    """Return the size of the official training set divided by the number of training examples in use.

    The ratio is above 1 if the files hold only a part of the official training set, or the settings sample a part.
    Without an official size, the size of the files counts.
    """
    first = next(iter(corpus.facts["splits"]))
    labelled = corpus.facts["splits"][first]["labelled"]
    return settings.dataset.expected.get(first, labelled) / corpus.facts.get("examples", labelled)
