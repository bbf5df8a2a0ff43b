"""Checks of what is passed from Python to a finished run; every error is one sentence."""

from collections.abc import Iterable
from numbers import Integral
from typing import Any

from attest.errors import SettingsError
from attest.models.arguments import is_number

SentenceOrPair = str | tuple[str, ...]
"""A sentence, or a pair of sentences."""


def check_strings(strings: Iterable[str], name: str = "sentences") -> list[str]:
    """Return strings as a list; raise SettingsError if they are a single string or hold something else."""
    return [check_string(string, f"{name}[{i}]") for i, string in enumerate(as_list(strings, name))]


def check_string(string: Any, name: str = "sentence") -> str:
    """Return a string; raise SettingsError, which calls it `name`, if it is of another type."""
    if not isinstance(string, str):
        raise SettingsError(f"{name}: expected a string, got {type(string).__name__}")
    return str(string)


def check_examples(examples: Iterable[Any], sides: int) -> list[tuple[str, ...]]:
    """Return examples as tuples of `sides` sentences; raise SettingsError if they are something else.

    If `sides` is 1, an example is a sentence; if it is 2, a pair of sentences.
    """
    if sides == 1:
        for i, example in enumerate(examples := as_list(examples, "examples")):
            if isinstance(example, tuple | list):
                raise SettingsError(f"examples[{i}]: expected a sentence, since the run labels single sentences")
            check_string(example, f"examples[{i}]")
        return [(str(example),) for example in examples]
    pairs = []
    for i, example in enumerate(as_list(examples, "examples")):
        if not isinstance(example, tuple | list) or len(example) != sides:
            raise SettingsError(f"examples[{i}]: expected a pair of sentences, since the run labels pairs")
        pairs.append(tuple(check_string(sentence, f"examples[{i}][{side}]") for side, sentence in enumerate(example)))
    return pairs


def check_batch_size(batch_size: Any) -> int:
    """Return the number of examples in a batch; raise SettingsError if it is not an integer of at least 1."""
    if not is_number(batch_size, Integral) or batch_size < 1:
        raise SettingsError(f"batch_size: expected an integer of at least 1, got {batch_size!r}")
    return int(batch_size)


def as_list(values: Iterable[Any], name: str) -> list[Any]:
    """Return values as a list; raise SettingsError if they are a single string or cannot be iterated over."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise SettingsError(f"{name}: expected a list, got {type(values).__name__}; put a single one into brackets")
    return list(values)
