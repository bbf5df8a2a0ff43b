"""docs/reference/tables.md lists the keys of tables and figures, and its example is a table."""

import dataclasses
import re

import pytest
from places import ROOT

from attest.reproduction.specs.columns import Column
from attest.reproduction.specs.extends import EXTENDS, KEEP
from attest.reproduction.specs.figure import FigureKind, FigureSpec
from attest.reproduction.specs.metric_names import METRIC_PATTERNS, check_metric, check_subset, without_subset
from attest.reproduction.specs.replicates import Replicates
from attest.reproduction.specs.rows import Comparison, PrintedValue, Row, RowSearch
from attest.reproduction.specs.table import TableSpec, load_table
from attest.reproduction.tables.cells import cells

PAGE = (ROOT / "docs/reference/tables.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^##+ (.+?)\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL))
DESCRIBED = {
    "Keys of a table": TableSpec,
    "Replicates": Replicates,
    "Columns": Column,
    "Rows": Row,
    "Printed figures": PrintedValue,
    "Comparisons": Comparison,
    "Keys of a figure": FigureSpec,
}


def keys_on_the_page(section):
    """Return the keys that a section lists -> the words on what holds without them."""
    rows = re.findall(r"^\| (`[^|]+) \| [^|]+ \| ([^|]+) \|$", SECTIONS[section], re.MULTILINE)
    return {key: default for names, default in rows for key in re.findall("`([^`]+)`", names)}


@pytest.mark.parametrize("section", DESCRIBED)
def test_the_page_lists_every_key_and_which_are_required(section):
    fields = {field.name: field for field in dataclasses.fields(DESCRIBED[section]) if field.name != "name"}
    listed = keys_on_the_page(section)
    assert sorted(set(listed) - {EXTENDS, KEEP}) == sorted(fields)
    missing = dataclasses.MISSING
    required = [name for name, field in fields.items() if {field.default, field.default_factory} == {missing}]
    assert sorted(key for key, default in listed.items() if default == "required") == sorted(required)


def test_the_page_names_every_part_of_a_search():
    (text,) = re.findall(r"^A `search` has.*?\n\n", SECTIONS["Rows"], re.MULTILINE | re.DOTALL)
    assert {field.name for field in dataclasses.fields(RowSearch)} <= set(re.findall("`([a-z]+)`", text))


def test_the_page_lists_every_kind_of_figure():
    kinds = re.findall(r"^\| `(\w+)` \| [^|]+ \|$", SECTIONS["Keys of a figure"], re.MULTILINE)
    assert sorted(kinds) == sorted(FigureKind.__args__)


def test_the_page_names_metrics_of_every_kind():
    listed = re.findall("`([^`]*/[^`]*|parameters)`", SECTIONS["Metrics"])
    for name in listed:
        check_subset("metric", name)
        check_metric("metric", without_subset(name).replace("SPLIT", "test").replace("GENRE", "news"))
    names = [name.replace("SPLIT", "test") for name in listed]
    for kind, pattern in METRIC_PATTERNS.items():
        assert any(re.fullmatch(pattern, name) for name in names), kind


def test_the_example_is_a_table(own_folder):
    ((name, text),) = re.findall(r"```yaml\n# mine/(\S+)\n(.*?)```", PAGE, re.DOTALL)
    (own_folder / name).parent.mkdir(parents=True)
    (own_folder / name).write_text(text)
    spec = load_table("own/table3")
    assert [cell.row for cell in cells(spec, "mini")] == ["s2t", "disan"]
    assert spec.rows["disan"].paper["test"].sd == pytest.approx(0.1)
