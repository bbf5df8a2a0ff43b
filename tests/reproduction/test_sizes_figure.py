"""The figure of accuracy by the size of the training set, and the text below it."""

from dataclasses import replace

import numpy as np
import pytest
from reproduction.made_up import finished_run, put_hard_pairs, run_of

from attest.config.compose import compose
from attest.config.paths import shipped_folder
from attest.errors import SettingsError
from attest.reproduction.figures.content import figure_content
from attest.reproduction.figures.draw import draw_figure
from attest.reproduction.figures.size_chart import draw_continuations, draw_points
from attest.reproduction.figures.size_curves import Continuation, SizeCurve, SizeCurves, size_curves
from attest.reproduction.load import figures_in, records_in, tables_in
from attest.reproduction.pages.captions import majority_captions, size_captions
from attest.reproduction.pages.figures import figure_pages
from attest.reproduction.pages.table_page import render_table
from attest.reproduction.specs.figure import load_figure, read_figure
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.build import build
from attest.reproduction.tables.cells import cells
from attest.reproduction.tables.size_laws import forecasts
from attest.reproduction.tables.statistics import Summary
from attest.runs.store import Store

PICTURE, SPEC = load_figure("dam/figure7"), load_table("dam/sizes")


@pytest.fixture
def results(home):
    return home / "results/local"


def run(results, row, size, seed, right, drawn=None):
    """A run that is right in so many of the four hard pairs."""
    overrides = [*SPEC.base, *(SPEC.rows[row].set or ()), f"protocol.examples={size}", f"seed={seed}"]
    settings = compose([*overrides, "scale=paper"])
    record = finished_run(settings, facts={"examples": drawn or size})
    arrays = {"rows": np.arange(8), "labels": np.zeros(8, np.int16), "predictions": np.ones(8, np.int16)}
    arrays["predictions"][:right] = 0
    Store(results / "records").put(record, arrays)
    return record


def content(results):
    table = build(SPEC, "paper", records_in([results]))
    return figure_content(PICTURE, table, [], [Store(results / "records")]), table


def test_points_are_means_over_the_runs_of_each_size(results, tmp_path):
    put_hard_pairs(Store(results / "records"), "abc", range(4), train=9)
    made = [run(results, "bow", 1000, 1, 1), run(results, "bow", 1000, 2, 2), run(results, "bow", 5000, 1, 3)]
    made.append(run(results, "ngram_ff", 100000, 1, 4, drawn=90000))
    found, _ = content(results)
    assert isinstance(found, SizeCurves)
    bow, ngram = found.rows
    assert {size: ours.values for size, ours in bow.summaries.items()} == {1000: (25.0, 50.0), 5000: (75.0,)}
    assert {size: ours.values for size, ours in ngram.summaries.items()} == {90000: (100.0,)}
    assert found.measure == "test accuracy on hard pairs, derived, %"
    assert set(found.ids) == {"abc", *(record.id for record in made)}
    assert "train: 90,000 drawn instead of 100,000" in ngram.deviations
    assert any(text.startswith("hard pairs derived") for text in bow.deviations)
    text = caption(results)
    assert "Scale mini" not in text
    assert "| 1,000 | 37.5 (2 runs) |  |\n| 5,000 | 75.0 (1 run) |  |\n| 90,000 |  | 100.0 (1 run) |\n" in text
    assert f"- DAM BoW, 1,000 pairs: `{made[0].id}`, `{made[1].id}`.\n" in text
    for name in ("one.svg", "two.svg"):
        draw_figure(PICTURE, found, tmp_path / name)
    drawn = (tmp_path / "one.svg").read_text()
    assert drawn == (tmp_path / "two.svg").read_text()
    assert all(text in drawn for text in ("DAM BoW (1 to 2 runs)", "90,000", "on hard pairs, derived"))
    assert "most frequent label" not in text + drawn
    assert "power law" not in text + drawn


def test_the_majority_baseline_is_drawn_if_it_is_near_and_named_in_the_caption(results, tmp_path):
    """Three of the four hard pairs have one label."""
    put_hard_pairs(Store(results / "records"), "abc", range(4), train=9)
    arrays = {"rows": np.arange(8), "labels": np.array([0, 1, 0, 0, 1, 1, 1, 1], np.int16)}
    for seed, predicted in ((1, 0), (2, 1)):
        record = run(results, "bow", 1000, seed, 1)
        Store(results / "records").put(record, {**arrays, "predictions": np.full(8, predicted, np.int16)})
    (table,) = tables_in([results], ["dam/sizes"], "paper")
    found = figure_content(PICTURE, table, [], [Store(results / "records")])
    assert isinstance(found, SizeCurves)
    assert found.majority == 75.0
    draw_figure(PICTURE, found, tmp_path / "near.svg")
    assert "always the most frequent label (75.0%)" in (tmp_path / "near.svg").read_text()
    assert list(majority_captions(found)) == [
        "Dotted: the accuracy of giving all test pairs their most frequent label, 75.0%."
    ]
    far = replace(found, majority=30.0)
    draw_figure(PICTURE, far, tmp_path / "far.svg")
    assert "most frequent label" not in (tmp_path / "far.svg").read_text()
    assert list(majority_captions(far)) == [
        "Giving all test pairs their most frequent label is right for 30.0%, below the picture."
    ]


