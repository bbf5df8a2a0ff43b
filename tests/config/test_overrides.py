"""Overrides as Hydra's grammar reads them, fitted to the types of settings."""

import pytest

from attest.config.keys import check_keys
from attest.config.overrides import fit_overrides, key_of, parse_override, quoted, split_overrides, typed_values
from attest.config.parser_training import Parsing
from attest.config.settings import Settings
from attest.errors import SettingsError


@pytest.mark.parametrize(
    ("typed", "fitted"),
    [
        ("phrases.parser_run=12e4", "phrases.parser_run='12e4'"),
        ("phrases.parser_run=40946166e123", "phrases.parser_run='40946166e123'"),
        ("++phrases.parser_run=123456789012", "++phrases.parser_run='123456789012'"),
        ("phrases.parser_run=f0aa,12e4", "phrases.parser_run=f0aa,'12e4'"),
        ("phrases.parser_run=null", "phrases.parser_run=null"),
        ("phrases.parser_run='12e4'", "phrases.parser_run='12e4'"),
        ("packages=attest,mine", "packages=[attest,mine]"),
        ("packages=[attest,mine]", "packages=[attest,mine]"),
        ("packages='attest',mine", "packages=['attest',mine]"),
        ("packages=choice(attest,mine)", "packages=choice(attest,mine)"),
        ("protocol.drawn=100,10,10", "protocol.drawn=[100,10,10]"),
        ("protocol.drawn=[100,10,10],[200,20,20]", "protocol.drawn=[100,10,10],[200,20,20]"),
        ("phrases.parser_run=choice(12,13)", "phrases.parser_run=choice(12,13)"),
        ("phrases.parser_run='a',12", "phrases.parser_run='a','12'"),
        ("paths.data=/tmp/\u00e4 \u00f6", "paths.data='/tmp/\u00e4 \u00f6'"),
        ("paths.data=/tmp/(a),/b", "paths.data='/tmp/(a)','/b'"),
        ("+logger.notes=it's", r"+logger.notes='it\'s'"),
        ("paths.data=~/x", "paths.data='/home/me/x'"),
        ("paths.data=~/x,/y", "paths.data='/home/me/x','/y'"),
        ("paths.data='~/x y'", "paths.data='/home/me/x y'"),
        ("logger.notes='~/x'", "logger.notes='~/x'"),
        ("seed=1,2", "seed=1,2"),
        ("model=disan,s2t", "model=disan,s2t"),
        ("~mask", "~mask"),
        ("optimizer.lr=1e-3", "optimizer.lr=1e-3"),
    ],
)
def test_values_are_read_as_the_type_of_their_setting(typed, fitted, monkeypatch):
    monkeypatch.setenv("HOME", "/home/me")
    assert fit_overrides([typed], Settings) == [fitted]


def test_one_name_is_a_list_where_a_list_is_wanted():
    assert fit_overrides(["treebanks=sst", "treebanks=sick,sst", "treebanks=[]"], Parsing) == [
        "treebanks=[sst]", "treebanks=[sick,sst]", "treebanks=[]"
    ]  # fmt: skip


def test_values_of_some_keys_are_taken_out():
    values, others = split_overrides(["rows='disan',s2t", "seeds=[4]", "scale=paper", "+x.y='1 2'"], ("rows", "seeds"))
    assert values == {"rows": ["disan", "s2t"], "seeds": [4]}
    assert others == ["scale=paper", "+x.y='1 2'"]


@pytest.mark.parametrize("text", ["a b", "it's", "a\\", "a\\\\", "a\\'b\\", "\\'"])
def test_quoted_texts_are_read_as_they_were(text):
    assert str(parse_override(f"key={quoted(text)}").value()) == text


def test_values_as_they_are_typed():
    assert typed_values(["a=1", "+b.c='x y'", 'd="z"', "e="]) == {"a": "1", "b.c": "x y", "d": "z", "e": ""}


def test_keys_of_all_forms():
    assert [key_of(text) for text in ("a.b=1", "+a.b=1", "~a", "hydra/launcher=joblib")] == [
        "a.b", "a.b", "a", "hydra/launcher"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("a=[1", r"'a=\[1': not of the form key=value.* as in \"key='value'\""),
        ("model=disan", "model: not used by this command, which takes paths, scale"),
        ("paths2.data=x", "paths2.data: unknown setting. Did you mean paths.data?"),
        ("parser.run=x", "parser.run: renamed to phrases.parser_run"),
    ],
)
def test_keys_that_a_command_does_not_take(override, message):
    with pytest.raises(SettingsError, match=message):
        check_keys([override], ("scale", "paths"))
