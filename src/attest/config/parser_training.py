"""Settings of the training of a parser: conf/parser_training.yaml, as `attest parser train` reads it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

from attest.config.compose import compose_command
from attest.config.constraints import AtLeastOne, Positive, Range
from attest.config.error_words import did_you_mean
from attest.config.own_folders import choices
from attest.config.settings import Paths, Trainer
from attest.config.settings.field_metadata import NOT_HASHED
from attest.errors import SettingsError


@dataclass(frozen=True, kw_only=True)
class Scorer:
    """The sizes of the network that scores spans, named as in attest.syntax.parsers.span_scorer.SpanScorer."""

    rows: Annotated[int, Range(2)]
    """The number of rows in the table of vectors; the features of all words are hashed into so many."""
    word_size: Annotated[int, AtLeastOne]
    """The width of the vector of a word."""
    hidden_size: Annotated[int, AtLeastOne]
    """The number of hidden units of the LSTM in each direction."""
    layers: Annotated[int, AtLeastOne]
    """The number of layers of the LSTM."""
    span_size: Annotated[int, AtLeastOne]
    """The number of hidden units from which the score of a span is computed."""
    dropout: Annotated[float, Range(0, 1, open_high=True)]
    """The dropout of words, of states of the LSTM and of spans."""
    hidden: Annotated[float, Range(0, 1)]
    """The probability with which a word is hidden in training, so that only its endings, beginnings and shape are seen;
    this is no width of a layer."""


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
    """The number of passes through the training sentences."""
    longest: Annotated[int, Range(3)]
    """The largest number of words in a training sentence; longer sentences are left out."""
    seed: Annotated[int, Range(0)]


@dataclass(frozen=True, kw_only=True)
class ParserCommand(Parsing):
    """The settings of `attest parser train`: those of the parser, and those of the machine, which ids do not hash."""

    scale: str = field(metadata=NOT_HASHED)
    trainer: Trainer = field(metadata=NOT_HASHED)
    paths: Paths = field(metadata=NOT_HASHED)
    retry_failed: bool = field(metadata=NOT_HASHED)


def compose_parser(overrides: Sequence[str]) -> ParserCommand:
    """Return the settings of the training of a parser, from overrides such as ["scale=paper", "treebanks=sst"]."""
    command = compose_command(ParserCommand, "parser_training", overrides)
    names = list(command.treebanks)
    if not names or len(set(names)) < len(names):
        raise SettingsError(
            f"treebanks=[{','.join(names)}]: expected at least one data set that has trees, each named once, as in "
            "treebanks=sick,sst"
        )
    known = choices("dataset")
    for name in names:
        if name not in known:
            near = did_you_mean(name, known) or f" There are: {', '.join(known)}."
            raise SettingsError(f"treebanks={name}: no such data set.{near}")
    return command
