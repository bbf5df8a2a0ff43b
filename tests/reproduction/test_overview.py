"""The front page of the results, from records alone."""

from reproduction.made_up import SPEC, record

from attest.reproduction.pages.overview import render_findings, render_overview
from attest.reproduction.pages.summary import summary
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.build import build
from attest.reproduction.tables.table import RowResults


def line(records):
    text = render_overview([build(SPEC, "paper", records)], ["transfer.md"])
    assert "[transfer.md](transfer.md)" in text
    return next(line for line in text.splitlines() if line.startswith("| [DiSAN, Table 1"))


def test_nothing_has_run():
    assert line([]).endswith("(disan/table1.md) | 0 of 7 |  |  |  | `make disan/table1 SCALE=paper` |")


def test_runs_findings_and_claims_are_counted():
    seeds = (1, 2, 3)
    ours = [record("disan", f"seed={seed}", test=85.6 + seed / 100) for seed in seeds]
    others = [record("no_directions", f"seed={seed}", test=10.0 + seed / 50) for seed in seeds]
    assert " | 2 of 7 | 1 within, 1 below | 1 as claimed |  | " in line([*ours, *others])
    assert "| All tables |  | 1 within, 1 below | 1 as claimed |  |  |" in render_overview(
        [build(SPEC, "paper", [*ours, *others])], []
    )
    failed = record("s2t", status="failed", metrics={})
    assert " | 1 of 7, 1 failed | 1 within |  | " in line([*ours, failed])


def test_findings_at_a_reduced_budget_are_counted_apart():
    whole = [record("disan", f"seed={seed}", test=85.6 + seed / 100) for seed in (1, 2, 3)]
    short = [record("s2t", f"seed={seed}", "protocol.steps=200", test=10.0 + seed / 100) for seed in (1, 2, 3)]
    assert " | 1 within; at reduced budget: 1 below |  | " in line([*whole, *short])


def test_the_findings_of_each_paper_are_counted_for_the_readme():
    seeds = (1, 2, 3)
    ours = [record("disan", f"seed={seed}", test=85.6 + seed / 100) for seed in seeds]
    others = [record("no_directions", f"seed={seed}", test=10.0 + seed / 50) for seed in seeds]
    tables = [build(SPEC, "paper", [*ours, *others]), build(load_table("ssa/table2"), "paper", [])]
    assert render_findings(tables).splitlines()[2:] == [
        "| `disan` | 1 within, 1 below | 1 as claimed |",
        "| `ssa` |  |  |",
        "| all papers | 1 within, 1 below | 1 as claimed |",
    ]


def test_the_findings_of_a_table_are_computed_once(monkeypatch):
    computed, finding = [], RowResults.finding
    monkeypatch.setattr(RowResults, "finding", lambda *figure: computed.append(figure) or finding(*figure))
    tables = [build(SPEC, "paper", [record("disan")])]
    texts = [render_overview(tables, []), render_findings(tables), "".join(summary(tables[0]))]
    assert all("1 undecided" in text for text in texts)
    assert len(computed) == len(tables[0].rows) * len(tables[0].columns)
