"""Official files to a corpus: parsed once into the cache, then opened in no time.

Legend: N examples, V words, E features of a word vector.
"""

import hashlib
import json
import logging
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from attest.corpora import READERS, Source, find
from attest.corpus import FIRST_WORD, SPLITS, UNKNOWN, Corpus, Ragged, Split, load, save
from attest.errors import DataError
from attest.schema import plain
from attest.settings import Settings
from attest.storage import replacing_folder
from attest.text.tokens import tokenise
from attest.text.vectors import Found, read_vectors

VERSION = 1
"""Raised whenever the same files and settings would give another corpus."""

NO_LABEL = -1
log = logging.getLogger(__name__)


def prepare(settings: Settings) -> Corpus:
    """The corpus of `settings` from the cache, made first where it is not there."""
    data = Path(settings.paths.data)
    sources = {split: find(data, settings.dataset.files[split], settings.dataset.archive) for split in SPLITS}
    sources["vectors"] = find(data, settings.vectors.file, settings.vectors.archive)
    choices = [VERSION, settings.dataset.format, settings.dataset.labels, settings.text, settings.vectors.size]
    stamps = {name: source.stamp for name, source in sources.items()}
    key = hashlib.sha256(json.dumps(plain([choices, stamps])).encode()).hexdigest()[:16]
    folder = Path(settings.paths.cache) / "corpora" / f"{settings.dataset.name}-{key}"
    if not folder.is_dir():
        log.info("reading %s and %s into the cache, once", settings.dataset.name, settings.vectors.file)
        with replacing_folder(folder) as temporary:
            save(temporary, parse(settings, sources))
    return load(folder)


def parse(settings: Settings, sources: Mapping[str, Source]) -> Corpus:
    """Read the files of all splits and the vectors of their words."""
    index: dict[str, int] = {}
    genres: dict[str, int] = {}
    whole = {"train": read_split(settings, sources["train"], index, genres)}
    training_words = len(index)  # of the whole file, also of examples that are not used
    whole |= {split: read_split(settings, sources[split], index, genres) for split in SPLITS if split != "train"}
    limit = length_limit(whole["train"], settings.text.length_percentile)
    kept = {split: keep(whole[split], limit if split == "train" else None) for split in SPLITS}
    for split in SPLITS:
        if not len(kept[split]):
            raise DataError(f"{sources[split]}: holds no labelled example")

    words, needed = list(index), needed_words(kept, training_words)
    found = read_vectors(sources["vectors"], [words[i] for i in needed], settings.vectors.size)
    frozen = [i for i in needed if i >= training_words and words[i] in found.vectors]
    final = np.full(len(words), UNKNOWN, np.int32)  # provisional number of a word -> its row in the table
    final[:training_words] = FIRST_WORD + np.arange(training_words)
    final[frozen] = FIRST_WORD + training_words + np.arange(len(frozen))
    rows = ["", "", *words[:training_words], *(words[i] for i in frozen)]

    hashes = [sources[name].sha256 for name in (*SPLITS, "vectors")]
    facts = {
        "fingerprint": hashlib.sha256(" ".join(hashes).encode()).hexdigest()[:16],
        "splits": {
            split: {
                **counts(whole[split], kept[split], settings.dataset.labels),
                "length_limit": limit if split == "train" else None,
                "sha256": sources[split].sha256,
            }
            for split in SPLITS
        },
        "vectors": {
            "rows": found.rows,
            "duplicates": found.duplicates,
            "training_words": training_words,
            "training_words_found": sum(word in found.vectors for word in words[:training_words]),
            "frozen_words": len(frozen),
            "tokens_found": {split: share_found(kept[split], words, found) for split in SPLITS},
            "sha256": sources["vectors"].sha256,
        },
    }
    splits = {split: renumbered(kept[split].split, final) for split in SPLITS}
    table = vector_table(rows, found, settings.vectors.size)
    return Corpus(splits, rows, training_words, table, list(genres), facts)


