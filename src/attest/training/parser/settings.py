"""The settings of the training of one parser."""

from collections.abc import Sequence
from dataclasses import dataclass

from attest.config.locate import TRUSTED
from attest.config.parser_training import Parsing
from attest.config.settings import Dataset, Paths, Protocol, Trainer

SENTENCES_PER_BATCH = 100
"""The largest number of sentences in a training batch; `batch_words` can make batches smaller."""


@dataclass(frozen=True, kw_only=True)
class ParserTrainingSettings:
    """The resolved settings of the training of one parser."""

    parsing: Parsing
    datasets: Sequence[Dataset]
    """The settings of the data sets that `parsing.treebanks` names."""
    scale: str
    trainer: Trainer
    paths: Paths
    retry_failed: bool = False
    retry_uncommitted: bool = False
    packages: Sequence[str] = TRUSTED

    @property
    def seed(self) -> int:
        return self.parsing.seed

    @property
    def protocol(self) -> Protocol:
        """The protocol: batches by length, and an evaluation of the dev set after each epoch."""
        return Protocol(
            name="paper",
            batch_size=SENTENCES_PER_BATCH,
            batches="by_length",
            batch_words=self.parsing.batch_words,
            epochs=self.parsing.epochs,
        )
