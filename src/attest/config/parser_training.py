"""Settings of the training of a parser: conf/parser_training.yaml, as `attest parser train` reads it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

from attest.config.compose import compose_command
from attest.config.constraints import AtLeastOne, Positive, Range
from attest.config.settings import Paths, Trainer
from attest.config.settings.marks import PRIVATE
from attest.errors import SettingsError


@dataclass(frozen=True, kw_only=True)
class Scorer:
    """The sizes of the network that scores spans, named as in attest.syntax.parsers.span_scorer.SpanScorer."""

    rows: Annotated[int, Range(2)]
    word_size: Annotated[int, AtLeastOne]
    hidden_size: Annotated[int, AtLeastOne]
    layers: Annotated[int, AtLeastOne]
    span_size: Annotated[int, AtLeastOne]
    dropout: Annotated[float, Range(0, 1, open_high=True)]
    hidden: Annotated[float, Range(0, 1)]


@dataclass(frozen=True, kw_only=True)
class Parsing:
    """The settings of a parser and its training, all of which its id depends on."""

    treebanks: Sequence[str]
    """The names of the data sets whose trees the parser is trained on, joined into one training set."""
    scorer: Scorer
    learning_rate: Annotated[float, Positive]
    """The learning rate of Adam at the start; it falls linearly to 0."""
    batch_words: Annotated[int, AtLeastOne]
    """The number of words in a batch."""
    epochs: Annotated[float, Positive]
    longest: Annotated[int, Range(3)]
    """The largest number of words in a training sentence; longer sentences are left out."""
    seed: Annotated[int, Range(0)]


@dataclass(frozen=True, kw_only=True)
class ParserCommand(Parsing):
    """The settings of `attest parser train`: those of the parser, and private ones of the machine."""

    scale: str = field(metadata=PRIVATE)
    trainer: Trainer = field(metadata=PRIVATE)
    paths: Paths = field(metadata=PRIVATE)
    retry_failed: bool = field(metadata=PRIVATE)


def compose_parser(overrides: Sequence[str]) -> ParserCommand:
    """Return the settings of the training of a parser, from overrides such as ["scale=paper", "treebanks=sst"]."""
    command = compose_command(ParserCommand, "parser_training", overrides)
    names = list(command.treebanks)
    if not names or len(set(names)) < len(names):
        raise SettingsError(
            f"treebanks=[{','.join(names)}]: expected at least one data set that has trees, each named once, as in "
            "treebanks=sick,sst"
        )
    return command
