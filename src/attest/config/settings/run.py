"""All settings of one run: every key that `conf/` and overrides may set, with its type and range."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from attest.config.constraints import AtLeastOne, Range
from attest.config.settings.dataset import Dataset
from attest.config.settings.field_metadata import NOT_HASHED, REPLICATE, THROUGH_OTHERS, OwnCode
from attest.config.settings.output import Label, Logger, Paths
from attest.config.settings.text import Phrases, Text, Vectors
from attest.config.settings.training import Protocol, Trainer


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All settings of one run."""

    seed: Annotated[int, Range(0)] = field(metadata=REPLICATE)
    """The seed of everything random in the run."""
    scale: str
    """The name of the scale: mini for the built-in corpora, paper for the official files."""
    task: OwnCode | Literal["classification", "relatedness"]
    """The task: predicting a class, or a relatedness score; package.Class: a task of the user's own, which derives from
    attest.training.tasks.SentenceTask and predicts classes."""
    model: Mapping[str, Any]
    """The encoder or matcher: its class (`_target_`) and the arguments of its constructor."""
    head: Mapping[str, Any]
    """The head, which turns sentence vectors into predictions: its class and arguments."""
    optimizer: Mapping[str, Any]
    """The optimiser: its class and arguments."""
    dataset: Dataset
    text: Text
    vectors: Vectors
    protocol: Protocol
    hidden_size: Annotated[int, AtLeastOne] = field(metadata=THROUGH_OTHERS)
    """The width of hidden layers, ${hidden_size} in `model` and `head`."""
    dropout: Annotated[float, Range(0, 1, open_high=True)] = field(metadata=THROUGH_OTHERS)
    """The dropout probability, ${dropout} in `model` and `head`; the papers print 1 - dropout."""
    phrases: Phrases = field(default=Phrases())
    trainer: Trainer = field(default=Trainer())
    logger: Logger = field(default=Logger(), metadata=NOT_HASHED)
    paths: Paths = field(metadata=NOT_HASHED)
    label: Label = field(default=Label(), metadata=NOT_HASHED)
    retry_failed: bool = field(default=False, metadata=NOT_HASHED)
    """True if a run that failed earlier is started again."""
    retry_uncommitted: bool = field(default=False, metadata=NOT_HASHED)
    """True if a finished run whose code had uncommitted changes is repeated."""
    packages: Sequence[str] = field(default=("attest", "torch.optim"), metadata=NOT_HASHED)
    """The trusted packages: `_target_` may name only their classes."""

    @property
    def predicts_scores(self) -> bool:
        """True if the task predicts a relatedness score, and not a class."""
        return self.task == "relatedness"
