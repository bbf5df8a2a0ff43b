"""Rows of official files as numbers: which files there are, every example in them, and which examples are kept.

Legend: N examples.
"""

import logging
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from attest import phrasing
from attest.corpora import COMPANIONS, ENCODINGS, HEADS, READERS, Example, Parses, Source, find
from attest.corpora.phrases import chosen
from attest.corpora.sst import CLASSES, NEUTRAL
from attest.corpus import SPLITS, Ragged, Split
from attest.errors import DataError, SettingsError
from attest.parsing import Parser
from attest.settings import Dataset, Settings
from attest.text.tokens import cut, tokens_of

NO_LABEL = -1

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class File:
    """One official file of a split, and the classes that it may hold."""

    name: str
    split: str
    source: Source
    labels: Sequence[str]


@dataclass(frozen=True)
class Reading:
    """Examples of one split as they were read: words by provisional number, NO_LABEL where there is none."""

    split: Split
    with_parse: np.ndarray
    """(N,) whether every sentence of the example came with a parse."""
    cut_off: np.ndarray
    """(N,) how many tokens of the example were cut off."""

    def __len__(self) -> int:
        return len(self.split)


def check(settings: Settings) -> None:
    """What the text settings ask for has to be there in a data set of this kind."""
    phrasing.check(settings)
    dataset, text = settings.dataset, settings.text
    if dataset.format not in READERS:
        raise SettingsError(f"dataset: {dataset.name} has nothing to train on; `attest transfer` evaluates with it")
    if text.phrases != "sentences" and dataset.format != "sst":
        raise SettingsError(f"text.phrases: {text.phrases} is for sets of trees, and {dataset.name} is not one")
    if dataset.format == "sst" and len(dataset.labels) != CLASSES:
        raise SettingsError(f"dataset.labels: trees have {CLASSES} classes, and {len(dataset.labels)} have a name here")
    if text.length_percentile < 100 and "train" not in dataset.files:
        raise SettingsError(f"text.length_percentile: {dataset.name} has no training set to measure; leave it at 100")
    for split, entry in dataset.files.items():
        if isinstance(entry, str) == (dataset.format == "lines"):
            wanted = "a file for each class" if dataset.format == "lines" else "one file"
            raise SettingsError(f"dataset.files.{split}: the format {dataset.format} wants {wanted} here")
        for label in () if isinstance(entry, str) else entry:
            if label not in dataset.labels:
                raise SettingsError(f"dataset.files.{split}.{label}: not one of the labels of {dataset.name}")


def files(settings: Settings) -> list[File]:
    """The official files that these settings ask for."""
    return files_of(settings.dataset, Path(settings.paths.data))


def files_of(dataset: Dataset, data: Path) -> list[File]:
    """The official files of a data set: train first, then dev and test, then other splits."""

    def source(path: str) -> Source:
        encoding, companions = ENCODINGS.get(dataset.format, "utf-8"), COMPANIONS.get(dataset.format, "")
        return find(data, path, dataset.archive, encoding=encoding, companions=companions)

    found: list[File] = []
    for split in sorted(dataset.files, key=lambda name: SPLITS.index(name) if name in SPLITS else len(SPLITS)):
        entry = dataset.files[split]
        if isinstance(entry, str):
            found.append(File(split, split, source(entry), dataset.labels))
        else:
            found += [File(f"{split}.{label}", split, source(path), (label,)) for label, path in entry.items()]
    return found


def parse_files(settings: Settings) -> list[Source]:
    """The files with trees beside the set's own, where tokens are leaves of trees."""
    if settings.text.tokens != "parse":
        return []
    return [find(Path(settings.paths.data), path) for path in settings.dataset.parses]


def examples(settings: Settings, file: File, parses: Parses | None = None) -> Iterator[Example]:
    """The rows of a file that belong to its split; of trees in the training set also the parts that are wanted."""
    phrases = settings.text.phrases if file.split == SPLITS[0] else "sentences"
    neutral = settings.dataset.labels[NEUTRAL] if phrases != "sentences" else ""
    for example in READERS[settings.dataset.format](file.source, file.labels):
        if example.split in (None, file.split):
            yield from chosen(parses.beside(example) if parses else example, phrases, neutral)


