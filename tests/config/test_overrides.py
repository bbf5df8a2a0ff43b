"""Overrides as Hydra's grammar reads them."""

import pytest

from attest.config.keys import check_keys
from attest.config.overrides import key_of, parse_override, quoted, split_overrides, values_by_key
from attest.errors import SettingsError


def test_values_of_some_keys_are_taken_out():
    values, others = split_overrides(["rows='disan',s2t", "seeds=[4]", "scale=paper", "+x.y='1 2'"], ("rows", "seeds"))
    assert values == {"rows": ["disan", "s2t"], "seeds": [4]}
    assert others == ["scale=paper", "+x.y='1 2'"]


@pytest.mark.parametrize("text", ["a b", "it's", "a\\", "a\\\\", "a\\'b\\", "\\'"])
def test_quoted_texts_are_read_as_they_were(text):
    assert str(parse_override(f"key={quoted(text)}").value()) == text


def test_values_as_they_are_typed():
    assert values_by_key(["a=1", "+b.c='x y'", 'd="z"', "e="]) == {"a": "1", "b.c": "x y", "d": "z", "e": ""}


def test_keys_of_all_forms():
    assert [key_of(text) for text in ("a.b=1", "+a.b=1", "~a", "hydra/launcher=joblib")] == [
        "a.b", "a.b", "a", "hydra/launcher"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("a=[1", r"'a=\[1': not of the form key=value.* as in \"key='value'\""),
        ("model=disan", "model: this command accepts only these settings: paths.*, scale"),
        ("paths2.data=x", "paths2.data: unknown setting. Did you mean paths.data?"),
        ("parser.run=x", "parser.run: renamed to phrases.parser_run"),
    ],
)
def test_keys_that_a_command_does_not_take(override, message):
    with pytest.raises(SettingsError, match=message):
        check_keys([override], ("scale", "paths"))
