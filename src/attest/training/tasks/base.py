"""The base class of tasks: word vectors, an encoder or matcher, and a head, which are trained together.

Legend: B examples, T tokens of the longest sentence, W width of a sentence vector, O outputs.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from itertools import chain

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from attest.data.batches.batch import Batch
from attest.data.splits.split import PADDING, Split
from attest.errors import EncodingError, SettingsError
from attest.models.attention import Layout
from attest.models.encoders import Encoder
from attest.models.heads import Head
from attest.models.word_vectors import WordVectors
from attest.training.learner import Learner
from attest.training.optim.fused_steps import enable_fused_steps
from attest.training.optim.gradients import clip_grad_norm
from attest.training.optim.parameters import parameter_groups

MakeOptimizer = Callable[..., torch.optim.Optimizer]
"""A function that takes the parameter groups as the keyword argument `params` and returns an optimiser."""


class SentenceTask(Learner):
    """A task on sentences or pairs of sentences: its model, loss, metrics and predictions.

    The L2 penalty is not part of the loss; the optimiser applies it as weight decay.
    """

    def __init__(
        self,
        words: WordVectors,
        encoder: Encoder,
        head: Head,
        make_optimizer: MakeOptimizer,
        weight_decay: float,
        packed: bool = True,
        max_grad_norm: float | None = None,
    ) -> None:
        super().__init__()
        self.words, self.encoder, self.head = words, encoder, head
        self.make_optimizer, self.weight_decay, self.packed = make_optimizer, weight_decay, packed
        self.auxiliary_losses: list[Tensor] = []
        """The encoder's auxiliary losses of the current step, one for each call; `training_step` adds them to the loss.
        The list is empty between steps."""
        self.max_grad_norm = max_grad_norm
        self.correct_sum: Tensor
        """The sum of the shares of correct outputs of all steps since the last evaluation; a buffer like `loss_sum`."""
        self.register_buffer("correct_sum", torch.zeros(()))

    def forward(self, batch: Batch) -> Tensor:
        """Return the outputs (B, O) of the head for a batch."""
        return self.head(*self.encode(batch))

    def encode(self, batch: Batch) -> Sequence[Tensor]:
        """Return a tensor (B, W) of the first sentences' vectors and, for pairs, one of the second sentences'.

        A matcher computes the vectors of both sentences of a pair together. Raise SettingsError if the model is a
        matcher and the examples are single sentences.
        """
        if self.encoder.pairs and len(batch.sentences) != 2:
            raise SettingsError(
                f"model: {type(self.encoder).__name__} compares the two sentences of a pair, but the examples are "
                "single sentences; choose an encoder, such as model=disan, or a data set of pairs"
            )
        sides = len(batch.sentences)
        phrases_BT = None if batch.phrases is None else stack_sides(batch.phrases)
        known = None if batch.lengths is None else list(chain(*batch.lengths))
        return self.encode_tokens(stack_sides(batch.sentences), phrases_BT, known, sides).chunk(sides)

    def encode_tokens(
        self,
        tokens_BT: Tensor,
        phrases_BT: Tensor | None = None,
        known_lengths: Sequence[int] | None = None,
        sides: int = 1,
    ) -> Tensor:
        """Return the sentence vectors (B, W) of tokens (B, T).

        In training, add the encoder's auxiliary loss to `auxiliary_losses`; an evaluation makes no use of it.
        If `sides` is 2, the first half of B are first sentences of pairs and the second half their second sentences.
        `known_lengths` holds the number of words of each sentence, if the CPU knows it.
        """
        in_bf16 = torch.is_autocast_enabled(tokens_BT.device.type)
        multiple = 64 if in_bf16 else 1
        layout = Layout(
            tokens_BT != PADDING,
            self.packed,
            multiple=multiple,
            sides=sides,
            phrases_BT=phrases_BT,
            known_lengths=known_lengths,
        )
        vectors_BW = self.encoder.encode(self.words(layout.rows(tokens_BT)), layout)
        check_vectors(self.encoder, vectors_BW, len(tokens_BT))
        if self.training and self.encoder.auxiliary_loss is not None:
            self.auxiliary_losses.append(self.encoder.auxiliary_loss)
            self.encoder.auxiliary_loss = self.encoder.auxiliary_loss.detach()  # holds no graph after the step
        return vectors_BW

    def training_step(self, batch: Batch, batch_idx: int) -> Tensor:
        self.auxiliary_losses.clear()  # those of calls in training mode outside of a step
        outputs_BO = self(batch)
        loss = sum(self.auxiliary_losses, self.loss(outputs_BO, batch))
        self.auxiliary_losses.clear()  # no copy can be made of a task that holds a part of a graph
        self.loss_sum += loss.detach()
        self.correct_sum += self.share_correct(outputs_BO.detach(), batch)
        return loss

    def pop_training_means(self, steps: int) -> dict[str, float]:
        """Return the mean loss and the mean share of correct outputs in percent over the `steps` steps since the last
        evaluation, and reset their sums.

        Curves of all tasks hold that share as train/running_accuracy. For relatedness, it is the share of scores that
        are less than half a grade from the gold score.
        """
        correct = 100 * float(self.correct_sum) / steps
        self.correct_sum.zero_()
        return {**super().pop_training_means(steps), "train/running_accuracy": correct}

    @abstractmethod
    def loss(self, outputs_BO: Tensor, batch: Batch) -> Tensor:
        """Return the mean loss of a batch, without the encoder's auxiliary losses."""

    @abstractmethod
    def share_correct(self, outputs_BO: Tensor, batch: Batch) -> Tensor:
        """Return the share of correct outputs in a training batch, from 0 to 1; the outputs are those with dropout."""

    @staticmethod
    @abstractmethod
    def metrics(name: str, outputs_NO: Tensor, split: Split, genres: Sequence[str] = ()) -> dict[str, float]:
        """Return the metrics of the whole split `name` by names such as test/accuracy.

        For each of the `genres`, classification adds the accuracy on the examples of this genre.
        """

    @staticmethod
    @abstractmethod
    def predictions(outputs_NO: Tensor, split: Split) -> Mapping[str, np.ndarray]:
        """Return the arrays that are stored beside a record, by name: `example_facts`, gold values and predictions."""

    def clip_gradients(self) -> Tensor | None:
        return None if self.max_grad_norm is None else clip_grad_norm(self.parameters(), self.max_grad_norm)

    def configure_optimizers(self) -> torch.optim.Optimizer:
        groups = parameter_groups([self.encoder, self.head], [self.words.trained], self.weight_decay)
        return enable_fused_steps(self.make_optimizer(params=groups))


def check_vectors(encoder: Encoder, vectors: object, sentences: int) -> None:
    """Raise EncodingError unless an encoder, such as one of the user's own, has returned a vector of its width for each
    sentence."""
    shape = tuple(vectors.shape) if isinstance(vectors, Tensor) else type(vectors).__name__
    if shape != (sentences, encoder.width):
        cls = type(encoder)
        raise EncodingError(
            f"{cls.__module__}.{cls.__qualname__}: encode returned {shape} for {sentences} sentences; return a tensor "
            f"(sentences, width), here ({sentences}, {encoder.width}), and test it with `python -m pytest`"
        )
    if isinstance(vectors, Tensor) and vectors.dtype is torch.float64:
        raise EncodingError(
            f"{type(encoder).__module__}.{type(encoder).__qualname__}: encode returned torch.float64; compute in the "
            "type of the word vectors, x_ND.dtype"
        )


def stack_sides(sides: Sequence[Tensor]) -> Tensor:
    """Return one tensor (sides x B, T) of all first sentences, then all second ones, padded to the same length."""
    length = max(tokens.shape[1] for tokens in sides)
    return torch.cat([F.pad(tokens, (0, length - tokens.shape[1]), value=PADDING) for tokens in sides])
