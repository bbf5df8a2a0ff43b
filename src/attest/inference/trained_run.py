"""A finished run, loaded with its settings, data and best weights, to encode new sentences.

Legend: N sentences, T words of one sentence, E features of a word vector, W width of a sentence vector.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import torch

from attest.config.compose import recompose
from attest.config.settings import Phrases, Settings
from attest.data.corpus import Corpus
from attest.data.mini.provide import provide_data
from attest.data.phrases import corpus_tree_bits, join_bits, parser_tree_bits
from attest.data.prepare import prepare
from attest.data.readers import find_source
from attest.data.split import FIRST_WORD, UNKNOWN, Ragged, Split
from attest.data.splitting import arrange_splits
from attest.data.text.tokens import tokenise
from attest.data.text.unknown_words import shared_row_name
from attest.data.text.vectors import read_vectors
from attest.errors import DataError, RecordError, SettingsError, StorageError
from attest.runs.identity import code_versions
from attest.runs.records import Record, Store, find_record, weights_file
from attest.runs.stores import stores
from attest.syntax.parsers import Parser, configured_parser
from attest.system.weights import load_weights
from attest.training.assemble import assemble_task
from attest.training.evaluation import outputs_of_split
from attest.training.tasks import SentenceTask

VERSIONS = ("model", "head", "preparation")
"""The versions of code that determine what the weights of a finished run compute."""


@dataclass(frozen=True, eq=False)
class TrainedRun:
    """A finished run that encodes new sentences.

    A call that meets new words reads the whole file of word vectors once, so pass many sentences at once.
    """

    record: Record
    settings: Settings
    corpus: Corpus
    module: SentenceTask
    """The model with its best weights, in evaluation mode."""

    @cached_property
    def rows(self) -> dict[str, int]:
        """The row in the table of word vectors of each word of the corpus and of all sentences so far.

        A word without a vector has the row UNKNOWN or a shared row, as the settings say.
        """
        return {word: row for row, word in enumerate(self.corpus.words) if row >= FIRST_WORD}

    def words(self, sentences: Sequence[str]) -> list[list[str]]:
        """Return the words of each sentence, tokenised as in training.

        If text.tokens=parse, a sentence that is not given as a tree is tokenised by the rules of the Penn Treebank.
        """
        pairs = zip(sentences, self.parses(sentences), strict=True)
        return [tokenise(sentence, parse, self.settings.text) for sentence, parse in pairs]

    def parses(self, sentences: Sequence[str]) -> list[str | None]:
        """Return each sentence that is a tree, such as '( ( A man ) ( runs . ) )', and None for every other sentence.

        Only a run that was trained on the trees of its data reads trees. For other runs brackets are words, and all are
        None.
        """
        needed = self.module.encoder.levels and self.parser is None
        return [sentence if needed and sentence.lstrip().startswith("(") else None for sentence in sentences]

    @cached_property
    def parser(self) -> Parser | None:
        """The parser whose trees the run uses, or None if it uses the trees of its data or no trees."""
        return configured_parser(self.settings)

    def with_parser(self, settings: Phrases) -> "TrainedRun":
        """Return the run with the parser of other settings, so that it encodes sentences that have no trees.

        A SettingsError is raised if the encoder does not use phrases, or if the run was trained with a parser.
        """
        if not self.module.encoder.levels:
            raise SettingsError(f"phrases: the encoder of {self.record.id} does not use phrases; omit this setting")
        if self.parser is not None:
            trained_with = f"was trained on the trees of a parser, {self.parser.identity}, and keeps it"
            raise SettingsError(f"phrases: {self.record.id} {trained_with}; omit this setting")
        phrases = replace(self.settings.phrases, source=settings.source, parser_run=settings.parser_run)
        return replace(self, settings=replace(self.settings, phrases=phrases))

    def tokens(self, sentences: Sequence[str]) -> Ragged:
        """Return the rows of the words of each sentence in the table of word vectors: `words`, then `numericalise`."""
        return self.numericalise(self.words(sentences))

    def numericalise(self, words: Sequence[Sequence[str]]) -> Ragged:
        """Return the rows of words in the table of word vectors; `words` holds the words of each sentence.

        A word that is not in the corpus is added to the table with its vector from the run's file of vectors. If it has
        none there, its row is UNKNOWN, or a shared row if the settings say so.
        """
        self.add_words(sorted({word for sentence in words for word in sentence} - self.rows.keys()))
        return Ragged.from_lists([[self.rows[word] for word in sentence] for sentence in words])

    def add_words(self, words: Sequence[str]) -> None:
        """Append the vectors of new words to the table, and record the rows of these words in `rows`."""
        if words:
            paths, vectors = self.settings.paths, self.settings.vectors
            new_vectors = read_vectors(
                find_source(Path(paths.data), vectors.file, vectors.archive), words, vectors.size
            ).vectors
            shared = vectors.unknown == "hashed"
            self.rows.update({word: self.rows[shared_row_name(word)] if shared else UNKNOWN for word in words})
            if new_vectors:
                added = self.module.words.extend(torch.from_numpy(np.stack(list(new_vectors.values()))))
                self.rows.update(zip(new_vectors, added, strict=True))

    def with_phrases(
        self,
        tokens: Ragged,
        words: Sequence[Sequence[str]],
        parses: Sequence[str | None] = (),
        labelled: Sequence[str | None] | None = None,
    ) -> Ragged:
        """Return the sentences with their phrases; unchanged if the encoder does not attend within phrases.

        `parses` are the binary trees of the sentences and `labelled` their trees with labels, in the format of the Penn
        Treebank; both hold None for a sentence without a tree. If the run was trained on the trees of its data, each
        sentence of two or more words needs a tree; raise SettingsError if one is missing. Other runs ignore the given
        trees and use their parser.
        """
        if not self.module.encoder.levels:
            return tokens
        if self.parser is not None:
            return replace(tokens, phrases=join_bits(parser_tree_bits(words, self.parser, self.settings.phrases)))
        given = parses or [None] * len(words)
        if any(parse is None and len(sentence) > 1 for parse, sentence in zip(given, words, strict=True)):
            raise SettingsError(
                f"{self.record.id}: this run needs trees, like those of its data, but a sentence has none; give trees, "
                "such as '( ( A man ) ( runs . ) )', or add phrases=learned to `attest transfer` to use a parser"
            )
        trees = zip(given, labelled or [None] * len(words), words, strict=True)
        return replace(tokens, phrases=join_bits([self.data_tree_bits(*tree) for tree in trees]))

    def data_tree_bits(self, parse: str | None, labelled: str | None, words: Sequence[str]) -> np.ndarray:
        """Return the phrase bits (T,) of a sentence by its own tree; raise DataError if the tree does not fit."""
        try:
            return corpus_tree_bits(parse, labelled, len(words), self.settings.phrases)
        except ValueError as error:
            raise DataError(f"{' '.join(words)!r}: {error}") from error

    def encode(self, sentences: Sequence[str], batch_size: int = 100) -> np.ndarray:
        """Return the sentence vectors (N, W) in the order of the sentences; zeros for a sentence without words."""
        if not sentences:
            return np.zeros((0, self.module.encoder.width), np.float32)
        words = self.words(sentences)
        split = Split.from_sentences(self.with_phrases(self.numericalise(words), words, self.parses(sentences)))
        return outputs_of_split(self.module, split, batch_size, lambda batch: self.module.encode(batch)[0]).numpy()

    def attend(self, sentence: str) -> dict[str, np.ndarray]:
        """Return the attention maps of one sentence by name, each (T, ...); raise NoMapsError if there are none."""
        words = self.words([sentence])
        ragged = self.with_phrases(self.numericalise(words), words, self.parses([sentence]))
        tokens_T = torch.from_numpy(ragged.tokens).long()
        bits_1T = None if ragged.phrases is None else torch.from_numpy(ragged.phrases).long()[None]
        with torch.inference_mode():
            x_1TE = self.module.words(tokens_T)[None]
            maps = self.module.encoder.attend(x_1TE, torch.ones(1, len(tokens_T), dtype=torch.bool), bits_1T)
        return {name: value[0].numpy() for name, value in maps.items()}


def open_run(prefix: str, overrides: Sequence[str] = ()) -> TrainedRun:
    """Return the finished run whose id begins with `prefix`.

    `overrides` may only change private settings such as paths.data. Raise RecordError if no id or more than one id
    begins with `prefix`.
    """
    return load(find_run(prefix, overrides), overrides)


def find_run(prefix: str, overrides: Sequence[str] = ()) -> Record:
    """Return the record of the run whose id begins with `prefix`; raise RecordError if there is none, or several."""
    return find_record(prefix, stores(overrides))


def load(record: Record, overrides: Sequence[str] = ()) -> TrainedRun:
    """Return the run of a record, with its data prepared and its best weights loaded.

    A RecordError is raised if the run failed, was trained by another version of the code or has no weights here; a
    DataError, if the data are not those of training.
    """
    if record.status != "done":
        raise RecordError(
            f"{record.id}: this run failed ({record.reason}) and has no weights; train it again with retry_failed=true"
        )
    settings = recompose(record.settings, overrides)
    check_versions(record, settings)
    weights = weights_file(Path(settings.paths.runs) / record.id, record.selected["step"])
    if not weights.is_file():
        raise RecordError(f"{record.id}: its weights are missing ({weights}); {retraining_hint(record, settings)}")
    provide_data(settings)
    settings = with_recorded_parser(record, settings)
    corpus = arrange_splits(prepare(settings), settings.protocol, settings.seed)
    if corpus.fingerprint != record.fingerprint:
        raise DataError(
            f"{record.id}: this run was trained on other files of {settings.dataset.name} or {settings.vectors.file} "
            f"(fingerprint {record.fingerprint}) than those in {settings.paths.data} (fingerprint "
            f"{corpus.fingerprint}); type paths.data=FOLDER with the folder of its files, or train it again"
        )
    module = assemble_task(settings, corpus)
    try:
        load_weights(module, weights)
    except StorageError as error:
        raise RecordError(f"{record.id}: {error}; {retraining_hint(record, settings)}") from error
    return TrainedRun(record, settings, corpus, module.eval())


def with_recorded_parser(record: Record, settings: Settings) -> Settings:
    """Return the settings with the parser that the record names, even if another one is the default by now."""
    runs = record.data.get("parser", {}).get("runs")
    return replace(settings, phrases=replace(settings.phrases, parser_run=runs[0])) if runs else settings


def check_versions(record: Record, settings: Settings) -> None:
    """Raise RecordError if the installed code computes something else with the weights than the code of training."""
    current = code_versions(settings)
    for name in VERSIONS:
        if record.versions.get(name) != current[name]:
            raise RecordError(
                f"{record.id}: this run was trained with version {record.versions.get(name)} of its {name}, but the "
                f"installed version {current[name]} computes other results; train the run again"
            )


def retraining_hint(record: Record, settings: Settings) -> str:
    """Return what to type to train a run again whose weights were deleted or are on another machine."""
    label, path = record.label, Store(Path(settings.paths.records)).path(record.id)
    command = "the `attest train` command that trained it"
    if label.table:
        show = f"attest show {label.table} {label.row} scale={settings.scale}"
        command = f"the `attest train` command that `{show}` prints for it"
    run = f"delete {path} and run" if path.is_file() else "run"
    return f"to train it again, {run} {command}"
