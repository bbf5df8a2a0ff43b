"""Everything that the training of one parser needs to know."""

from collections.abc import Sequence
from dataclasses import dataclass

from attest.config.parser_training import Parsing
from attest.config.settings import Dataset, Paths, Protocol, Trainer

SENTENCES = 100
"""At most, in a batch of the training set; there are fewer where batches hold `batch_words`."""


@dataclass(frozen=True, kw_only=True)
class ParserRun:
    parsing: Parsing
    datasets: Sequence[Dataset]
    """What `parsing.treebanks` names."""
    scale: str
    trainer: Trainer
    paths: Paths
    retry_failed: bool = False

    @property
    def seed(self) -> int:
        return self.parsing.seed

    @property
    def protocol(self) -> Protocol:
        """Batches by length, a look at the dev set after each epoch."""
        return Protocol(
            name="paper",
            batch_size=SENTENCES,
            batches="by_length",
            batch_words=self.parsing.batch_words,
            steps=1,
            epochs=self.parsing.epochs,
        )
