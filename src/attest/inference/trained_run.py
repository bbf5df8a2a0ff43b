"""A finished run with its settings and best weights, which encodes new sentences.

Legend: N sentences, T words of one sentence, E features of a word vector, W width of a sentence vector.
"""

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, get_args

import numpy as np
import torch
from torch import Tensor

from attest.config.settings import Phrases, Settings
from attest.data.batch import Batch
from attest.data.phrases import corpus_tree_bits, join_bits, parser_tree_bits
from attest.data.split import FIRST_WORD, UNKNOWN, Ragged, Split
from attest.data.text.tokens import tokenise
from attest.data.text.unknown_words import shared_row_name
from attest.errors import DataError, SettingsError
from attest.inference.arguments import Example, check_batch_size, check_examples, check_sentence, check_sentences
from attest.inference.new_words import read_new_vectors
from attest.inference.predictions import Predictions, predictions_of
from attest.runs.records import Record
from attest.runs.trained_model import TrainedModel, TrainedParser
from attest.syntax.parsers import Parser, configured_parser
from attest.system.devices import NumberFormat
from attest.training.evaluation import outputs_of_split
from attest.training.tasks import SentenceTask

NewWords = Literal["required", "optional", "unknown"]
"""The treatment of words that a run has not met.

required  they get their vectors from the file of word vectors, and it is an error if that file is missing
optional  they get their vectors from the file if it is at hand; else they count as unknown words
unknown   they count as unknown words, and no file is read
"""


