"""Printed figures keep the zeros at their end."""

import dataclasses

import pytest

from attest.config.paths import shipped_folder
from attest.reproduction.pages.numbers import format_printed
from attest.reproduction.specs.rows import PrintedValue
from attest.reproduction.specs.table import load_table, read_table


def printed(table, row, column):
    return format_printed(load_table(table).rows[row].paper[column])


def test_figures_are_shown_as_the_papers_print_them():
    assert printed("disan/table1", "s2t", "parameters") == "0.54"
    assert printed("disan/table3", "cbow", "matched") == "65.200"
    assert printed("disan/table5", "cbow", "trec") == "87.3"
    assert printed("psan/table2", "bilstm_max", "theta") == "40"
    assert printed("ssa/table4", "snli", "softmax") == "12,000"
    assert printed("dam/table5", "bow", "multinli_dev") == "illegible in our copy"
    rows = load_table("disan/table4").rows.values()
    assert "0.7900 ± 0.0042" in [format_printed(row.paper.get("pearson")) for row in rows]


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        ("{value: 0.7900, sd: 0.0070}", "0.7900 ± 0.0070"),
        ("{value: 51.0}", "51.0"),
        ("{value: 1200}", "1,200"),
        ("{value: 1.2e+3}", "1,200"),
        ("{value: 2, decimals: 1}", "2.0"),
        ("{value: null, reason: illegible}", "illegible"),
        ("&figure {value: 83.30}", "83.30"),
        ("{<<: {value: 83.30}}", "83.3"),
    ],
)
def test_the_decimals_are_those_of_the_file(tmp_path, figure, text):
    written = (shipped_folder("reproduce") / "disan/table1.yaml").read_text(encoding="utf-8")
    path = tmp_path / "table1.yaml"
    row = f"rows:\n  mine: {{title: Mine, set: [model=s2t], paper: {{test: {figure}}}}}\n"
    path.write_text(written.replace("rows:\n", row), encoding="utf-8")
    assert format_printed(read_table(path, "disan/table1").rows["mine"].paper["test"]) == text


def test_a_table_that_extends_another_one_has_its_decimals(own_folder):
    (own_folder / "reproduce/mine").mkdir(parents=True)
    (own_folder / "reproduce/mine/first.yaml").write_text("extends: disan/table3\n")
    assert printed("mine/first", "cbow", "matched") == "65.200"


def test_a_figure_without_a_file_has_the_decimals_of_its_value():
    figure = PrintedValue(value=0.79, sd=0.001)
    assert format_printed(figure) == "0.790 ± 0.001"
    assert format_printed(dataclasses.replace(figure, decimals=4)) == "0.7900 ± 0.0010"
