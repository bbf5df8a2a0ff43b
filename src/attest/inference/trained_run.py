"""A finished run opened again: its settings, its data and its best weights, ready for sentences of anybody's own.

Legend: N sentences, T words of one sentence, E features of a word vector, W width of a sentence vector.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import torch

from attest.config.compose import compose_unchecked, recompose
from attest.config.paths import tracked_results
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
from attest.errors import DataError, RecordError, SettingsError
from attest.runs.identity import versions_of
from attest.runs.records import Record, Store, lookup, weights_of
from attest.syntax.parsers import Parser, configured_parser
from attest.training.assemble import assemble
from attest.training.evaluation import outputs_of
from attest.training.tasks import SentenceTask

VERSIONS = ("model", "head", "preparation")
"""Of the code that a run goes through, what its weights depend on after training."""


@dataclass(frozen=True, eq=False)
class Trained:
    """One run. The more sentences it is asked of at once, the fewer times the file of word vectors is read."""

    record: Record
    settings: Settings
    corpus: Corpus
    module: SentenceTask
    """In evaluation mode, with the best weights."""

    @cached_property
    def rows(self) -> dict[str, int]:
        """Word -> row of the table of word vectors, for every word that came up so far."""
        return {word: row for row, word in enumerate(self.corpus.words) if row >= FIRST_WORD}

    def words(self, sentences: Sequence[str]) -> list[list[str]]:
        """By the run's own recipe; by treebank rules where that wants a parse and there is none."""
        pairs = zip(sentences, self.parses(sentences), strict=True)
        return [tokenise(sentence, parse, self.settings.text) for sentence, parse in pairs]

    def parses(self, sentences: Sequence[str]) -> list[str | None]:
        """A run on the trees that its data have is given trees for sentences: '( ( A man ) ( runs . ) )'. To others,
        brackets are words."""
        needed = self.module.encoder.levels and self.parser is None
        return [sentence if needed and sentence.lstrip().startswith("(") else None for sentence in sentences]

    @cached_property
    def parser(self) -> Parser | None:
        return configured_parser(self.settings)

    def parsed_by(self, chosen: Phrases) -> "Trained":
        """The same run, which takes the trees of a parser for sentences that have none: one that was trained on the
        trees of its data can be asked of others so."""
        if not self.module.encoder.levels:
            raise SettingsError(f"phrases: the encoder of {self.record.id} does not attend within phrases")
        if self.parser is not None:
            keeps = f"was trained on the trees of a parser, {self.parser.identity}, and keeps to it"
            raise SettingsError(f"phrases: {self.record.id} {keeps}")
        phrases = replace(self.settings.phrases, source=chosen.source, parser_run=chosen.parser_run)
        return replace(self, settings=replace(self.settings, phrases=phrases))

    def tokens(self, sentences: Sequence[str]) -> Ragged:
        """The row of each word. A word that the corpus lacks has the vector of the run's file, or none (UNKNOWN)."""
        return self.numbered(self.words(sentences))

    def numbered(self, words: Sequence[Sequence[str]]) -> Ragged:
        """The same of words as they are."""
        self.learn(sorted({word for sentence in words for word in sentence} - self.rows.keys()))
        return Ragged.from_lists([[self.rows[word] for word in sentence] for sentence in words])

    def learn(self, words: Sequence[str]) -> None:
        """Give new words the next rows of the table."""
        if words:
            paths, vectors = self.settings.paths, self.settings.vectors
            found = read_vectors(
                find_source(Path(paths.data), vectors.file, vectors.archive), words, vectors.size
            ).vectors
            shared = vectors.unknown == "hashed"
            self.rows.update({word: self.rows[shared_row_name(word)] if shared else UNKNOWN for word in words})
            if found:
                added = self.module.words.extend(torch.from_numpy(np.stack(list(found.values()))))
                self.rows.update(zip(found, added, strict=True))

    def divided(
        self,
        tokens: Ragged,
        words: Sequence[Sequence[str]],
        parses: Sequence[str | None] = (),
        labelled: Sequence[str | None] | None = None,
    ) -> Ragged:
        """The same sentences with their phrases, if the encoder attends within phrases. `parses` are what comes with
        the sentences, `labelled` those in the form of the Penn Treebank; a run on the data's own trees needs them for
        two words and more."""
        if not self.module.encoder.levels:
            return tokens
        if self.parser is not None:
            return replace(tokens, phrases=join_bits(parser_tree_bits(words, self.parser, self.settings.phrases)))
        given = parses or [None] * len(words)
        if any(parse is None and len(sentence) > 1 for parse, sentence in zip(given, words, strict=True)):
            raise SettingsError(
                f"{self.record.id}: this run divides sentences by the trees that its data have, and here are none; "
                "give trees, such as '( ( A man ) ( runs . ) )', or where vectors are judged a parser (phrases=learned)"
            )
        trees = zip(given, labelled or [None] * len(words), words, strict=True)
        return replace(tokens, phrases=join_bits([self.own_phrases(*tree) for tree in trees]))

    def own_phrases(self, parse: str | None, labelled: str | None, words: Sequence[str]) -> np.ndarray:
        try:
            return corpus_tree_bits(parse, labelled, len(words), self.settings.phrases)
        except ValueError as error:
            raise DataError(f"{' '.join(words)!r}: {error}") from error

    def encode(self, sentences: Sequence[str], batch_size: int = 100) -> np.ndarray:
        """(N, W) in the order given; zeros for a sentence without words."""
        if not sentences:
            return np.zeros((0, self.module.encoder.width), np.float32)
        words = self.words(sentences)
        split = Split.from_sentences(self.divided(self.numbered(words), words, self.parses(sentences)))
        return outputs_of(self.module, split, batch_size, lambda batch: self.module.encode(batch)[0]).numpy()

    def attend(self, sentence: str) -> dict[str, np.ndarray]:
        """The attention maps of one sentence by name, (T, ...)."""
        words = self.words([sentence])
        ragged = self.divided(self.numbered(words), words, self.parses([sentence]))
        tokens_T = torch.from_numpy(ragged.tokens).long()
        bits_1T = None if ragged.phrases is None else torch.from_numpy(ragged.phrases).long()[None]
        with torch.inference_mode():
            x_1TE = self.module.words(tokens_T)[None]
            maps = self.module.encoder.attend(x_1TE, torch.ones(1, len(tokens_T), dtype=torch.bool), bits_1T)
        return {name: value[0].numpy() for name, value in maps.items()}