@dataclass(frozen=True, eq=False)
class TrainedRun:
    """A finished run that encodes new sentences.

    A call that meets new words reads the whole file of word vectors once, so pass many sentences at once.
    """

    record: Record
    settings: Settings
    vocabulary: Sequence[str]
    """The word of each row of the table of word vectors (`Corpus.words`)."""
    sides: int
    """The number of sentences in an example of the run: 1, or 2 for pairs."""
    module: SentenceTask
    """The model with its best weights, in evaluation mode."""
    new_words: NewWords = "required"
    """The treatment of words that the run has not met."""
    carried_parser: TrainedParser | None = None
    """The parser that the file of the model holds; None if the run has no learned parser or an earlier file."""
    caches_trees: bool = True
    """True if the trees of a carried parser are kept on this machine."""

    @cached_property
    def rows(self) -> dict[str, int]:
        """The row in the table of word vectors of each word of the corpus and of all sentences so far.

        A word without a vector has the row UNKNOWN or a shared row, as the settings say.
        """
        return {word: row for row, word in enumerate(self.vocabulary) if row >= FIRST_WORD}

    def duplicate(self) -> "TrainedRun":
        """Return the run with modules of its own, for use in another thread; both share rows and word vectors."""
        words = self.module.words
        twin = replace(self, module=copy.deepcopy(self.module, {id(words): words}))
        twin.__dict__["rows"] = self.rows
        return twin

    @property
    def model(self) -> TrainedModel:
        """The model as a file holds it, with the words that were added since it was opened."""
        first_added = len(self.vocabulary)
        added = {row: word for word, row in self.rows.items() if row >= first_added}
        words = [*self.vocabulary, *(added[row] for row in sorted(added))]
        training_words, weights = len(self.module.words.trained), self.module.state_dict()
        parser = self.carried_parser
        if parser is None and "parser" in self.record.data:  # the file is from an earlier version
            from attest.syntax.parsers.registry import parser_of_run

            parser = parser_of_run(self.record, self.settings)
        return TrainedModel(self.record, words, training_words, self.sides, weights, parser)

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
        if self.carried_parser is None:
            return configured_parser(self.settings)
        from attest.syntax.parsers.registry import carried_parser, parser_of_weights

        if not self.caches_trees:
            return parser_of_weights(self.carried_parser)
        return carried_parser(self.carried_parser, Path(self.settings.paths.cache))

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

    def add_words(self, words: Sequence[str]) -> list[str]:
        """Append the vectors of new words to the table, and record the rows of these words in `rows`.

        Return the words that have no vector.
        """
        new_vectors: Mapping[str, np.ndarray] = {}
        if words:
            if self.new_words != "unknown":
                required = self.new_words == "required"
                new_vectors = read_new_vectors(self.record, self.settings, words, required=required)
            shared = self.settings.vectors.unknown == "hashed"
            shared_rows = {word: self.rows.get(shared_row_name(word), UNKNOWN) for word in words} if shared else {}
            self.rows.update({word: shared_rows.get(word, UNKNOWN) for word in words})
            if new_vectors:
                added = self.module.words.extend(torch.from_numpy(np.stack(list(new_vectors.values()))))
                self.rows.update(zip(new_vectors, added, strict=True))
        return [word for word in words if word not in new_vectors]

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

    def encode(self, sentences: Iterable[str], batch_size: int = 200, precision: NumberFormat = "fp32") -> np.ndarray:
        """Return the sentence vectors (N, W) in the order of the sentences; zeros for a sentence without words.

        `batch_size` sentences are encoded at once. With the precision bf16, products of matrices are computed in bf16;
        the vectors are fp32. Raise SettingsError if `sentences` is no list of strings.
        """
        sentences = check_sentences(sentences)
        check_batch_size(batch_size)
        check_precision(precision)
        if not sentences:
            return np.zeros((0, self.module.encoder.width), np.float32)
        split = self.split([(sentence,) for sentence in sentences])

        def encode(batch: Batch) -> Tensor:
            return self.module.encode(batch)[0]

        return outputs_of_split(self.module, split, batch_size, encode, precision).numpy()

    def predict(
        self, examples: Iterable[Example], batch_size: int = 200, precision: NumberFormat = "fp32"
    ) -> Predictions:
        """Return the labels and probabilities of examples, in their order.

        The examples are sentences or, if the run was trained on pairs, pairs of sentences. Raise SettingsError if they
        are something else.
        """
        self.check_head()
        checked = check_examples(examples, self.sides)
        check_batch_size(batch_size)
        check_precision(precision)
        dataset, classifies = self.settings.dataset, self.settings.task != "relatedness"
        if checked:
            outputs_NC = outputs_of_split(self.module, self.split(checked), batch_size, number_format=precision).numpy()
        else:
            outputs_NC = np.zeros((0, len(dataset.labels) if classifies else dataset.grades), np.float32)
        return predictions_of(outputs_NC, dataset.labels if classifies else ())

    def check_head(self) -> None:
        """Raise SettingsError if the run was imported from a file without the weights of a classifier."""
        if not self.record.data.get("imported", {}).get("head", True):
            raise SettingsError(
                f"{self.record.id}: predicts nothing, since the imported file holds no weights of a classifier; use "
                "its vectors (attest encode) or its attention (attest attend)"
            )

    def split(self, examples: Sequence[tuple[str, ...]]) -> Split:
        """Return examples, each of which is a tuple of as many sentences, as input of the model."""
        sentences = [sentence for side in zip(*examples, strict=True) for sentence in side]
        words = self.words(sentences)
        return split_of_sides(self.with_phrases(words, self.parses(sentences)), len(examples[0]))

    def attend(self, sentence: str) -> dict[str, np.ndarray]:
        """Return the attention maps of one sentence by name, each (T, ...); raise NoMapsError if there are none.

        Raise SettingsError if the sentence has no words, or if the encoder reads the two sentences of a pair together.
        """
        if self.module.encoder.pairs:
            raise SettingsError(
                f"{self.record.id}: its encoder compares the two sentences of a pair, so there are no maps of a single "
                "sentence; choose a run whose encoder has attention"
            )
        words = self.words([check_sentence(sentence)])
        if not words[0]:
            raise SettingsError(f"{sentence!r}: this sentence has no words; give a sentence of at least one word")
        ragged = self.with_phrases(words, self.parses([sentence]))
        tokens_T = torch.from_numpy(ragged.tokens).long()
        bits_1T = None if ragged.phrases is None else torch.from_numpy(ragged.phrases).long()[None]
        with torch.inference_mode():
            x_1TE = self.module.words(tokens_T)[None]
            maps = self.module.encoder.attend(x_1TE, torch.ones(1, len(tokens_T), dtype=torch.bool), bits_1T)
        return {name: value[0].numpy() for name, value in maps.items()}


def split_of_sides(sentences: Ragged, sides: int) -> Split:
    """Return the split of examples whose first sentences come first, then their second ones."""
    return Split.from_sentences(
        *(sentences.select(rows) for rows in np.split(np.arange(len(sentences.lengths)), sides))
    )


def check_precision(precision: NumberFormat) -> None:
    """Raise SettingsError if there is no such precision."""
    if precision not in get_args(NumberFormat):
        raise SettingsError(f"precision: expected fp32 or bf16, got {precision!r}")
