"""What is known of each setting: values, default, meaning and part in the id of a run."""

from dataclasses import dataclass, field
from typing import Annotated, Literal

import pytest
from places import ROOT

from attest.config.compose import compose
from attest.config.constraints import AtLeastOne, Range
from attest.config.flat import flatten
from attest.config.hydra.class_overrides import SHARED_ARGUMENTS
from attest.config.setting_docs import accepted_values, argument_docs, setting_docs
from attest.config.settings.field_metadata import MAY_DEVIATE, NOT_HASHED, OwnCode
from attest.reproduction.pages.settings import render_settings
from attest.reproduction.placeholders import fill_placeholders
from attest.runs.identity import REPLICATE_KEYS


@dataclass(frozen=True)
class Inner:
    rate: float = 0.5
    """The rate, on two
    lines."""


@dataclass(frozen=True)
class Outer:
    size: int = field(metadata=MAY_DEVIATE)
    """The size."""
    names: tuple[str, ...] = ("a", "b")
    """The names."""
    inner: Inner = field(default=Inner(), metadata=NOT_HASHED)
    other: Inner | None = None
    """Another one; null: none."""


def test_fields_are_explained_by_their_classes():
    explained = [(e.key, e.default, e.meaning, e.in_id) for e in setting_docs(Outer)]
    assert explained == [
        ("size", None, "The size.", "as deviation"),
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
    explained = {item.key: item.in_id for item in setting_docs()}
    components = ("model.", "head.", "optimizer.")
    hashed = {key for key in flatten(compose([])) if not key.startswith(components)}
    sections = {key.partition(".")[0] for key in explained if "." in key}
    assert hashed <= {key for key, in_id in explained.items() if in_id != "no"} | sections


def test_replicates_and_settings_of_other_settings_are_named():
    """Seed and fold were called other experiments, hidden_size no part of the id."""
    part_of = {item.key: item.in_id for item in setting_docs()}
    assert tuple(key for key, part in part_of.items() if part == "replicate") == REPLICATE_KEYS
    assert [key for key, part in part_of.items() if part == "through others"] == list(SHARED_ARGUMENTS)


def test_the_arguments_of_a_class_are_without_those_that_the_program_passes():
    cls, arguments = argument_docs(compose(["model=s2t"]), "model")
    assert cls.__name__ == "SourceToToken"
    assert "model.input_size" not in [argument.key for argument in arguments]
    assert {argument.key: argument.default for argument in arguments}["model.dropout"] == "0.0"


def test_the_page_lists_all_settings():
    page = (ROOT / "docs/reference/settings.md").read_text(encoding="utf-8")
    assert fill_placeholders(page, {"settings": render_settings()}) == page, "run `attest collate`"
    assert all(f"\n| `{item.key}` |" in page for item in setting_docs())
