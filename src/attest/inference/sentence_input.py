"""Sentences as input of a finished run's model: their words, the rows of these in the table of vectors, and phrases.

Legend: N sentences, T words of one sentence.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np
import torch

from attest.config.settings import Settings
from attest.data.phrases import corpus_tree_bits, join_bits, parser_tree_bits
from attest.data.splits.split import FIRST_WORD, UNKNOWN, Ragged, Split
from attest.data.text.tokens import tokenise
from attest.data.text.unknown_words import shared_row_name
from attest.errors import DataError, SettingsError
from attest.inference.arguments import check_strings
from attest.inference.new_words import read_new_vectors
from attest.runs.records import Record
from attest.runs.trained_model import TrainedParser
from attest.syntax.parsers import Parser, configured_parser
from attest.training.tasks import SentenceTask

NewWords = Literal["required", "optional", "unknown"]
"""The treatment of words that a run has not met.

required  they get their vectors from the file of word vectors, and it is an error if that file is missing
optional  they get their vectors from the file if it is at hand; else they count as unknown words
unknown   they count as unknown words, and no file is read
"""


@dataclass(frozen=True, eq=False)
class SentenceInput:
    """The part of a finished run that turns sentences into the input of its model; `TrainedRun` adds what it computes.

    A call that meets new words reads the whole file of word vectors once, so pass many sentences at once.
    """

    record: Record
    settings: Settings
    words_by_row: Sequence[str]
    """The word of each row of the table of word vectors (`Corpus.words`), as it was when the run was opened."""
    sides: int
    """The number of sentences in an example of the run: 1, or 2 for pairs."""
    task: SentenceTask
    """The model with its best weights, in evaluation mode."""
    new_words: NewWords = "required"
    """The treatment of words that the run has not met."""
    stored_parser: TrainedParser | None = None
    """The parser that the file of the model holds; None if the run uses no learned parser, or if
    its weights were not on the machine of the training."""
    caches_trees: bool = True
    """True if the trees of the stored parser are kept on this machine."""
    added_words: dict[str, int] = field(default_factory=dict)
    """The row of each word that was appended to the table. Copies of the run share these words, as they share the
    table."""

    @cached_property
    def row_of(self) -> dict[str, int]:
        """The row in the table of word vectors of each word of the corpus and of all sentences so far.

        A word without a vector has the row UNKNOWN or a shared row, as the settings say.
        """
        known = {word: row for row, word in enumerate(self.words_by_row) if row >= FIRST_WORD}
        return known | self.added_words

    def words(self, sentences: Sequence[str], parses: Sequence[str | None] | None = None) -> list[list[str]]:
        """Return the words of each sentence, tokenised as in training.

        `parses` holds the tree of each sentence, or None; without it, `self.parses` finds the trees. If
        text.tokens=parse, a sentence without a tree is tokenised by the rules of the Penn Treebank. Raise SettingsError
        if `sentences` is not a list of strings.
        """
        sentences = check_strings(sentences)
        pairs = zip(sentences, self.parses(sentences) if parses is None else parses, strict=True)
        return [tokenise(sentence, parse, self.settings.text) for sentence, parse in pairs]

    def parses(self, sentences: Sequence[str]) -> list[str | None]:
        """Return each sentence that begins with a bracket, as a tree does, and None for every other sentence.

        Only a run that was trained on the trees of its data reads trees, such as '( ( A man ) ( runs . ) )'. For other
        runs brackets are words, and all are None.
        """
        needed = self.task.encoder.levels and self.parser is None
        return [sentence if needed and sentence.lstrip().startswith("(") else None for sentence in sentences]

    @cached_property
    def parser(self) -> Parser | None:
        """The parser whose trees the run uses, or None if it uses the trees of its data or no trees."""
        if self.stored_parser is None:
            return configured_parser(self.settings)
        from attest.syntax.parsers.registry import cached_parser_of_weights, parser_of_weights

        if not self.caches_trees:
            return parser_of_weights(self.stored_parser)
        return cached_parser_of_weights(self.stored_parser, Path(self.settings.paths.cache))

    def tokens(self, sentences: Sequence[str]) -> Ragged:
        """Return the rows of the words of each sentence in the table of word vectors: `words`, then `numericalise`."""
        return self.numericalise(self.words(sentences))

    def numericalise(self, words: Sequence[Sequence[str]]) -> Ragged:
        """Return the rows of words in the table of word vectors; `words` holds the words of each sentence.

        A word that is not in the corpus is added to the table with its vector from the run's file of vectors. If it has
        none there, its row is UNKNOWN, or a shared row if the settings say so.
        """
        self.add_words(sorted({word for sentence in words for word in sentence} - self.row_of.keys()))
        return Ragged.from_lists([[self.row_of[word] for word in sentence] for sentence in words])

    def add_words(self, words: Sequence[str]) -> list[str]:
        """Append the vectors of new words to the table, and record the rows of these words in `row_of`.

        A word that a copy of the run has appended keeps its row. Return the words that have no vector.
        """
        new = [word for word in words if word not in self.added_words]
        if new and self.new_words != "unknown":
            required = self.new_words == "required"
            if vectors := read_new_vectors(self.record, self.settings, new, required=required):
                appended = self.task.words.extend(torch.from_numpy(np.stack(list(vectors.values()))))
                self.added_words.update(zip(vectors, appended, strict=True))
        without_vector = [word for word in words if word not in self.added_words]
        self.row_of.update({word: self.added_words.get(word, UNKNOWN) for word in words})
        if self.settings.vectors.unknown == "hashed":
            self.row_of.update({word: self.row_of.get(shared_row_name(word), UNKNOWN) for word in without_vector})
        return without_vector

    def with_phrases(
        self,
        words: Sequence[Sequence[str]],
        parses: Sequence[str | None] = (),
        labelled: Sequence[str | None] | None = None,
    ) -> Ragged:
        """Return the rows of the words, with phrases if the encoder attends within phrases.

        `parses` are the binary trees of the sentences and `labelled` their trees with labels, in the format of the Penn
        Treebank; both hold None for a sentence without a tree. If the run was trained on the trees of its data, each
        sentence of two or more words needs a tree; raise SettingsError if one is missing. Other runs ignore the given
        trees and use their parser.
        """
        tokens = self.numericalise(words)
        if not self.task.encoder.levels:
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

    def split(self, examples: Sequence[tuple[str, ...]]) -> Split:
        """Return examples, each of which is a tuple of as many sentences, as input of the model."""
        sentences = [sentence for side in zip(*examples, strict=True) for sentence in side]
        words = self.words(sentences)
        return split_of_sides(self.with_phrases(words, self.parses(sentences)), len(examples[0]))


def split_of_sides(sentences: Ragged, sides: int) -> Split:
    """Return the split of examples whose first sentences come first, then their second ones."""
    return Split.from_sentences(
        *(sentences.select(rows) for rows in np.split(np.arange(len(sentences.lengths)), sides))
    )
