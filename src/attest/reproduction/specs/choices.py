"""What a paper leaves open, as data: `reproduce/PAPER/open_choices.yaml`.

A table whose specification says `choices: PAPER` measures them: a row for our way, and one for every other way.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from attest.config.schema import parse
from attest.config.yaml_files import read_yaml
from attest.reproduction.specs import files


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One open choice and the overrides that make each way."""

    text: str
    """What the paper says, in its words."""
    open: str
    """What it does not say."""
    ours: Mapping[str, str]
    reason: str
    """Whence ours."""
    alternatives: Sequence[Mapping[str, str]]

    def ways(self) -> list[list[str]]:
        """The overrides of each way, ours first."""
        return [[f"{key}={value}" for key, value in way.items()] for way in (self.ours, *self.alternatives)]


@dataclass(frozen=True, kw_only=True)
class Choices:
    title: str
    base: Sequence[str]
    choices: Mapping[str, Choice]


OURS = "ours"


def as_table(choices: Choices, columns: Iterable[str]) -> dict[str, Any]:
    """Rows and comparisons of a table, as plain data: every other way against ours, in the first column."""
    rows: dict[str, Any] = {OURS: {"title": "Every choice as we make it", "set": []}}
    comparisons = []
    for name, choice in choices.choices.items():
        for number, way in enumerate(choice.alternatives, 1):
            row = f"{name}_{number}" if len(choice.alternatives) > 1 else name
            settings = [f"{key}={value}" for key, value in way.items()]
            rows[row] = {"title": f"`{' '.join(settings)}`", "set": settings}
            ours = " ".join(f"{key}={value}" for key, value in choice.ours.items())
            text = f"{choice.open} Ours: {ours} ({choice.reason})"
            comparisons.append({"first": row, "second": OURS, "column": next(iter(columns), ""), "text": text})
    return {"rows": rows, "comparisons": comparisons}


def papers() -> list[str]:
    """Return the papers whose open choices are listed."""
    return files.names("open choices")


def load(paper: str) -> Choices:
    path = files.path_of(paper, "open choices", "its choices are not written down")
    return parse(Choices, read_yaml(path))


def listed(choices: Choices) -> str:
    """For the terminal: what is open, and how to make each way."""
    lines = [choices.title]
    for name, choice in choices.choices.items():
        lines += ["", f'{name}: "{choice.text}"', f"  {choice.open}"]
        ours, *others = (" ".join(way) for way in choice.ways())
        lines += [f"  ours   {ours}  ({choice.reason})", *(f"  other  {way}" for way in others)]
    return "\n".join(lines)
