"""Rows that differ in their word vectors, and rows of one scale only: the table of missing vectors."""

import pytest
from made_up import run_of

from attest.errors import SettingsError
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.build import build
from attest.reproduction.tables.cells import cells
from attest.reproduction.tables.comparisons import comparison_results

SPEC = load_table("disan/coverage")


def results(runs):
    table = build(SPEC, "paper", runs)
    groups = [line.results[0].group for line in table.rows]
    return [group and group.records for group in groups], comparison_results(table)[0]


def test_rows_that_differ_in_their_vectors_are_compared():
    whole, cut = (cell for cell in cells(SPEC, "paper") if cell.panel.name == "sst")
    runs = [run_of(whole, **{"test/accuracy": 42.0}), run_of(cut, **{"test/accuracy": 41.0})]
    assert results(runs[:1])[0] == [(runs[0],), None]
    runs[1].data["vectors"]["rows"] = 6_194
    runs[1].data["fingerprint"] = "g"
    shown, compared = results(runs)
    assert shown == [(runs[0],), (runs[1],)]
    assert compared.differences.values == (1.0,)
    runs[1].data["splits"] = {**runs[1].data["splits"], "train": {"labelled": 1, "rows": 1, "with_parse": 1}}
    assert results(runs)[1].reason == "not comparable: other data"


def test_a_row_of_one_scale_is_absent_at_the_other():
    table = build(SPEC, "mini", [])
    assert [line.name for line in table.rows] == ["whole"]
    assert list(comparison_results(table)) == []
    with pytest.raises(SettingsError, match=r"cut: disan/coverage has this row only at scale=paper"):
        cells(SPEC, "mini", ["cut"])
