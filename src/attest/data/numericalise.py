"""Numericalisation: rows of official files to numbers, and the choice of the examples that are used.

Legend: N examples.
"""

import logging
import math
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from attest.config.settings import Settings
from attest.data import phrases
from attest.data.dataset import File, read_examples
from attest.data.readers import Example, Parses
from attest.data.split import SPLITS, Ragged, Split
from attest.data.text.tokens import all_tokens, cut_to_limit, tree_leaves
from attest.errors import DataError
from attest.syntax.parsers import Parser

NO_LABEL = -1
MAX_TOKENS = 10_000
"""The largest number of tokens in a sentence; a longer sentence is taken for a damaged row."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ReadSplit:
    """All examples of a split, before unusable ones are dropped.

    Tokens are provisional word numbers, in the order in which words were first read. `renumber_words` replaces them by
    rows of the table of word vectors. The label of an example without a class is NO_LABEL.
    """

    split: Split
    with_parse: np.ndarray
    """(N,) whether every sentence of the example has a tree in the data."""
    cut_off: np.ndarray
    """(N,) the number of tokens of the example beyond the token limit."""
    damaged: Mapping[int, DataError] = field(default_factory=dict)
    """The errors of examples with a sentence of over MAX_TOKENS tokens, by position; `drop_unusable` raises the first
    one whose example is kept."""

    def __len__(self) -> int:
        return len(self.split)


def read_split(
    settings: Settings,
    files: Sequence[File],
    index: dict[str, int],
    genres: dict[str, int],
    parses: Parses | None,
    parser: Parser | None,
) -> ReadSplit:
    """Return every row of the files of a split; rows of the second file are numbered after those of the first.

    `index` holds the provisional number of each word and `genres` the number of each genre; new ones are added.
    `parses` provides trees that the files lack, and `parser` parses all sentences if the settings ask for its trees.
    Raise DataError for a sentence of over MAX_TOKENS tokens; in a training set that text.length_percentile shortens,
    the error waits in `damaged`.
    """
    numbers = {label: number for number, label in enumerate(settings.dataset.labels)}
    labels, rows, kinds, with_parse, scores = array("q"), array("q"), array("h"), array("b"), array("d")
    cut_off, folds = array("q"), array("h")
    flat: list[array[int]] = []
    lengths: list[array[int]] = []
    damaged: dict[int, DataError] = {}
    bits: list[list[np.ndarray]] = []
    corpus_trees = phrases.uses_corpus_trees(settings)
    for file in files:
        drops_long = settings.text.length_percentile < 100 and file.split == SPLITS[0]
        before, first_row = len(labels), rows[-1] + 1 if rows else 0
        without_words: list[int] = []
        for example in read_examples(settings, file, parses):
            labels.append(NO_LABEL if example.label is None else numbers[example.label])
            rows.append(first_row + example.row)
            kinds.append(-1 if example.genre is None else genres.setdefault(example.genre, len(genres)))
            with_parse.append(None not in example.parses)
            scores.append(np.nan if example.score is None else example.score)
            if example.fold is not None:
                folds.append(example.fold)
            if not flat:
                flat, lengths = [array("i") for _ in example.sentences], [array("q") for _ in example.sentences]
                bits = [[] for _ in example.sentences]
            cut_off.append(0)
            for side, (sentence, parse) in enumerate(zip(example.sentences, example.parses, strict=True)):
                uncut = all_tokens(sentence, parse, settings.text)
                tokens = cut_to_limit(uncut, settings.text)
                cut_off[-1] += len(uncut) - len(tokens)
                if len(tokens) > MAX_TOKENS:
                    error = example.error(length_message(len(tokens)))
                    if not drops_long:
                        raise error
                    damaged.setdefault(len(labels) - 1, error)
                flat[side].extend(word_numbers(tokens, index))
                lengths[side].append(len(tokens))
                if corpus_trees:
                    bits[side].append(corpus_phrases(settings, example, side, len(tokens)))
            if not all(sizes[-1] for sizes in lengths):
                without_words.append(example.row)
        if all(label == NO_LABEL for label in labels[before:]):
            raise DataError(
                f"{file.source}: the file holds no labelled example; `attest data list` says which file belongs there"
            )
        if without_words:
            text = "%s: examples with an empty sentence: %d, the first in row %d; they are kept"
            log.info(text, file.source, len(without_words), without_words[0] + 1)
    sentences = tuple(
        Ragged(
            np.asarray(tokens),  # not a copy: the tokens are most of the memory
            np.concatenate([[0], np.cumsum(np.array(sizes, np.int64))]),
            phrases.join_bits(sentence_bits) if corpus_trees else None,
        )
        for tokens, sizes, sentence_bits in zip(flat, lengths, bits, strict=True)
    )
    if parser is not None:
        words = list(index)
        sentences = tuple(phrases.add_parser_phrases(ragged, words, parser, settings.phrases) for ragged in sentences)
    graded = None if np.isnan(scores).any() else np.array(scores, np.float64)
    assigned = np.array(folds, np.int16) if folds else None
    arrays = (np.array(labels, np.int64), np.array(rows, np.int64), np.array(kinds, np.int16), graded, assigned)
    return ReadSplit(Split(sentences, *arrays), np.array(with_parse, bool), np.array(cut_off, np.int64), damaged)


def word_numbers(tokens: Sequence[str], index: dict[str, int]) -> list[int]:
    """Return the provisional number of each token; words that `index` lacks are added to it."""
    try:
        return [index[token] for token in tokens]
    except KeyError:
        return [index.setdefault(token, len(index)) for token in tokens]


def corpus_phrases(settings: Settings, example: Example, side: int, words: int) -> np.ndarray:
    """Return the phrase bits (T,) of one sentence of an example, `side` 0 or 1, by its tree in the data."""
    labelled, parse = example.labelled_parses[side] if example.labelled_parses else None, example.parses[side]
    try:
        if parse is not None:
            phrases.check_tree_words(example.sentences[side], tree_leaves(parse))
        return phrases.corpus_tree_bits(parse, labelled, words, settings.phrases)
    except ValueError as error:
        raise example.error(str(error)) from error


def length_message(tokens: int) -> str:
    """Return the error text for a sentence with over MAX_TOKENS tokens."""
    return (
        f"the sentence has {tokens:,} tokens, so rows of the file may have run together, and attention between all "
        "tokens would need too much memory; correct the row, or set text.token_limit=400 to keep the first 400 tokens "
        "of each sentence"
    )


def length_limit(examples: ReadSplit, percentile: float) -> int | None:
    """Return the smallest length that `percentile` percent of all sentences do not exceed; None for 100 percent.

    Examples without a label count, as in the DiSAN authors' code, which measures before it drops any example.
    """
    if percentile >= 100 or not len(examples):
        return None
    lengths = np.sort(np.concatenate([sentences.lengths for sentences in examples.split.sentences]))
    number = math.ceil(Fraction(str(percentile)) * len(lengths) / 100)  # as floats, 99.9 / 100 is above 999 / 1000
    return int(lengths[number - 1])


def drop_unusable(examples: ReadSplit, limit: int | None) -> ReadSplit:
    """Return the examples that have a label and no sentence of more than `limit` tokens.

    Raise the DataError of the first of them that is damaged.
    """
    used = examples.split.labels != NO_LABEL
    if limit is not None:
        used &= examples.split.max_lengths() <= limit
    for place, error in examples.damaged.items():
        if used[place]:
            raise error
    if used.all():
        return examples
    return ReadSplit(examples.split.select(np.flatnonzero(used)), examples.with_parse[used], examples.cut_off[used])


def split_facts(
    examples: ReadSplit, kept: ReadSplit, labels: Sequence[str], genres: Sequence[str], levels: int = 0
) -> dict[str, Any]:
    """Return counts for the record of a run: the rows of a split, and how many of its `examples` are `kept`.

    If the phrases of a sentence are examples too, they share its row. The row counts once, as the whole sentence.
    """
    labelled = examples.split.labels != NO_LABEL
    _, first = np.unique(examples.split.rows, return_index=True)
    facts = {
        "rows": len(first),
        "labelled": int(labelled[first].sum()),
        "too_long": int(labelled.sum()) - len(kept),
        "used": len(kept),
        "labels": {label: int((kept.split.labels == number).sum()) for number, label in enumerate(labels)},
        "with_parse": len(np.unique(examples.split.rows[examples.with_parse])),
        "empty": int((kept.split.sentence_lengths() == 0).any(1).sum()),
    }
    if genres:
        facts["genres"] = {genre: int((kept.split.genres == number).sum()) for number, genre in enumerate(genres)}
    if levels:
        facts["divided"] = phrases.phrase_counts(kept.split.sentences, levels)
    if tokens := int(kept.cut_off.sum()):
        share = tokens / (tokens + int(kept.split.word_counts().sum()))
        facts["cut"] = {"examples": int((kept.cut_off > 0).sum()), "tokens": tokens, "share": round(share, 4)}
    return facts