@dataclass(frozen=True)
class Reading:
    """Examples of one file as they were read: words by provisional number, NO_LABEL where there is none."""

    split: Split
    with_parse: np.ndarray
    """(N,) whether every sentence of the example came with a parse."""

    def __len__(self) -> int:
        return len(self.split)


def read_split(settings: Settings, source: Source, index: dict[str, int], genres: dict[str, int]) -> Reading:
    """Every row of a file. New words and genres are added to `index` and `genres`."""
    numbers = {label: number for number, label in enumerate(settings.dataset.labels)}
    labels, rows, kinds, with_parse = array("q"), array("q"), array("h"), array("b")
    flat: list[array[int]] = []
    lengths: list[array[int]] = []
    for example in READERS[settings.dataset.format](source, settings.dataset.labels):
        labels.append(NO_LABEL if example.label is None else numbers[example.label])
        rows.append(example.row)
        kinds.append(-1 if example.genre is None else genres.setdefault(example.genre, len(genres)))
        with_parse.append(all(parse is not None for parse in example.parses))
        if not flat:
            flat, lengths = [array("i") for _ in example.sentences], [array("q") for _ in example.sentences]
        for side, (sentence, parse) in enumerate(zip(example.sentences, example.parses, strict=True)):
            tokens = tokenise(sentence, parse, settings.text)
            flat[side].extend(index.setdefault(token, len(index)) for token in tokens)
            lengths[side].append(len(tokens))
    sentences = tuple(
        Ragged(np.array(tokens, np.int32), np.concatenate([[0], np.cumsum(np.array(sizes, np.int64))]))
        for tokens, sizes in zip(flat, lengths, strict=True)
    )
    arrays = (np.array(labels, np.int64), np.array(rows, np.int64), np.array(kinds, np.int16))
    return Reading(Split(sentences, *arrays), np.array(with_parse, bool))


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
    chosen = np.flatnonzero(used)
    split = whole.split
    sentences = tuple(ragged.chosen(chosen) for ragged in split.sentences)
    return Reading(
        Split(sentences, split.labels[chosen], split.rows[chosen], split.genres[chosen]), whole.with_parse[chosen]
    )


def needed_words(kept: Mapping[str, Reading], training_words: int) -> list[int]:
    """Provisional numbers of all training words and of what dev and test need besides."""
    others = [sentences.tokens for split in ("dev", "test") for sentences in kept[split].split.sentences]
    seen = np.unique(np.concatenate(others))
    return [*range(training_words), *seen[seen >= training_words].tolist()]


def renumbered(split: Split, final: np.ndarray) -> Split:
    sentences = tuple(Ragged(final[ragged.tokens], ragged.offsets) for ragged in split.sentences)
    return Split(sentences, split.labels, split.rows, split.genres)


def counts(whole: Reading, kept: Reading, labels: Sequence[str]) -> dict[str, Any]:
    """What became of the rows of a file."""
    labelled = int((whole.split.labels != NO_LABEL).sum())
    return {
        "rows": len(whole),
        "labelled": labelled,
        "too_long": labelled - len(kept),
        "used": len(kept),
        "labels": {label: int((kept.split.labels == number).sum()) for number, label in enumerate(labels)},
        "with_parse": int(whole.with_parse.sum()),
    }


def share_found(kept: Reading, words: Sequence[str], found: Found) -> float:
    """Share of the running words that have a vector."""
    tokens = np.concatenate([sentences.tokens for sentences in kept.split.sentences])
    has_vector = np.array([word in found.vectors for word in words])
    return round(float(has_vector[tokens].mean()), 4) if len(tokens) else 0.0


def vector_table(rows: Sequence[str], found: Found, size: int) -> np.ndarray:
    """(V, E): zeros for padding and unknown, the vectors found, NaN for training words without one."""
    table_VE = np.full((len(rows), size), np.nan, dtype=np.float32)
    table_VE[:FIRST_WORD] = 0.0
    for row, word in enumerate(rows[FIRST_WORD:], FIRST_WORD):
        if word in found.vectors:
            table_VE[row] = found.vectors[word]
    return table_VE
