"""Rows of official files as numbers: every example in them, and which examples are kept.

Legend: N examples.
"""

import logging
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attest.config.settings import Settings
from attest.data import phrases
from attest.data.dataset import File, read_examples
from attest.data.readers import HEADS, Example, Parses
from attest.data.split import Ragged, Split
from attest.data.text.tokens import all_tokens, cut_to_limit, tree_leaves
from attest.errors import DataError
from attest.syntax.parsers import Parser

NO_LABEL = -1
LONGEST = 10_000
"""Tokens of a sentence, beyond which it is none."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ReadSplit:
    """Examples of one split as they were read: words by provisional number, NO_LABEL where there is none."""

    split: Split
    with_parse: np.ndarray
    """(N,) whether every sentence of the example came with a parse."""
    cut_off: np.ndarray
    """(N,) how many tokens of the example were cut off."""

    def __len__(self) -> int:
        return len(self.split)


def read_split(
    settings: Settings,
    several: Sequence[File],
    index: dict[str, int],
    genres: dict[str, int],
    parses: Parses | None,
    parser: Parser | None,
) -> ReadSplit:
    """Every row of the files of a split, numbered on from one file to the next. New words and genres are added to
    `index` and `genres`."""
    numbers = {label: number for number, label in enumerate(settings.dataset.labels)}
    labels, rows, kinds, with_parse, scores = array("q"), array("q"), array("h"), array("b"), array("d")
    cut_off = array("q")
    flat: list[array[int]] = []
    lengths: list[array[int]] = []
    bits: list[list[np.ndarray]] = []
    takes_own = phrases.uses_corpus_trees(settings)
    for file in several:
        before, first_row = len(labels), rows[-1] + 1 if rows else 0
        without_words: list[int] = []
        for example in read_examples(settings, file, parses):
            labels.append(NO_LABEL if example.label is None else numbers[example.label])
            rows.append(first_row + example.row)
            kinds.append(-1 if example.genre is None else genres.setdefault(example.genre, len(genres)))
            with_parse.append(all(parse is not None for parse in example.parses))
            scores.append(np.nan if example.score is None else example.score)
            if not flat:
                flat, lengths = [array("i") for _ in example.sentences], [array("q") for _ in example.sentences]
                bits = [[] for _ in example.sentences]
            cut_off.append(0)
            for side, (sentence, parse) in enumerate(zip(example.sentences, example.parses, strict=True)):
                every = all_tokens(sentence, parse, settings.text)
                tokens = cut_to_limit(every, settings.text)
                cut_off[-1] += len(every) - len(tokens)
                if len(tokens) > LONGEST and settings.text.length_percentile >= 100:
                    raise file.source.error(line_number(settings, example), length_message(len(tokens)))
                flat[side].extend(index.setdefault(token, len(index)) for token in tokens)
                lengths[side].append(len(tokens))
                if takes_own:
                    bits[side].append(corpus_phrases(settings, file, example, side, len(tokens)))
            if not all(sizes[-1] for sizes in lengths):
                without_words.append(example.row)
        if all(label == NO_LABEL for label in labels[before:]):
            raise DataError(f"{file.source}: holds no labelled example")
        if without_words:
            text = "%s: examples with a sentence without words: %d, the first of them row %d; none is left out for it"
            log.info(text, file.source, len(without_words), without_words[0] + 1)
    sentences = tuple(
        Ragged(
            np.array(tokens, np.int32),
            np.concatenate([[0], np.cumsum(np.array(sizes, np.int64))]),
            phrases.join_bits(own) if takes_own else None,
        )
        for tokens, sizes, own in zip(flat, lengths, bits, strict=True)
    )
    if parser is not None:
        words = list(index)
        sentences = tuple(phrases.add_parser_phrases(ragged, words, parser, settings.phrases) for ragged in sentences)
    graded = None if np.isnan(scores).any() else np.array(scores, np.float64)
    arrays = (np.array(labels, np.int64), np.array(rows, np.int64), np.array(kinds, np.int16), graded)
    return ReadSplit(Split(sentences, *arrays), np.array(with_parse, bool), np.array(cut_off, np.int64))


def corpus_phrases(settings: Settings, file: File, example: Example, side: int, words: int) -> np.ndarray:
    """(T,) where the phrases of a sentence begin, by the tree that the data give it."""
    labelled, parse = example.labelled_parses[side] if example.labelled_parses else None, example.parses[side]
    try:
        if parse is not None:
            phrases.check_tree_words(example.sentences[side], tree_leaves(parse))
        return phrases.corpus_tree_bits(parse, labelled, words, settings.phrases)
    except ValueError as error:
        raise file.source.error(line_number(settings, example), str(error)) from error


def line_number(settings: Settings, example: Example) -> int:
    return example.row + 1 + HEADS.get(settings.dataset.format, 0)


def length_message(tokens: int) -> str:
    return (
        f"a sentence of {tokens:,} tokens, as where rows of a file have run together, and attention between all of "
        "them asks for more memory than there is; correct the row, or set text.token_limit=400 to keep the first 400 "
        "tokens of each sentence"
    )


def length_limit(whole: ReadSplit, percentile: float) -> int | None:
    """The shortest length that the wanted percentage of all sentences keeps within.

    The DiSAN authors measure before they drop anything, so examples without a label count too.
    """
    if percentile >= 100 or not len(whole):
        return None
    lengths = np.sort(np.concatenate([sentences.lengths for sentences in whole.split.sentences]))
    shares = np.arange(1, len(lengths) + 1) / len(lengths)
    return int(lengths[np.searchsorted(shares, percentile / 100)])


def drop_unusable(whole: ReadSplit, limit: int | None) -> ReadSplit:
    """The examples that have a label and are not too long."""
    used = whole.split.labels != NO_LABEL
    if limit is not None:
        used &= whole.split.max_lengths() <= limit
    return ReadSplit(whole.split.select(np.flatnonzero(used)), whole.with_parse[used], whole.cut_off[used])


def split_facts(
    whole: ReadSplit, kept: ReadSplit, labels: Sequence[str], genres: Sequence[str], levels: int = 0
) -> dict[str, Any]:
    """What became of the rows of a split. A row that gives several examples, as trees do, counts once as a row: by the
    first of them, the whole sentence."""
    labelled = whole.split.labels != NO_LABEL
    _, first = np.unique(whole.split.rows, return_index=True)
    found = {
        "rows": len(first),
        "labelled": int(labelled[first].sum()),
        "too_long": int(labelled.sum()) - len(kept),
        "used": len(kept),
        "labels": {label: int((kept.split.labels == number).sum()) for number, label in enumerate(labels)},
        "with_parse": len(np.unique(whole.split.rows[whole.with_parse])),
        "empty": int((kept.split.sentence_lengths() == 0).any(1).sum()),
    }
    if genres:
        found["genres"] = {genre: int((kept.split.genres == number).sum()) for number, genre in enumerate(genres)}
    if levels:
        found["divided"] = phrases.phrase_counts(kept.split.sentences, levels)
    if tokens := int(kept.cut_off.sum()):
        share = tokens / (tokens + int(kept.split.word_counts().sum()))
        found["cut"] = {"examples": int((kept.cut_off > 0).sum()), "tokens": tokens, "share": round(share, 4)}
    return found
