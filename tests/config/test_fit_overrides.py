"""Overrides, fitted to the types of settings."""

import pytest

from attest.config.fit_overrides import fit_overrides
from attest.config.parser_training import Parsing
from attest.config.settings import Settings


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
        ("logger.notes=Well, done!", "logger.notes='Well, done!'"),
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
