"""The labels that a file gives its examples, and the run's labels that count as right for each of them.

Legend: G labels of the file, C classes of the run.
"""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from attest.config.error_words import did_you_mean
from attest.data.readers import Example
from attest.data.readers.fields import MAX_EXCERPT, excerpt
from attest.data.readers.nli import NO_LABEL
from attest.errors import SettingsError

LABELS = "--labels"
"""The option that names the labels of a file."""


@dataclass(frozen=True)
class GoldLabels:
    """The labels of a file: those of the run, and further names for them."""

    classes: Sequence[str]
    """(C,) the labels of the run."""
    further: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """A label of the file -> the run's labels that count as right for it; none if it means that there is no label."""

    @cached_property
    def right(self) -> dict[str, Sequence[str]]:
        """Each label of the file, and the run's labels that count as right for it; the labels of the run come first."""
        return {**{label: (label,) for label in self.classes}, **self.further}

    @property
    def names(self) -> tuple[str, ...]:
        """(G,) the labels of the file, in the order of their numbers."""
        return tuple(self.right)

    @cached_property
    def number_of(self) -> dict[str, int]:
        """The number of each label of the file."""
        return {name: number for number, name in enumerate(self.right)}

    @property
    def right_GC(self) -> np.ndarray:
        """(G, C) whether each class of the run counts as right for each label of the file."""
        return np.array([[label in accepted for label in self.classes] for accepted in self.right.values()])

    def number(self, example: Example) -> int | None:
        """Return the number of an example's label, or None if it has none; raise DataError for an unknown label."""
        label = example.label
        if label is not None and (number := self.number_of.get(label)) is not None:
            return number if self.right[label] else None
        if label is None or label in ("", NO_LABEL):
            return None
        name = shlex.quote(label) if len(label) <= MAX_EXCERPT and label.isprintable() else "NAME"
        raise example.error(
            f"label {excerpt(label)} is not one of the run's labels, {', '.join(self.classes)}; say which of them are "
            f"right for it with {LABELS} {name}=LABEL,LABEL; {NO_LABEL} stands for no label"
        )


def parse_gold_labels(text: str | None, classes: Sequence[str]) -> GoldLabels:
    """Return the labels of a file by what a user typed, such as "non-entailment=neutral,contradiction,0=entailment".

    An item without an equals sign belongs to the label before it. Raise SettingsError for a label that the run lacks.
    """
    further: dict[str, list[str]] = {}
    name = None
    for item in text.split(",") if text else ():
        start, equals, value = item.rpartition("=")
        name = start if equals else name
        if not name:
            raise SettingsError(
                f"{LABELS} {text}: expected NAME=LABEL,LABEL, as in {LABELS} other={','.join(classes[:2])}"
            )
        if value not in (*classes, NO_LABEL):
            raise SettingsError(
                f"{LABELS} {text}: {value} is not a label of the run.{did_you_mean(value, classes)} There are: "
                f"{', '.join(classes)}; {NO_LABEL} stands for no label."
            )
        further.setdefault(name, []).append(value)
    for name, values in further.items():
        if NO_LABEL in values and NO_LABEL not in classes:
            if len(values) > 1:
                raise SettingsError(f"{LABELS} {text}: {name} cannot be both a label and {NO_LABEL}, which is none")
            values.clear()
    return GoldLabels(classes, further)
