"""Official files to a corpus: parsed once into the cache, then opened in no time."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from attest.corpora import READERS, Example, Source, find
from attest.corpus import FIRST_WORD, SPLITS, UNKNOWN, Corpus, Ragged, Split, load, save
from attest.errors import DataError
from attest.schema import plain
from attest.settings import Settings, Text
from attest.storage import replacing_folder
from attest.text.tokens import tokenise
from attest.text.vectors import Found, read_vectors

VERSION = 1
"""Raised whenever the same files and settings would give another corpus."""

Tokens = tuple[list[str], ...]
"""The sentences of one example."""


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
        with replacing_folder(folder) as temporary:
            save(temporary, parse(settings, sources))
    return load(folder)


@dataclass(frozen=True)
class Kept:
    """The examples of one split that are used, and what became of the others."""

    examples: Sequence[Example]
    tokens: Sequence[Tokens]
    facts: Mapping[str, Any]
    all_words: Sequence[str]
    """Distinct words of the whole file, also of examples that are not used, in order of appearance."""


def parse(settings: Settings, sources: Mapping[str, Source]) -> Corpus:
    """Read the files of all splits and the vectors of their words."""
    kept = {split: keep(settings, split, sources[split]) for split in SPLITS}
    training_words = kept["train"].all_words
    known = set(training_words)
    other_words = dict.fromkeys(word for split in ("dev", "test") for word in running(kept[split]) if word not in known)
    found = read_vectors(sources["vectors"], known | set(other_words), settings.vectors.size)
    words = ["", "", *training_words, *(word for word in other_words if word in found.vectors)]
    index = {word: number for number, word in enumerate(words) if number >= FIRST_WORD}
    genres = list(dict.fromkeys(e.genre for split in SPLITS for e in kept[split].examples if e.genre is not None))
    hashes = [kept[split].facts["sha256"] for split in SPLITS] + [sources["vectors"].sha256]
    return Corpus(
        splits={split: encode(kept[split], index, settings.dataset.labels, genres) for split in SPLITS},
        words=words,
        training_words=len(training_words),
        vectors=vector_table(words, found, settings.vectors.size),
        genres=genres,
        facts={
            "fingerprint": hashlib.sha256(" ".join(hashes).encode()).hexdigest()[:16],
            "splits": {split: kept[split].facts for split in SPLITS},
            "vectors": {
                "rows": found.rows,
                "duplicates": found.duplicates,
                "training_words": len(training_words),
                "training_words_found": sum(word in found.vectors for word in training_words),
                "frozen_words": len(words) - FIRST_WORD - len(training_words),
                "tokens_found": {split: share_found(kept[split], found) for split in SPLITS},
                "sha256": sources["vectors"].sha256,
            },
        },
    )


def keep(settings: Settings, split: str, source: Source) -> Kept:
    """Tokenise a file and drop examples without a label and, in training, those that are too long."""
    examples = list(READERS[settings.dataset.format](source, settings.dataset.labels))
    tokens = [
        tuple(tokenise(sentence, parse, settings.text) for sentence, parse in zip(e.sentences, e.parses, strict=True))
        for e in examples
    ]
    # The DiSAN authors measure lengths and collect words before they drop anything.
    limit = length_limit(tokens, settings.text) if split == "train" else None
    labelled = [i for i, example in enumerate(examples) if example.label is not None]
    used = [i for i in labelled if limit is None or max(map(len, tokens[i])) <= limit]
    if not used:
        raise DataError(f"{source}: holds no labelled example")
    facts = {
        "rows": len(examples),
        "labelled": len(labelled),
        "too_long": len(labelled) - len(used),
        "length_limit": limit,
        "used": len(used),
        "labels": dict(sorted(Counter(str(examples[i].label) for i in used).items())),
        "with_parse": sum(all(parse is not None for parse in example.parses) for example in examples),
        "sha256": source.sha256,
    }
    all_words = list(dict.fromkeys(word for sentences in tokens for sentence in sentences for word in sentence))
    return Kept([examples[i] for i in used], [tokens[i] for i in used], facts, all_words)


def length_limit(tokens: Sequence[Tokens], text: Text) -> int | None:
    """The shortest length that the wanted percentage of all sentences keeps within."""
    lengths = np.sort([len(sentence) for sentences in tokens for sentence in sentences])
    if text.length_percentile >= 100 or not len(lengths):
        return None
    shares = np.arange(1, len(lengths) + 1) / len(lengths)
    return int(lengths[np.searchsorted(shares, text.length_percentile / 100)])


def running(kept: Kept) -> Iterator[str]:
    return (word for sentences in kept.tokens for sentence in sentences for word in sentence)


def share_found(kept: Kept, found: Found) -> float:
    """Share of the running words that have a vector."""
    counts = Counter(word in found.vectors for word in running(kept))
    return round(counts[True] / max(1, counts.total()), 4)


def encode(kept: Kept, index: Mapping[str, int], labels: Sequence[str], genres: Sequence[str]) -> Split:
    number_of_sentences = len(kept.tokens[0])
    return Split(
        sentences=tuple(
            Ragged.of([index.get(word, UNKNOWN) for word in sentences[side]] for sentences in kept.tokens)
            for side in range(number_of_sentences)
        ),
        labels=np.array([list(labels).index(str(example.label)) for example in kept.examples], np.int64),
        rows=np.array([example.row for example in kept.examples], np.int64),
        genres=np.array([-1 if e.genre is None else genres.index(e.genre) for e in kept.examples], np.int16),
    )


def vector_table(words: Sequence[str], found: Found, size: int) -> np.ndarray:
    """(V, E): zeros for padding and unknown, the vectors found, NaN for training words without one."""
    table_VE = np.full((len(words), size), np.nan, dtype=np.float32)
    table_VE[:FIRST_WORD] = 0.0
    for row, word in enumerate(words[FIRST_WORD:], FIRST_WORD):
        if word in found.vectors:
            table_VE[row] = found.vectors[word]
    return table_VE
