"""Settings of the evaluation of sentence vectors: SentEval's protocol (Conneau and Kiela 2018)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

from attest.config.schema import AtLeastOne, Range
from attest.config.settings import PRIVATE, Logger, Paths, Phrases, Vectors
from attest.transfer.classifiers import Sklearn
from attest.transfer.network import Torch

CLASSIFIERS = {"sklearn": Sklearn, "torch": Torch}


@dataclass(frozen=True, kw_only=True)
class Transfer:
    """The protocol by which an encoder is evaluated, the same for all tasks."""

    classifier: Sklearn | Torch = field(default_factory=Sklearn)
    folds: Annotated[int, Range(2)] = 10
    """The number of folds. SentEval's default is 5; its published figures and InferSent's have 10."""
    seed: Annotated[int, Range(0)] = 1111
    """The seed of the classifiers, and of the folds of tasks that have a test set. Nested folds always take 1111."""
    batch_size: Annotated[int, AtLeastOne] = field(default=128, metadata=PRIVATE)
    """The number of sentences that are encoded at once."""
    jobs: Annotated[int, AtLeastOne] | None = field(default=None, metadata=PRIVATE)
    """The number of processes side by side; null: one for each core."""


@dataclass(frozen=True, kw_only=True)
class TransferCommand(Transfer):
    """The settings of `attest transfer` (conf/transfer.yaml). All that is not SentEval's protocol is private."""

    tasks: Sequence[str] = field(metadata=PRIVATE)
    scale: str = field(metadata=PRIVATE)
    vectors: Vectors = field(metadata=PRIVATE)
    """The word vectors of the encoders average and average_max."""
    phrases: Phrases = field(metadata=PRIVATE)
    """The parser whose trees the sentences get, for a run that was trained on the trees of its data."""
    logger: Logger = field(metadata=PRIVATE)
    paths: Paths = field(metadata=PRIVATE)
    packages: Sequence[str] = field(metadata=PRIVATE)
    """The packages that the classes of a run may come from."""
