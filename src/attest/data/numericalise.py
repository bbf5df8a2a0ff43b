"""Numericalisation: the words, labels and genres of official files become numbers."""

import logging
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from attest.config.settings import Dataset, Settings
from attest.data import phrases
from attest.data.dataset import FOLDERS, SplitFile, read_examples
from attest.data.readers import Example, Parses
from attest.data.readers.columns import COLUMN_READERS
from attest.data.splits.builder import SplitBuilder
from attest.data.splits.provisional import NO_CLASS, ProvisionalSplit
from attest.data.splits.split import SPLITS
from attest.data.text.tokens import cut_to_limit, tree_leaves, uncut_tokens
from attest.errors import DataError
from attest.syntax.parsers import Parser

MAX_TOKENS = 10_000
"""The largest number of tokens in a sentence; a longer sentence is taken for a damaged row."""

log = logging.getLogger(__name__)


def read_split(
    settings: Settings,
    files: Sequence[SplitFile],
    index: dict[str, int],
    genres: dict[str, int],
    parses: Parses | None,
    parser: Parser | None,
) -> ProvisionalSplit:
    """Return every example of a split, also those without a label.

    Rows of the second file are numbered after those of the first.

    `index` holds the provisional number of each word and `genres` the number of each genre; new ones are added.
    `parses` provides trees that the files lack, and `parser` parses all sentences if the settings ask for its trees.
    Raise DataError for a sentence of over MAX_TOKENS tokens; in a training set whose long sentences
    text.length_percentile drops, return the error in `ProvisionalSplit.errors` instead.
    """
    builder = SplitBuilder()
    for file in files:
        read_file(settings, file, builder, index, genres, parses)
    examples = builder.finish()
    if parser is None:
        return examples
    words = list(index)
    sentences = tuple(
        phrases.add_parser_phrases(ragged, words, parser, settings.phrases) for ragged in examples.split.sentences
    )
    return replace(examples, split=replace(examples.split, sentences=sentences))


def read_file(
    settings: Settings,
    file: SplitFile,
    builder: SplitBuilder,
    index: dict[str, int],
    genres: dict[str, int],
    parses: Parses | None,
) -> None:
    """Add every row of a file to the builder of its split, as `read_split` says; log how many have an empty sentence.

    Raise DataError if the file holds no labelled example.
    """
    numbers = {label: number for number, label in enumerate(settings.dataset.labels)}
    before, first_row = len(builder), builder.next_row
    first_empty, with_empty = "", 0
    for example in read_examples(settings, file, parses):
        label = NO_CLASS if example.label is None else numbers[example.label]
        genre = -1 if example.genre is None else genres.setdefault(example.genre, len(genres))
        builder.add(example, label, genre, first_row + example.row)
        add_sentences(settings, file, example, builder, index)
        if builder.last_has_empty_sentence():
            first_empty = first_empty or f"{example.source}:{example.line}"
            with_empty += 1
    if all(label == NO_CLASS for label in builder.labels[before:]):
        raise DataError(f"{file.source}: {no_example_message(settings.dataset, file.split)}")
    if with_empty:
        log.info("%s: the first of %d examples with an empty sentence, which are kept", first_empty, with_empty)


def no_example_message(dataset: Dataset, split: str) -> str:
    """Return the error text for a file without a labelled example: official, or in a format of the user's own."""
    if dataset.format == FOLDERS:
        return "the folder holds no file; put a text file for each example there"
    if dataset.format not in COLUMN_READERS:
        return "the file holds no labelled example; `attest data list` says which file belongs there"
    if "split" in dataset.columns:
        return f"no row has {split} in the column {dataset.columns['split']}; add such rows, or leave out files.{split}"
    named = any(isinstance(name, str) for name in dataset.columns.values()) and dataset.format != "jsonl"
    return f"the file holds no example{' below its line of column names' * named}; add rows to it"


def add_sentences(
    settings: Settings, file: SplitFile, example: Example, builder: SplitBuilder, index: dict[str, int]
) -> None:
    """Add the sentences of an example, the last one of the builder, with their phrases if the data's trees give them.

    Raise DataError for a sentence of over MAX_TOKENS tokens. If long sentences of the split are dropped later, hand the
    error to the builder instead (see `read_split`).
    """
    drops_long = settings.text.length_percentile < 100 and file.split == SPLITS[0]
    for side, (sentence, parse) in enumerate(zip(example.sentences, example.parses, strict=True)):
        uncut = uncut_tokens(sentence, parse, settings.text)
        tokens = cut_to_limit(uncut, settings.text)
        if len(tokens) > MAX_TOKENS:
            error = example.error(length_message(len(tokens)))
            if not drops_long:
                raise error
            builder.add_error(error)
        bits = corpus_phrases(settings, example, side, len(tokens)) if phrases.uses_corpus_trees(settings) else None
        builder.add_sentence(side, word_numbers(tokens, index), len(uncut) - len(tokens), bits)


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
