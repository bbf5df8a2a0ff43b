from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

import pytest

from attest.config.constraints import Positive, Range
from attest.config.flat import to_plain
from attest.config.schema import did_you_mean, parse
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
    whole = parse(Whole, data)
    assert whole.many[0] == Part(size=1, rate=2.0)
    assert isinstance(whole.many[0].rate, float)
    assert parse(Whole, to_plain(whole)) == whole


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"nme": "a"}, r"nme: unknown setting\. Did you mean name\?"),
        ({}, "name: this key is required"),
        ({"name": 3}, "name: expected text, got 3"),
        ({"name": "a", "active": 1}, "active: expected true or false"),
        ({"name": "a", "limit": True}, "limit: expected a whole number"),
        ({"name": "a", "limit": -1}, r"limit: -1 is out of range \[0, inf\]"),
        ({"name": "a", "limit": "many"}, "limit: expected a whole number, got 'many'"),
        ({"name": "a", "kind": "shrt"}, "kind: 'shrt' is not one of long, short. Did you mean short"),
        ({"name": "a", "part": {"size": 8}}, r"part.size: 8 is out of range \[1, 7\]"),
        ({"name": "a", "part": {"size": 1, "rate": 0}}, r"part.rate: 0.0 is out of range \(0, inf\]"),
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
        parse(Whole, data)


def test_closest_looks_at_the_last_part_too():
    known = ["model.hidden_size", "optimizer.lr"]
    assert did_you_mean("hidden_size", known) == " Did you mean model.hidden_size?"
    assert did_you_mean("lr", known) == " Did you mean optimizer.lr?"
    assert did_you_mean("qqqq", known) == ""