def read_split(
    settings: Settings,
    several: Sequence[File],
    index: dict[str, int],
    genres: dict[str, int],
    parses: Parses | None,
    parser: Parser | None,
) -> Reading:
    """Every row of the files of a split, numbered on from one file to the next. New words and genres are added to
    `index` and `genres`."""
    numbers = {label: number for number, label in enumerate(settings.dataset.labels)}
    labels, rows, kinds, with_parse, scores = array("q"), array("q"), array("h"), array("b"), array("d")
    cut_off = array("q")
    flat: list[array[int]] = []
    lengths: list[array[int]] = []
    bits: list[list[np.ndarray]] = []
    takes_own = phrasing.takes_own(settings)
    for file in several:
        before, first_row = len(labels), rows[-1] + 1 if rows else 0
        without_words: list[int] = []
        for example in examples(settings, file, parses):
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
                every = tokens_of(sentence, parse, settings.text)
                tokens = cut(every, settings.text)
                cut_off[-1] += len(every) - len(tokens)
                flat[side].extend(index.setdefault(token, len(index)) for token in tokens)
                lengths[side].append(len(tokens))
                if takes_own:
                    bits[side].append(own_phrases(settings, file, example, side, len(tokens)))
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
            phrasing.joined(own) if takes_own else None,
        )
        for tokens, sizes, own in zip(flat, lengths, bits, strict=True)
    )
    if parser is not None:
        words = list(index)
        sentences = tuple(phrasing.with_phrases(ragged, words, parser, settings.parser) for ragged in sentences)
    graded = None if np.isnan(scores).any() else np.array(scores, np.float64)
    arrays = (np.array(labels, np.int64), np.array(rows, np.int64), np.array(kinds, np.int16), graded)
    return Reading(Split(sentences, *arrays), np.array(with_parse, bool), np.array(cut_off, np.int64))


def own_phrases(settings: Settings, file: File, example: Example, side: int, words: int) -> np.ndarray:
    """(T,) where the phrases of a sentence begin, by the tree that the data give it."""
    labelled = example.labelled_parses[side] if example.labelled_parses else None
    try:
        return phrasing.own_phrases(example.parses[side], labelled, words, settings.parser)
    except ValueError as error:
        line = example.row + 1 + HEADS.get(settings.dataset.format, 0)
        raise file.source.error(line, str(error)) from error


def length_limit(whole: Reading, percentile: float) -> int | None:
    """The shortest length that the wanted percentage of all sentences keeps within.

    The DiSAN authors measure before they drop anything, so examples without a label count too.
    """
    if percentile >= 100 or not len(whole):
        return None
    lengths = np.sort(np.concatenate([sentences.lengths for sentences in whole.split.sentences]))
    shares = np.arange(1, len(lengths) + 1) / len(lengths)
    return int(lengths[np.searchsorted(shares, percentile / 100)])


def keep(whole: Reading, limit: int | None) -> Reading:
    """The examples that have a label and are not too long."""
    used = whole.split.labels != NO_LABEL
    if limit is not None:
        used &= whole.split.lengths() <= limit
    return Reading(whole.split.chosen(np.flatnonzero(used)), whole.with_parse[used], whole.cut_off[used])


def counts(whole: Reading, kept: Reading, labels: Sequence[str], levels: int = 0) -> dict[str, Any]:
    """What became of the rows of a split. A row that gives several examples, as trees do, counts once as a row."""
    labelled = whole.split.labels != NO_LABEL
    found = {
        "rows": len(np.unique(whole.split.rows)),
        "labelled": len(np.unique(whole.split.rows[labelled])),
        "too_long": int(labelled.sum()) - len(kept),
        "used": len(kept),
        "labels": {label: int((kept.split.labels == number).sum()) for number, label in enumerate(labels)},
        "with_parse": len(np.unique(whole.split.rows[whole.with_parse])),
        "empty": int((kept.split.sentence_lengths() == 0).any(1).sum()),
    }
    if levels:
        found["divided"] = phrasing.counted(kept.split.sentences, levels)
    if tokens := int(kept.cut_off.sum()):
        share = tokens / (tokens + int(kept.split.words().sum()))
        found["cut"] = {"examples": int((kept.cut_off > 0).sum()), "tokens": tokens, "share": round(share, 4)}
    return found
