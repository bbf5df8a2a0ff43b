"""What every parser promises."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from attest.syntax.trees import Span


class Parser(ABC):
    """Words to trees."""

    identity: str
    """The same only for a parser that gives the same trees: its name, its version and what it was trained to."""

    parents: Sequence[str] = ()
    """Ids of the runs that made it."""

    def facts(self) -> dict[str, object]:
        """What records of runs on its trees say of it."""
        return {"identity": self.identity, "runs": list(self.parents)}

    @abstractmethod
    def parse(self, sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
        """For each sentence the inner nodes of its binary tree, of any order: one fewer than it has words. Sentences
        of one word or none have no such nodes."""
