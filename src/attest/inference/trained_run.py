"""A finished run with its settings and best weights, which encodes new sentences.

Legend: N sentences, T words of one sentence, E features of a word vector, W width of a sentence vector.
"""

import copy
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import get_args

import numpy as np
import torch
from torch import Tensor

from attest.config.settings import Phrases
from attest.data.batches.batch import Batch
from attest.data.splits.split import PADDING
from attest.errors import SettingsError
from attest.inference.arguments import SentenceOrPair, check_batch_size, check_examples, check_string, check_strings
from attest.inference.predictions import Predictions, predictions_of
from attest.inference.sentence_input import SentenceInput
from attest.models.encoders.base import NoMapsError
from attest.runs.trained_model import TrainedModel
from attest.system.devices import NumberFormat
from attest.training.outputs import outputs_of_split


@dataclass(frozen=True, eq=False)
class TrainedRun(SentenceInput):
    """A finished run that encodes new sentences, labels examples and shows its attention."""

    def duplicate(self) -> "TrainedRun":
        """Return the run with modules of its own, for use in another thread; both share the word vectors.

        The copy knows the words that the run has found to have no vector, so it does not look for them again.
        """
        words = self.task.words
        twin = replace(self, task=copy.deepcopy(self.task, {id(words): words}))
        twin.row_of.update(self.row_of)
        return twin

    @property
    def model(self) -> TrainedModel:
        """The model as a file holds it, with the words that were added since it was opened."""
        words = [*self.words_by_row, *sorted(self.added_words, key=self.added_words.__getitem__)]
        training_words, weights = len(self.task.words.trained), self.task.state_dict()
        return TrainedModel(self.record, words, training_words, self.sides, weights, self.stored_parser)

    def with_parser(self, settings: Phrases) -> "TrainedRun":
        """Return the run with the parser of other settings, so that it encodes sentences that have no trees.

        Raise SettingsError if the encoder does not use phrases, or if the run was trained with a parser.
        """
        if not self.task.encoder.levels:
            raise SettingsError(f"phrases: the encoder of {self.record.id} does not use phrases; omit this setting")
        if self.parser is not None:
            trained_with = f"was trained on the trees of a parser, {self.parser.identity}, and keeps it"
            raise SettingsError(f"phrases: {self.record.id} {trained_with}; omit this setting")
        phrases = replace(self.settings.phrases, source=settings.source, parser_run=settings.parser_run)
        return replace(self, settings=replace(self.settings, phrases=phrases))

    def encode(self, sentences: Iterable[str], batch_size: int = 200, precision: NumberFormat = "fp32") -> np.ndarray:
        """Return the sentence vectors (N, W) in the order of the sentences; zeros for a sentence without words.

        `batch_size` sentences are encoded at once. With the precision bf16, products of matrices are computed in bf16;
        the vectors are fp32. Raise SettingsError if `sentences` is not a list of strings.
        """
        sentences = check_strings(sentences)
        batch_size = check_batch_size(batch_size)
        check_precision(precision)
        if not sentences:
            return np.zeros((0, self.task.encoder.width), np.float32)
        split = self.split([(sentence,) for sentence in sentences])

        def encode(batch: Batch) -> Tensor:
            return self.task.encode(batch)[0]

        return outputs_of_split(self.task, split, batch_size, encode, precision).numpy()

    def word_vectors(self, sentences: Iterable[str]) -> tuple[Tensor, Tensor]:
        """Return the word vectors (N, T, E) of sentences, and a mask (N, T) that is True at words.

        `task.encoder` takes both; an encoder that attends within phrases takes the bits of the phrases as well. Raise
        SettingsError if `sentences` is not a list of strings.
        """
        ragged = self.tokens(check_strings(sentences))
        tokens_NT = torch.from_numpy(ragged.padded_tokens(np.arange(len(ragged.lengths))))
        with torch.no_grad():
            return self.task.words(tokens_NT), tokens_NT != PADDING

    def predict(
        self, examples: Iterable[SentenceOrPair], batch_size: int = 200, precision: NumberFormat = "fp32"
    ) -> Predictions:
        """Return the labels and probabilities of examples, in their order.

        The examples are sentences or, if the run was trained on pairs, pairs of sentences. Raise SettingsError if they
        are something else.
        """
        self.check_head()
        checked = check_examples(examples, self.sides)
        batch_size = check_batch_size(batch_size)
        check_precision(precision)
        dataset, classifies = self.settings.dataset, not self.settings.predicts_scores
        if checked:
            outputs_NC = outputs_of_split(self.task, self.split(checked), batch_size, number_format=precision).numpy()
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

    def attend(self, sentence: str) -> dict[str, np.ndarray]:
        """Return the attention maps of one sentence by name, each (T, ...), with the rows of `words`.

        A map whose name begins with "attention" is (query T, key T, ...): its second axis has the words attended to. A
        last axis has features, heads or hops. Raise SettingsError if the encoder has no maps, if the sentence has no
        words, or if the encoder reads the two sentences of a pair together.
        """
        (words,) = self.words([check_string(sentence)])
        if not words:
            raise SettingsError(f"{sentence!r}: this sentence has no words; give a sentence of at least one word")
        return self.maps_of_words(words, self.parses([sentence])[0])

    def maps_of_words(self, words: Sequence[str], parse: str | None) -> dict[str, np.ndarray]:
        """Return the attention maps of a sentence by its words and its tree (see `parses`), like `attend`."""
        if self.task.encoder.pairs:
            raise SettingsError(
                f"{self.record.id}: its encoder compares the two sentences of a pair, so there are no maps of a single "
                "sentence; choose a run whose encoder has attention"
            )
        ragged = self.with_phrases([words], [parse])
        tokens_T = torch.from_numpy(ragged.tokens).long()
        bits_1T = None if ragged.phrases is None else torch.from_numpy(ragged.phrases).long()[None]
        with torch.inference_mode():
            x_1TE = self.task.words(tokens_T)[None]
            try:
                maps = self.task.encoder.attend(x_1TE, torch.ones(1, len(tokens_T), dtype=torch.bool), bits_1T)
            except NoMapsError as error:
                raise SettingsError(f"{self.record.id}: {error}; choose a run of an encoder with attention") from error
        return {name: value[0].numpy() for name, value in maps.items()}


def check_precision(precision: NumberFormat) -> None:
    """Raise SettingsError if there is no such precision."""
    if precision not in get_args(NumberFormat):
        raise SettingsError(f"precision: expected fp32 or bf16, got {precision!r}")
