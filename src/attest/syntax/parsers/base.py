"""The interface of all parsers."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from attest.syntax.trees import Span


class Parser(ABC):
    """A function from the words of sentences to the spans of their trees."""

    identity: str
    """A text that is part of cache keys: the parser's kind, and its version or its run. It determines all trees."""

    parents: Sequence[str] = ()
    """The ids of the runs that trained the parser."""

    def facts(self) -> dict[str, object]:
        """Return the description of the parser for the records of runs that use its trees."""
        return {"identity": self.identity, "runs": list(self.parents)}

    @abstractmethod
    def parse(self, sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
        """Return for each sentence the inner nodes of its binary tree, in any order.

        A sentence of T words has T - 1 inner nodes; a sentence of one word or none has none.
        """
