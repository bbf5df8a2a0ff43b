from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Protocol, TypeVar

import pytest

from attest.config.constraints import Positive, Range
from attest.config.flat import to_plain
from attest.config.schema import convert, from_plain
from attest.errors import SettingsError


@dataclass(frozen=True, kw_only=True)
class Part:
    size: Annotated[int, Range(1, 7)]
    rate: Annotated[float, Positive] = 0.5


@dataclass(frozen=True, kw_only=True)
class Whole:
    name: str
    kind: Literal["long", "short"] = "long"
    part: Part | None = None
    many: Sequence[Part] = ()
    by_name: Mapping[str, Part] = field(default_factory=dict)
    limit: Annotated[int, Range(0)] | None = None
    active: bool = True
    mode: bool | Literal["first"] = False
    counts: int | Sequence[Annotated[int, Range(1)]] = 1


def test_nested_data_and_back():
    data = {
        "name": "a",
        "part": {"size": 3},
        "many": [{"size": 1, "rate": 2}],
        "by_name": {"x": {"size": 2}},
        "limit": 0,
    }
    whole = from_plain(Whole, data)
    assert whole.many[0] == Part(size=1, rate=2.0)
    assert isinstance(whole.many[0].rate, float)
    assert from_plain(Whole, to_plain(whole)) == whole


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"nme": "a"}, r"nme: unknown setting\. Did you mean name\?"),
        ({}, "name: missing; add it"),
        ({"name": 3}, "name: expected text, got 3"),
        ({"name": "a", "active": 1}, "active: expected true or false"),
        ({"name": "a", "limit": True}, "limit: expected a whole number"),
        ({"name": "a", "limit": -1}, r"limit: -1 is out of range; type a number from 0 on"),
        ({"name": "a", "limit": "many"}, "limit: expected a whole number, got 'many'"),
        ({"name": "a", "kind": "shrt"}, "kind: 'shrt' is not one of long, short. Did you mean short"),
        ({"name": "a", "part": {"size": 8}}, r"part.size: 8 is out of range; type a number from 1 to 7"),
        ({"name": "a", "part": {"size": 1, "rate": 0}}, r"part.rate: 0.0 is out of range; type a number above 0"),
        ({"name": "a", "part": {"size": 1, "rate": float("inf")}}, "part.rate: inf is no finite number"),
        ({"name": "a", "part": {"size": 1, "rate": float("nan")}}, "part.rate: nan is no finite number"),
        ({"name": "a", "part": {"size": 1, "rat": 1}}, "part.rat: unknown setting. Did you mean part.rate"),
        ({"name": "a", "part": 3}, "part: expected keys and values"),
        ({"name": "a", "many": "none"}, "many: expected a list"),
        ({"name": "a", "many": [{"size": 0}]}, r"many\[0\].size: 0 is out of range"),
        ({"name": "a", "by_name": {"x": {"sice": 1}}}, "by_name.x.sice: unknown setting. Did you mean by_name.x.size"),
        ({"name": "a", "mode": 1}, "mode: 1 is not one of true, false or first"),
        ({"name": "a", "mode": "frst"}, "mode: 'frst' is not one of true, false or first. Did you mean first"),
        ({"name": "a", "counts": "x"}, "counts: expected a whole number or a list, got 'x'"),
        ({"name": "a", "counts": [1, "x"]}, r"counts\[1\]: expected a whole number, got 'x'"),
        ({"name": "a", "counts": [0]}, r"counts\[0\]: 0 is out of range"),
        ([1], "Whole: expected keys and values"),
    ],
)
def test_each_mistake_names_its_place(data, message):
    with pytest.raises(SettingsError, match=message):
        from_plain(Whole, data)


class Scaler(Protocol):
    def scale(self, x: float) -> float: ...


@pytest.mark.parametrize(
    ("hint", "value", "expected"),
    [
        (Callable[[float], float] | str, "gelu", "gelu"),
        (Scaler | str, "gelu", "gelu"),
        (Iterable[int], [1, 2], (1, 2)),
        (set[int], [2, 1, 2], {1, 2}),
        (frozenset[str], ["b", "a"], frozenset("ab")),
        (frozenset[str], frozenset("ab"), frozenset("ab")),
        (tuple[int, str], [1, "a"], (1, "a")),
        (tuple[float, ...], [1, 2, 3], (1.0, 2.0, 3.0)),
        (tuple[()], [], ()),
        (tuple, [1, "a"], (1, "a")),
        (set, [1, 1], {1}),
    ],
)
def test_annotations_of_the_users_own_classes(hint, value, expected):
    converted = convert(value, hint, "model.x")
    assert (converted, type(converted)) == (expected, type(expected))


@pytest.mark.parametrize(
    ("hint", "value", "message"),
    [
        (Callable[[float], float], "gelu", r"model.x: expected .*Callable.*, which no setting can state, got 'gelu'"),
        (type[Part], "Part", "model.x: expected .*, which no setting can state"),
        (TypeVar("Kind"), 1, "model.x: expected ~Kind, which no setting can state"),
        (Scaler, 1, "model.x: expected .*Scaler.*, which no setting can state"),
        (Callable[[float], float] | str, 3, "model.x: expected Callable or text, got 3"),
        (Iterable[int] | None, 1, "model.x: expected a list, got 1"),
        (set[int] | str, 1, "model.x: expected a list or text, got 1"),
        (tuple[int, str], ["a", "a"], r"model.x\[0\]: expected a whole number, got 'a'"),
        (tuple[int, str], [1, "a", "a"], r"model.x: expected a list of 2 values, got \[1, 'a', 'a'\]"),
        (set[list[int]], [[1]], r"model.x: expected a list of single values, got \[\[1\]\]"),
        (frozenset[int], ["a"], r"model.x\[0\]: expected a whole number, got 'a'"),
    ],
)
def test_mistakes_in_settings_of_the_users_own_classes(hint: Any, value, message):
    with pytest.raises(SettingsError, match=message):
        convert(value, hint, "model.x")


def test_a_set_has_one_spelling():
    assert to_plain({"x": frozenset({"b", "a"}), "y": {2, 1}}) == {"x": ["a", "b"], "y": [1, 2]}
