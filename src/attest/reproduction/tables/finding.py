"""Findings: how one figure relates to another, and whether the runs behind it had less than the paper's."""

from dataclasses import dataclass
from typing import Final, Literal

FindingWord = Literal["within", "above", "below", "undecided", "as claimed", "against the claim"]
AS_CLAIMED: Final = "as claimed"
CONTRADICTED: Final = "against the claim"
REDUCED = "at reduced budget"
"""The mark of a finding whose runs had less than the paper's."""


@dataclass(frozen=True)
class Finding:
    """The word for how two figures relate, or for the outcome of a claim, and the mark of a reduced budget."""

    word: FindingWord
    reduced: bool = False
    """True if the runs behind it had less data, fewer steps or fewer word vectors than the paper's."""

    def __str__(self) -> str:
        return f"{self.word}, {REDUCED}" if self.reduced else self.word
