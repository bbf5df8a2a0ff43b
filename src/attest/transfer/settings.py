"""Settings of the evaluation of sentence vectors by SentEval's protocol (Conneau and Kiela 2018)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from attest.config.constraints import AtLeastOne, Range
from attest.config.flat import nest
from attest.config.schema import check_fields, from_plain
from attest.config.settings import Logger, Paths, Phrases, Vectors
from attest.config.settings.field_metadata import NOT_HASHED
from attest.transfer.classifiers import Sklearn
from attest.transfer.network import Classifier, Torch

CLASSIFIERS = {"sklearn": Sklearn, "torch": Torch}


@dataclass(frozen=True, kw_only=True)
class Transfer:
    """The protocol of an evaluation, which is the same for all tasks.

    A network with 50 hidden units in place of logistic regression, and five folds:

        >>> Transfer(classifier=Torch(hidden=50), folds=5).seed
        1111
    """

    classifier: Classifier = field(default_factory=Sklearn)
    folds: Annotated[int, Range(2)] = 10
    """The number of folds of nested and k-fold cross-validation. SentEval's default is 5; the figures that SentEval and
    InferSent published are with 10."""
    seed: Annotated[int, Range(0, 2**32 - 1)] = 1111
    """The seed of the classifiers, and of the folds of tasks with a test set; nested folds always have seed 1111. The
    generators of numpy and scikit-learn take none above 2**32 - 1."""
    batch_size: Annotated[int, AtLeastOne] = field(default=128, metadata=NOT_HASHED)
    """The number of sentences that are encoded at once."""
    jobs: Annotated[int, AtLeastOne] | None = field(default=None, metadata=NOT_HASHED)
    """The number of processes that fit classifiers at the same time; null: one for each core."""

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, kw_only=True)
class TransferCommand(Transfer):
    """The settings of `attest transfer` (conf/transfer.yaml). Ids hash only SentEval's protocol."""

    precision: Literal["fp32", "bf16"] = field(default="fp32", metadata=NOT_HASHED)
    """The number format in which the encoder of a run computes products of matrices. Vectors in bf16 have a cache and
    a record of their own."""
    tasks: Sequence[str] = field(metadata=NOT_HASHED)
    scale: str = field(metadata=NOT_HASHED)
    vectors: Vectors = field(metadata=NOT_HASHED)
    """The word vectors of the encoders average and average_max."""
    phrases: Phrases = field(metadata=NOT_HASHED)
    """The parser that makes trees of the tasks' sentences, for a run that was trained on the trees of its data."""
    logger: Logger = field(metadata=NOT_HASHED)
    paths: Paths = field(metadata=NOT_HASHED)
    packages: Sequence[str] = field(metadata=NOT_HASHED)
    """The trusted packages: the settings of a run may name only their classes."""


def recorded_protocol(flat: Mapping[str, Any]) -> Transfer:
    """Return the protocol of an evaluation from the settings of its record."""
    return from_plain(Transfer, nest({key: flat[key] for key in flat if key not in ("encoder", "tasks")}))
