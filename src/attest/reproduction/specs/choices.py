"""The choices that a paper's text leaves open, read from `reproduce/PAPER/open_choices.yaml`.

A table whose specification has `choices: PAPER` measures them: one row reads the text as the table's base does, which
is our default where the base says nothing, and one row each has another reading.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from attest.config.schema import from_plain
from attest.config.yaml_files import read_yaml
from attest.reproduction.specs import files


@dataclass(frozen=True, kw_only=True)
class Choice:
    """An open choice, with the overrides of the default and of each alternative."""

    text: str
    """A quotation of the paper."""
    open: str
    """An explanation of what the paper leaves open."""
    ours: Mapping[str, str]
    """The settings of the default, the reading that we use, by key."""
    reason: str
    """The source of the default, or an argument for it."""
    alternatives: Sequence[Mapping[str, str]]
    """The settings of each alternative, by key."""

    def readings(self) -> list[list[str]]:
        """Return the overrides of each reading of the text: of the default, then of each alternative."""
        return [[f"{key}={value}" for key, value in way.items()] for way in (self.ours, *self.alternatives)]


@dataclass(frozen=True, kw_only=True)
class Choices:
    """All open choices of a paper."""

    title: str
    base: Sequence[str]
    """The overrides of the experiment whose text leaves them open."""
    choices: Mapping[str, Choice]


DEFAULT_ROW = "ours"
"""The name of the row that every alternative is compared with."""


def table_rows(choices: Choices, columns: Iterable[str], base: Iterable[str] = ()) -> dict[str, Any]:
    """Return `rows` and `comparisons` for the specification of a table that compares readings of a paper's text.

    The first row reads the text as the overrides `base` of the table say, and by our defaults where they say nothing.
    Each other reading of a choice is a row, compared with the first in the first of the table's `columns`.
    """
    set_by_base = dict(text.split("=", 1) for text in base if "=" in text)
    rows: dict[str, Any] = {DEFAULT_ROW: {"title": "Every choice as we make it", "set": []}}
    comparisons = []
    for name, choice in choices.choices.items():
        ours = choice.readings()[0]
        here = [f"{key}={set_by_base.get(key, value)}" for key, value in choice.ours.items()]
        others = [reading for reading in choice.readings() if reading != here]
        first_row = f"Default of our experiments: {' '.join(ours)} ({choice.reason})"
        if here != ours:
            first_row = f"First row of this table: {' '.join(here)}. {first_row}"
        for number, settings in enumerate(others, 1):
            row = f"{name}_{number}" if len(others) > 1 else name
            keys = [text.partition("=")[0] for text in settings]
            title = f"{name.replace('_', ' ').capitalize()} (`{' '.join(settings)}`)"
            rows[row] = {"title": title, "set": settings, "fixed": keys}
            text = f"{choice.open} {first_row}"
            comparisons.append({"first": row, "second": DEFAULT_ROW, "column": next(iter(columns), ""), "text": text})
    return {"rows": rows, "comparisons": comparisons}


def papers() -> list[str]:
    """Return the names of the papers that have a file of open choices."""
    return files.names("open choices")


def load_choices(paper: str) -> Choices:
    """Return the open choices of a paper; raise SettingsError if none are listed."""
    path = files.path_of(paper, "open choices", "the open choices of this paper are not listed")
    return from_plain(Choices, read_yaml(path))


def format_choices(choices: Choices) -> str:
    """Return the text that `attest choices` prints: each choice with the overrides of its readings."""
    lines = [choices.title]
    for name, choice in choices.choices.items():
        lines += ["", f'{name}: "{choice.text}"', f"  {choice.open}"]
        ours, *others = (" ".join(way) for way in choice.readings())
        lines += [f"  ours   {ours}  ({choice.reason})", *(f"  other  {way}" for way in others)]
    return "\n".join(lines)
