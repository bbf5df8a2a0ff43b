"""What is known of each setting: values, default, meaning and part in the id of a run."""

from dataclasses import dataclass, field
from typing import Annotated, Literal

import pytest
from places import ROOT

from attest.config.compose import compose
from attest.config.constraints import AtLeastOne, Range
from attest.config.explained import accepted_values, explained_arguments, explained_settings
from attest.config.flat import flatten
from attest.config.settings.marks import BUDGET, PRIVATE, OwnCode
from attest.reproduction.marks import fill_marks
from attest.reproduction.pages.settings import render_settings


@dataclass(frozen=True)
class Inner:
    rate: float = 0.5
    """The rate, on two
    lines."""


@dataclass(frozen=True)
class Outer:
    size: int = field(metadata=BUDGET)
    """The size."""
    names: tuple[str, ...] = ("a", "b")
    """The names."""
    inner: Inner = field(default=Inner(), metadata=PRIVATE)
    other: Inner | None = None
    """Another one; null: none."""


def test_fields_are_explained_by_their_classes():
    explained = [(e.key, e.default, e.meaning, e.in_id) for e in explained_settings(Outer)]
    assert explained == [
        ("size", None, "The size.", "as budget"),
        ("names", "[a,b]", "The names.", "yes"),
        ("inner.rate", "0.5", "The rate, on two lines.", "no"),
        ("other", "null", "Another one; null: none.", "yes"),
        ("other.rate", "0.5", "The rate, on two lines.", "yes"),
    ]


@pytest.mark.parametrize(
    ("hint", "words"),
    [
        (bool | Literal["first"], "true, false or first"),
        (Annotated[int, AtLeastOne] | None, "null or a whole number from 1 on"),
        (Annotated[float, Range(0, 1, open_low=True)], "a number above 0 to 1"),
        (Annotated[float, Range(0, 1, open_high=True)], "a number from 0 to below 1"),
        (OwnCode | Literal["parse", "treebank"], "parse, treebank or package.Class"),
        (dict[str, int] | None, "null or keys and values"),
    ],
)
def test_accepted_values(hint, words):
    assert accepted_values(hint) == words


def test_every_setting_of_an_id_is_explained_as_part_of_it():
    explained = {item.key: item.in_id for item in explained_settings()}
    components = ("model.", "head.", "optimizer.")
    hashed = {key for key in flatten(compose([])) if not key.startswith(components)}
    sections = {key.partition(".")[0] for key in explained if "." in key}
    assert hashed <= {key for key, in_id in explained.items() if in_id != "no"} | sections


def test_the_arguments_of_a_class_are_without_those_that_the_program_passes():
    cls, arguments = explained_arguments(compose(["model=s2t"]), "model")
    assert cls.__name__ == "SourceToToken"
    assert "model.input_size" not in [argument.key for argument in arguments]
    assert {argument.key: argument.default for argument in arguments}["model.dropout"] == "0.0"


def test_the_page_lists_all_settings():
    page = (ROOT / "docs/reference/settings.md").read_text(encoding="utf-8")
    assert fill_marks(page, {"settings": render_settings()}) == page, "run `attest collate`"
    assert all(f"\n| `{item.key}` |" in page for item in explained_settings())