def open_run(prefix: str, overrides: Sequence[str] = ()) -> Trained:
    """The run of this id, or of the one id that begins so; `overrides` are for private settings such as paths.data."""
    return load(lookup(prefix, stores(overrides)), overrides)


def stores(overrides: Sequence[str] = ()) -> list[Store]:
    """Where runs are recorded: on this machine, at either scale, and in the tracked results."""
    places = [text for text in overrides if text.lstrip("+").startswith("paths")]  # others are the run's
    folders = [Path(compose_unchecked([f"scale={scale}", *places]).paths.records) for scale in ("paper", "mini")]
    return [Store(folder) for folder in (*folders, tracked_results() / "records")]


def load(record: Record, overrides: Sequence[str] = ()) -> Trained:
    if record.status != "done":
        raise RecordError(f"{record.id}: this run failed ({record.reason}); it has no weights")
    settings = recompose(record.settings, overrides)
    check_versions(record, settings)
    weights = weights_of(Path(settings.paths.runs) / record.id, record.selected["step"])
    if not weights.is_file():
        raise RecordError(f"{record.id}: its weights are not here ({weights}). {to_make_again(record, settings)}")
    provide_data(settings)
    settings = with_own_parser(record, settings)
    corpus = arrange_splits(prepare(settings), settings.protocol, settings.seed)
    if corpus.fingerprint != record.fingerprint:
        raise DataError(
            f"{record.id}: it was trained on other files of {settings.dataset.name} or {settings.vectors.file} (data "
            f"{record.fingerprint}) than are in {settings.paths.data} (data {corpus.fingerprint}); name the folder "
            "that holds them with paths.data=..., or train anew"
        )
    module = assemble(settings, corpus)
    module.load_state_dict(torch.load(weights, weights_only=True, map_location="cpu"))
    return Trained(record, settings, corpus, module.eval())


def with_own_parser(record: Record, settings: Settings) -> Settings:
    """Its phrases are those of the parser that it was trained with, whichever is the usual one by now."""
    runs = record.data.get("parser", {}).get("runs")
    return replace(settings, phrases=replace(settings.phrases, parser_run=runs[0])) if runs else settings


def check_versions(record: Record, settings: Settings) -> None:
    current = versions_of(settings)
    for name in VERSIONS:
        if record.versions.get(name) != current[name]:
            raise RecordError(
                f"{record.id}: trained by version {record.versions.get(name)} of its {name}, and this is version "
                f"{current[name]}, which says other things; train it anew"
            )


def to_make_again(record: Record, settings: Settings) -> str:
    """What to type for weights that were deleted or left on another machine."""
    label, own = record.label, Store(Path(settings.paths.records)).path(record.id)
    again = "the `attest train` that made it"
    if label.table:
        again = f"the `attest train` that `attest show {label.table} {label.row} scale={settings.scale}` prints for it"
    before = f"delete {own} and run" if own.is_file() else "run"
    return f"To train it again, {before} {again}"
