"""Reduced budgets: runs with fewer examples, training steps, epochs or word vectors than the paper's."""

from collections.abc import Iterator, Mapping
from typing import Any

from attest.reproduction.specs.table import LENGTHS

REDUCED = "at reduced budget"
"""The mark of every finding whose runs had less than the paper's."""


def marked(finding: str, reduced: bool) -> str:
    """Return the finding, with the mark of a reduced budget if `reduced` is true: "below, at reduced budget"."""
    return f"{finding}, {REDUCED}" if reduced else finding


def has_less_data(data: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Return whether a record's data has fewer examples, tokens or word vectors than the official data.

    `wanted` are the settings that the table asks for.
    """
    return any(seen < official for seen, official in data_counts(data, wanted)) or any(
        split.get("cut") for split in data["splits"].values()
    )


def data_counts(data: Mapping[str, Any], wanted: Mapping[str, Any]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of examples and of word vectors that a record has, each with the number that it should have."""
    for split, official in data["expected"]["splits"].items():
        if split in data["splits"]:
            yield data["splits"][split]["labelled"], official
    yield from zip(data.get("drawn", {}).values(), wanted.get("protocol.drawn") or (), strict=False)
    if asked := wanted.get("protocol.examples"):
        yield data.get("examples", asked), asked
    if (official := data["expected"]["vectors"]) is not None:
        yield data["vectors"]["rows"], official


def is_shorter(actual: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Return whether a run's settings limit its training, or its training examples, more than the wanted ones."""
    return any(is_below(actual.get(key), wanted.get(key)) for key in LENGTHS)


def is_below(limit: float | None, full: float | None) -> bool:
    """Return whether one limit is lower than another; None is no limit."""
    return limit is not None and (full is None or limit < full)
