"""The dashboard of a table, and the names by which its runs are filtered and grouped."""

import re
from collections import defaultdict
from dataclasses import replace

import pytest
from places import ROOT
from reproduction.made_up import SPEC, data, record, run_of

from attest.reproduction.dashboards.build import report_title, table_dashboard, table_report
from attest.reproduction.dashboards.draw import draw_dashboard
from attest.reproduction.dashboards.draw_bars import draw_bars, scale_begin
from attest.reproduction.dashboards.draw_panels import axis_heights
from attest.reproduction.dashboards.drawn_runs import Run
from attest.reproduction.load import TABLE_KINDS, records_in
from attest.reproduction.pages.table_page import render_table
from attest.reproduction.run_context import context_in_table
from attest.reproduction.specs.added_rows import with_rows
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.build import build
from attest.reproduction.tables.cells import cells
from attest.reproduction.tables.compose_cache import cached_protocol
from attest.reproduction.tables.matching import RecordIndex
from attest.reproduction.tables.metrics import standard_transfers
from attest.reproduction.tables.run_groups import run_groups
from attest.runs import versions
from attest.runs.dashboards import Axis, Bars, Coordinates, Curves, Scatter, Text
from attest.runs.records import Record
from attest.runs.run_card import run_card


def panels(dashboard, kind):
    return [panel for section in dashboard.sections for panel in section.panels if isinstance(panel, kind)]


def axis(figure, title):
    return Axis(title=title, key=figure, setting=False)


def test_a_dashboard_shows_the_runs_of_one_table_at_one_scale():
    for scale in ("mini", "paper"):
        dashboard = table_dashboard(build(SPEC, scale, []))
        assert dashboard.filters == {"disan/table1.table": ["disan/table1"], "scale": [scale]}
        assert dashboard.group == "disan/table1.group"
    assert len({table_dashboard(build(SPEC, scale, [])).name for scale in ("mini", "paper")}) == 2


def test_its_panels():
    table = build(SPEC, "paper", [record("disan")])
    dashboard = table_dashboard(table)
    assert [section.title for section in dashboard.sections] == [
        "Curves", "Figures", "Settings", "Compare runs", "Table", "Steps"]  # fmt: skip
    assert [panel.metric for panel in panels(dashboard, Curves)][:3] == ["dev/accuracy", "dev/loss", "train/loss"]
    (bars,) = [bars for bars in panels(dashboard, Bars) if bars.title == "Test (%)"]
    assert bars.figures == [axis("test/accuracy", "ours"), axis("paper/disan/table1/test/accuracy", "paper")]
    (coordinates,) = panels(dashboard, Coordinates)
    assert [axis.key for axis in coordinates.axes][:3] == ["model._target_", "model.dropout", "mask"]
    (scatter,) = panels(dashboard, Scatter)
    assert (scatter.x.key, scatter.y.key) == ("parameters", "test/accuracy"), (
        "of the rows that have run, none differs in a number"
    )
    assert panels(dashboard, Text) == [Text(markdown=render_table(table))]
    assert {"disan/table1.group", "test/accuracy", "dev/accuracy"} <= {column.key for column in dashboard.columns}


def test_built_in_corpora_are_compared_with_no_paper():
    shown = [figure.key for bars in panels(table_dashboard(build(SPEC, "mini", [])), Bars) for figure in bars.figures]
    assert "test/accuracy" in shown
    assert not [key for key in shown if key.startswith("paper/")]


def test_columns_with_one_metric_share_a_panel_that_the_metric_names():
    spec = load_table("dam/recipe")
    titles = [bars.title for bars in panels(table_dashboard(build(spec, "paper", [])), Bars)]
    assert len(titles) == len(set(titles))
    assert "test/pearson" in titles


def test_an_axis_of_many_sizes_is_logarithmic():
    (scatter,) = panels(table_dashboard(build(load_table("dam/sizes"), "paper", [])), Scatter)
    assert (scatter.x.key, scatter.x.log) == ("protocol.examples", True)


def test_a_table_of_counts_has_no_bars():
    dashboard = table_dashboard(build(load_table("dam/table1"), "paper", []))
    assert not panels(dashboard, Bars)


