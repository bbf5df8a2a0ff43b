"""Preparation: official files are read into a cached corpus once, and later runs open the cache."""

import hashlib
import json
import logging
from collections.abc import Sequence
from pathlib import Path

from attest.config.flat import to_plain
from attest.config.settings import Settings
from attest.config.vector_files import NO_FILE
from attest.data.corpus import Corpus
from attest.data.corpus_cache import cache_key_settings, cached_corpus
from attest.data.corpus_facts import split_facts, vector_facts
from attest.data.dataset import SplitFile, check_dataset, official_files, tree_files
from attest.data.fingerprint import corpus_fingerprint
from attest.data.read_dataset import read_dataset
from attest.data.readers import Parses, Source
from attest.data.text.unknown_words import fill_from_neighbours
from attest.data.vector_file import find_vectors, read_vectors_if_any
from attest.data.vocabulary import build_vocabulary, needed_words, renumber_words
from attest.syntax.parsers import Parser, configured_parser

log = logging.getLogger(__name__)

MIN_SHARE_WITH_VECTORS = 0.5
"""The share of tokens with a vector below which a warning is logged.

Papers' data sets reach 60% and more, even with the parts of GloVe that public repositories hold."""


def prepare(settings: Settings) -> Corpus:
    """Return the corpus that the settings describe, from the cache; it is built first if the cache lacks it."""
    check_dataset(settings)
    files = official_files(settings)
    vectors = find_vectors(settings.vectors, Path(settings.paths.data))
    parser, trees = configured_parser(settings), tree_files(settings)
    stamps: dict[str, object] = {file.name: file.source.stamp for file in files}
    stamps["vectors"] = vectors.stamp if vectors else NO_FILE
    if trees:
        stamps["parses"] = [source.stamp for source in trees]
    if parser is not None:
        stamps["parser"] = parser.identity
    key = hashlib.sha256(json.dumps(to_plain([cache_key_settings(settings), stamps])).encode()).hexdigest()[:16]
    folder = Path(settings.paths.cache) / "corpora" / f"{settings.dataset.name}-{key}"

    def build() -> Corpus:
        log.info("reading %s and %s; later runs use the cache", settings.dataset.name, settings.vectors.file)
        return build_corpus(settings, files, vectors, trees, parser)

    corpus = cached_corpus(folder, settings.dataset.name, build)
    if vectors is not None:
        warn_of_missing_vectors(corpus, vectors, settings.dataset.name)
    return corpus


def warn_of_missing_vectors(corpus: Corpus, vectors: Source, name: str) -> None:
    """Log a warning if over half of the tokens of the training set have no vector, so that they begin at random.

    The usual cause is a wrong language, wrong case or wrong file.
    """
    facts, advice = corpus.facts["vectors"], "see that the language and the case of the words fit (text.lowercase)"
    share = next(iter(facts["tokens_found"].values()))
    if not facts["training_words_found"]:
        log.warning(
            "%s: no word of the training set of %s has a vector there, so all vectors begin at random; %s",
            vectors, name, advice,
        )  # fmt: skip
    elif share < MIN_SHARE_WITH_VECTORS:
        log.warning(
            "%s: only %s of the %s words of the training set of %s have a vector there, which make up %.0f%% of its "
            "text; the others begin at random; %s",
            vectors, f"{facts['training_words_found']:,}", f"{facts['training_words']:,}", name, 100 * share, advice,
        )  # fmt: skip


def build_corpus(
    settings: Settings,
    files: Sequence[SplitFile],
    vectors: Source | None,
    trees: Sequence[Source],
    parser: Parser | None,
) -> Corpus:
    """Return the corpus made of the files of all splits, whose first split is the training set.

    `vectors` is the file of word vectors, if there is one; `trees` are files with further trees, and `parser` makes
    trees if needed.
    """
    data = read_dataset(settings, files, Parses(trees) if trees else None, parser)
    needed = needed_words(data.used_in_later_splits, data.training_words)
    pretrained = read_vectors_if_any(vectors, [data.words[i] for i in needed], settings.vectors.size)
    vocabulary = build_vocabulary(settings.vectors, data.words, data.training_words, needed, pretrained)
    splits = {split: renumber_words(used.split, vocabulary.row_of_number) for split, used in data.used_examples.items()}
    table = vocabulary.table
    if settings.vectors.unknown == "neighbours":
        table = fill_from_neighbours(table, (ragged for split in splits.values() for ragged in split.sentences))
    sources = [*(file.source for file in files), *([vectors] if vectors else ()), *trees]
    facts = {
        "fingerprint": corpus_fingerprint(settings.dataset, files, sources, parser),
        "splits": {split: split_facts(settings, data, split) for split in splits},
        "vectors": vector_facts(settings, data, vocabulary, table, vectors, pretrained),
    }
    if parser is not None:
        facts["fingerprint_of_words"] = corpus_fingerprint(settings.dataset, files, sources)
        facts["parser"] = parser.facts()
    return Corpus(splits, vocabulary.rows, vocabulary.training_rows, table, data.genres, facts)
