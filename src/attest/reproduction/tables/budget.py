"""Reduced budgets: runs with fewer training steps, epochs or examples than the paper's."""

from collections.abc import Mapping
from typing import Any

from attest.reproduction.specs.table import LENGTHS

REDUCED = "at reduced budget"
"""The mark of every finding whose runs had less than the paper's."""


def marked(finding: str, reduced: bool) -> str:
    """Return the finding, with the mark of a reduced budget if `reduced` is true: "below, at reduced budget"."""
    return f"{finding}, {REDUCED}" if reduced else finding


def is_shorter(actual: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Return whether a run's settings limit its training, or its training examples, more than the wanted ones."""
    return any(is_below(actual.get(key), wanted.get(key)) for key in LENGTHS)


def is_below(limit: float | None, full: float | None) -> bool:
    """Return whether one limit is lower than another; None is no limit."""
    return limit is not None and (full is None or limit < full)
