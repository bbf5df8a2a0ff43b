"""Interpolations in plain dicts are resolved as OmegaConf resolves them, or left to it."""

import copy

import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser
from omegaconf import OmegaConf

from attest.config.plain_values import NotPlainError, override_values, resolve_values

RESOLVED = [
    "{a: 1, b: '${a}'}",
    "{a: {b: [1, {c: 2}]}, d: '${a}', e: '${a.b}'}",
    "{a: '${b}', b: '${c}', c: 0.5}",
    "{a: x, b: '${a}/${a}.txt', c: '${b}'}",
    "{a: 1, b: '${a}${a}'}",
    "{a: true, b: '${a}', c: 'is ${a}', d: null, e: '${d}'}",
    r"{a: 1, b: '\${a}', c: 'x \${a} ${a}'}",
    "{a: {b: 1}, c: '${oc.select:a.b,7}', d: '${oc.select:a.c,7}'}",
    "{a: {b: 1}, e: '${oc.select:a.c}', f: '${oc.select:x.y, [1, z]}'}",
    "{a: null, b: '${oc.select:a,5}'}",
    "{a: b, b: 3, c: '${${a}}', d: '${oc.select:${a}}'}",
    "{a: '${oc.env:NO_SUCH_NAME,${b}/x}', b: 2, c: '${oc.env:NO_SUCH_NAME,null}'}",
    "{a: '???', b: 1, c: '${b}'}",
]
LEFT = [
    "{a: '${b}', b: '${a}'}",
    "{a: '${a}'}",
    "{a: '${nothing}'}",
    "{a: {b: 1, c: '${.b}'}}",
    "{a: [1], b: '${a[0]}'}",
    "{a: '???', b: '${a}'}",
    "{a: '${oc.env:NO_SUCH_NAME}'}",
    "{a: {b: 1}, c: '${oc.dict.keys:a}'}",
    "{a: '${b}', b: {c: 1}, d: '${a.c}'}",
]


@pytest.mark.parametrize("text", RESOLVED)
def test_values_are_those_of_omegaconf(text):
    config = OmegaConf.create(text)
    values = OmegaConf.to_container(config, resolve=False)
    resolved = resolve_values(values)
    assert repr(resolved) == repr(OmegaConf.to_container(config, resolve=True))
    assert values == OmegaConf.to_container(config, resolve=False)
    assert all(resolved[key] is not value for key, value in values.items() if isinstance(value, dict | list))


@pytest.mark.parametrize("text", LEFT)
def test_what_is_rare_or_wrong_is_left_to_omegaconf(text):
    with pytest.raises(NotPlainError):
        resolve_values(OmegaConf.to_container(OmegaConf.create(text), resolve=False))


VALUES = {"_target_": "a.B", "a": 1, "b": {"c": [1], "d": "${a}"}}


@pytest.mark.parametrize(
    ("override", "changed"),
    [
        ("a=5", {"a": 5}),
        ("b.c=[2,x]", {"b": {"c": [2, "x"], "d": "${a}"}}),
        ("b.d='two words'", {"b": {"c": [1], "d": "two words"}}),
        ("b.d=null", {"b": {"c": [1], "d": None}}),
    ],
)
def test_values_of_overrides_replace_those_of_files(override, changed):
    before = copy.deepcopy(VALUES)
    assert override_values(VALUES, OverridesParser.create().parse_overrides([override])) == {**VALUES, **changed}
    assert before == VALUES


@pytest.mark.parametrize(
    "override",
    ["e=1", "b.e=1", "a.c=1", "b=1", "+e=1", "~a", "++a=1", "b.c={x: 1}", "a=${b.c}", "a='???'", "a@b=1", "b.c=[${a}]",
     "_target_=c.D"],
)  # fmt: skip
def test_overrides_of_other_kinds_are_left_to_hydra(override):
    with pytest.raises(NotPlainError):
        override_values(VALUES, OverridesParser.create().parse_overrides([override]))