def test_a_report_has_the_page_the_panels_and_the_commands():
    table = build(SPEC, "paper", [record("disan", f"seed={seed}") for seed in (1, 2)])
    report = table_report(table)
    text, *sections, commands = report.parts
    assert "| Directional self-attention network (DiSAN) |" in text.markdown
    assert "## Comparisons of rows" in text.markdown
    assert [section.title for section in sections] == ["Curves", "Figures", "Settings", "Compare runs"]
    assert "attest reproduce disan/table1 scale=paper" in commands.text
    assert "attest train experiment=disan/snli model=disan" in commands.text


def test_the_commands_of_a_report_name_the_rows_that_were_added():
    spec = with_rows(SPEC, "model=s2t dropout=0.4,model=bilstm_max")
    *_, commands = table_report(build(spec, "mini", [])).parts
    for words in ("reproduce", "show", "wandb push"):
        command = f"attest {words} disan/table1 'with=model=s2t dropout=0.4,model=bilstm_max' scale=mini"
        assert command in commands.text.splitlines()


def label_of(run, cell):
    return run_card(run, context_in_table(run, "disan/table1", cell)).config["disan/table1"]


def test_runs_are_grouped_by_row_data_and_budget():
    (cell,) = cells(SPEC, "paper", ["disan"])
    whole = [label_of(record("disan", f"seed={seed}"), cell) for seed in (1, 2)]
    assert whole == [{"table": "disan/table1", "row": "disan", "group": "disan"}] * 2
    shorter = label_of(record("disan", "protocol.steps=500"), cell)["group"]
    assert shorter.startswith("disan steps=500 [")
    less = label_of(record("disan", data=data(train=1000, fingerprint="less")), cell)["group"]
    assert less.startswith("disan [")
    assert len({shorter, less, "disan"}) == 3


@pytest.fixture(scope="module")
def tracked_index():
    return RecordIndex(records_in([ROOT / "results"], *TABLE_KINDS, "subset"))


@pytest.mark.parametrize("table", ["disan/table1", "dam/recipe"])
def test_groups_are_those_that_the_table_averages(table, tracked_index):
    """A mean over runs of different data or budgets would be a figure that no page shows."""
    by_label = defaultdict(set)
    expected = set()
    for cell in cells(load_table(table), "paper"):
        for group in run_groups(cell, tracked_index.candidates(cell)):
            runs = [*group.records, *group.repeats]
            expected.add(frozenset(run.id for run in runs))
            for run in runs:
                by_label[context_in_table(run, table, cell).labels[table]["group"]].add(run.id)
    assert expected
    assert set(map(frozenset, by_label.values())) == expected


def test_the_summary_has_the_papers_figures_and_those_of_later_evaluations():
    (cell,) = cells(SPEC, "paper", ["disan"])
    assert context_in_table(record("disan"), "disan/table1", cell).figures == {
        "paper/disan/table1/cost/full_epoch_seconds": 587, "paper/disan/table1/train/accuracy": 91.08,
        "paper/disan/table1/test/accuracy": 85.62}  # fmt: skip
    (mini,) = cells(SPEC, "mini", ["disan"])
    assert not context_in_table(record("disan", scale="mini"), "disan/table1", mini).figures


def test_a_picture_shows_groups_sections_and_the_papers_figures(tmp_path):
    runs = [record("disan", f"seed={seed}", curve=curve(seed)) for seed in (1, 2)]
    runs.append(record("no_directions", curve=curve(3)))
    cells_by_row = {cell.row: cell for cell in cells(SPEC, "paper", ["disan", "no_directions"])}
    cards = [run_card(run, context_in_table(run, "disan/table1", cells_by_row[run.label.row])) for run in runs]
    path = tmp_path / "workspace.svg"
    draw_dashboard(table_dashboard(build(SPEC, "paper", runs)), list(zip(runs, cards, strict=True)), path)
    texts = texts_in(path)
    assert {"disan (2)", "no_directions (1)", "85", "dev/accuracy", "Test (%)", "ours / black mark: paper"} <= {*texts}
    assert {"forward_backward", "diagonal", "Test by parameters"} <= {text.strip() for text in texts}
    draw_dashboard(table_dashboard(build(SPEC, "paper", [])), [], path)