def test_a_curve_of_all_available_pairs_is_continued_to_the_papers(tmp_path):
    table = continued_table()
    picture = load_figure("disan/figure_sizes")
    found = size_curves(picture, table)
    assert found is not None
    draw_figure(picture, found, tmp_path / "a.svg")
    assert ">power law to the paper's pairs, 95% interval<" in (tmp_path / "a.svg").read_text()
    (row,), (forecast,) = found.rows, forecasts(table)
    assert row.continuation == Continuation(forecast.whole_law, 90_000, forecast.paper_size)
    assert row.sizes == [3500, 7000, 14_000, 28_000, 56_000, 90_000, forecast.paper_size]
    text, _ = size_captions(found)
    assert text.startswith(f"Dashed: a power law, fitted from 14,000 pairs on, up to the {forecast.paper_size:,} pairs")
    axes = pytest.importorskip("matplotlib.figure").Figure().subplots()
    draw_continuations(axes, [("C0", row.continuation, None)] * 2)
    assert [line.get_xdata()[[0, -1]].tolist() for line in axes.lines] == [
        pytest.approx([90_000, forecast.paper_size])
    ] * 2
    ends = [segment for bars in axes.collections for segment in bars.get_segments()]
    low, high = forecast.whole_law.interval(forecast.paper_size)
    assert [segment[:, 1].tolist() for segment in ends] == [pytest.approx([low, high])] * 2
    assert ends[0][0, 0] < forecast.paper_size < ends[1][0, 0]


def test_the_papers_figure_stands_where_the_curve_is_continued_to():
    found = size_curves(load_figure("disan/figure_sizes"), continued_table())
    assert found is not None
    assert [row.printed_accuracy for row in found.rows] == [85.62]
    axes = pytest.importorskip("matplotlib.figure").Figure().subplots()
    assert found.rows[0].continuation is not None
    draw_continuations(axes, [("C0", found.rows[0].continuation, 85.62)])
    assert [line.get_ydata()[0] for line in axes.lines if line.get_marker() == "*"] == [85.62]
    assert "A star at the end of a dashed line is the figure that the paper prints." in list(size_captions(found))


def test_a_point_of_a_single_run_is_hollow():
    axes = pytest.importorskip("matplotlib.figure").Figure().subplots()
    points = {10: Summary((50.0, 52.0)), 20: Summary((60.0,))}
    draw_points(axes, SizeCurve("a", "A", points, {}, ()), "C0", "o")
    (hollow,) = [line for line in axes.lines if line.get_markerfacecolor() == "white"]
    assert (hollow.get_xdata()[0], hollow.get_ydata()[0]) == (20, 60.0)


def continued_table():
    """DiSAN with six sizes; the last has no limit, and the paper has more pairs."""
    spec = load_table("disan/sizes")
    runs = [run_of(cell, **{"test/accuracy": 60.0 + 4 * number})
            for number, cell in enumerate(cells(spec, "paper", ["disan"]))]  # fmt: skip
    for made in runs:
        made.data["splits"]["train"] |= {"labelled": 100_000, "used": 90_000}
    return build(spec, "paper", runs)


def test_without_hard_pairs_there_is_nothing_to_draw(results):
    trains = "`attest reproduce dam/sizes scale=paper rows=bow,ngram_ff` trains the runs, `attest publish"
    assert f"Not drawn yet: {trains}" in caption(results)
    run(results, "bow", 1000, 1, 1)
    found, table = content(results)
    assert found is None
    assert f"Not drawn yet: `attest hard snli scale=paper` finds the hard pairs, {trains}" in caption(results)
    assert "- The hard pairs are not known yet: `attest hard snli scale=paper` finds them." in render_table(table)
    put_hard_pairs(Store(results / "records"), "abc", range(4), train=9)
    assert "not known yet" not in render_table(content(results)[1])


def caption(results):
    return figure_pages(figures_in([results], [content(results)[1]]))["dam/figures.md"]


def test_a_table_without_sizes_is_refused(tmp_path):
    path = tmp_path / "figure.yaml"
    text = (shipped_folder("reproduce") / "dam/figure7.yaml").read_text()
    path.write_text(text.replace("table: dam/sizes", "table: dam/table6"))
    with pytest.raises(SettingsError, match=r"figure.yaml:\d+: table: no column of dam/table6 sets protocol.examples"):
        read_figure(path, "x")