def test_the_picture_in_the_guide_is_that_of_the_tracked_records(tmp_path, tracked_index):
    """Draw it again with `attest wandb workspace disan/table1 --to docs/workspace.svg`."""
    pytest.importorskip("matplotlib")
    transfers = standard_transfers(tracked_index.by_kind["transfer"])
    runs = [
        (run, run_card(run, context_in_table(run, "disan/table1", cell, transfers)))
        for cell in cells(SPEC, "paper")
        for run in tracked_index.matching(cell, "done")
    ]
    draw_dashboard(table_dashboard(build(SPEC, "paper", tracked_index)), runs, tmp_path / "workspace.svg")
    assert texts_in(ROOT / "docs/workspace.svg") == texts_in(tmp_path / "workspace.svg")


def texts_in(path):
    return re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text())


def curve(seed):
    return [{"step": step, "epoch": 1.0, "train/loss": 1 / step, "dev/accuracy": 70.0 + seed} for step in (1, 2, 3)]


def test_a_row_that_a_command_added_has_a_group_and_no_printed_figures():
    spec = with_rows(SPEC, "model=s2t dropout=0.4")
    (cell,) = (cell for cell in cells(spec, "paper") if cell.row not in SPEC.rows)
    origin = context_in_table(run_of(cell), "disan/table1", cell)
    assert origin.labels["disan/table1"]["row"] == cell.row
    assert not origin.figures


def test_figures_of_a_table_that_no_record_of_the_run_holds():
    (cell,) = cells(load_table("psan/table3"), "paper", ["disan"])
    run = run_of(cell, **{"test/accuracy": 80.0})
    protocol = {**cached_protocol(), "encoder": run.id}
    transfer = Record(
        id="a", status="done", kind="transfer", settings=protocol, versions={"transfer": versions.TRANSFER}, seed=1,
        data={"fingerprint": "f"}, parents=[run.id], metrics={"MR/test": 77.5},
    )  # fmt: skip
    figures = context_in_table(run, "psan/table3", cell, standard_transfers([transfer])).figures
    assert figures["transfer/MR/test"] == 77.5
    assert figures["paper/psan/table3/transfer/MR/test"] > 0


def test_reports_of_a_long_title_keep_their_scale():
    titles = {report_title("A table " * 30, scale) for scale in ("mini", "paper")}
    assert {title.rpartition(", ")[2] for title in titles} == {"scale mini", "scale paper"}
    assert {len(title) for title in titles} == {128}


@pytest.mark.parametrize(("values", "begin"), [((86, 88), 84.4), ((0.5,), 0.49), ((-0.2, -0.1), -0.24), ((0.2, 3), 0)])
def test_the_scale_of_bars_begins_near_the_lowest(values, begin):
    assert scale_begin(values) == pytest.approx(begin)


def test_an_axis_with_a_zero_is_linear():
    axis = Axis(key="x", title="x", setting=True, log=True)
    assert axis_heights(axis, [1, 10, 100]) == {"1": 0, "10": 0.5, "100": 1}
    assert axis_heights(axis, [0, 5, 10]) == {"0": 0, "5": 0.5, "10": 1}


STYLES = {"a": {"color": "C0", "linestyle": "-"}, "b": {"color": "C0", "linestyle": "--"}}


def drawn_bars(key, values, environment=lambda place: {}):
    axes = pytest.importorskip("matplotlib.figure").Figure().subplots()
    runs = []
    for place, value in enumerate(values):
        used = environment(place)
        made = record("disan", f"seed={place}")
        made = replace(made, environment=used, devices=[{"name": name} for name in used.values()])
        runs.append(Run("a", made, {}, {key: value, "paper": 90.0}))
    draw_bars(axes, Bars(title="T", figures=[axis(key, "ours"), axis("paper", "paper")]), runs, STYLES)
    return axes


def test_bars_begin_at_0_and_a_cut_scale_has_dots():
    near = drawn_bars("test/accuracy", [80.0])
    assert (len(near.patches), len(near.containers)) == (0, 1)
    assert near.get_xlim()[0] > 0
    far = drawn_bars("x", [2.0])
    assert (len(far.patches), far.get_xlim()[0]) == (1, 0)
    assert [line.get_color() for axes in (near, far) for line in axes.lines if line.get_marker() == "|"] == [
        "black"
    ] * 2


def test_times_of_gpus_are_not_averaged_with_those_of_cpus():
    axes = drawn_bars("cost/epoch_seconds", [600.0, 100.0, 120.0], lambda place: {"gpu": "H100"} if place else {})
    (bar,) = axes.patches
    assert bar.get_width() == 600
