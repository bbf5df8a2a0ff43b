"""The figure of accuracy by the size of the training set, and the text below it."""

import numpy as np
import pytest
from reproduction.made_up import finished_run, put_hard_pairs

from attest.config.compose import compose
from attest.config.paths import shipped_folder
from attest.errors import SettingsError
from attest.reproduction import collate
from attest.reproduction.figures.content import figure_content
from attest.reproduction.figures.draw import draw_figure
from attest.reproduction.figures.size_curves import SizeCurves
from attest.reproduction.pages.figures import figure_pages
from attest.reproduction.pages.markdown import render_table
from attest.reproduction.specs.figure import load_figure, read_figure
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.build import build
from attest.reproduction.tables.cells import cells
from attest.runs.store import Store

PICTURE, SPEC = load_figure("dam/figure7"), load_table("dam/sizes")


@pytest.fixture(scope="module", autouse=True)
def compose_cells_once():
    with pytest.MonkeyPatch.context() as patch:
        known = cells(SPEC, "paper")
        patch.setattr("attest.reproduction.tables.build.cells", lambda spec, scale: known)
        yield


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
    table = build(SPEC, "paper", collate.records_in([results]))
    return figure_content(PICTURE, table, [], [Store(results / "records")]), table


def test_points_are_means_over_the_runs_of_each_size(results, tmp_path):
    put_hard_pairs(Store(results / "records"), "abc", range(4), train=9)
    made = [run(results, "bow", 1000, 1, 1), run(results, "bow", 1000, 2, 2), run(results, "bow", 5000, 1, 3)]
    made.append(run(results, "ngram_ff", 100000, 1, 4, drawn=90000))
    found, _ = content(results)
    assert isinstance(found, SizeCurves)
    bow, ngram = found.rows
    assert {size: ours.values for size, ours in bow.summaries.items()} == {1000: (25.0, 50.0), 5000: (75.0,)}
    assert {size: ours.values for size, ours in ngram.summaries.items()} == {100000: (100.0,)}
    assert found.measure == "test accuracy on hard pairs, derived, %"
    assert set(found.ids) == {"abc", *(record.id for record in made)}
    assert "train: 90,000 drawn instead of 100,000" in ngram.deviations
    assert any(text.startswith("hard pairs derived") for text in bow.deviations)
    text = caption(results)
    assert "Scale mini" not in text
    assert "| 1,000 | 37.5 (2 runs) |  |\n| 5,000 | 75.0 (1 run) |  |\n| 100,000 |  | 100.0 (1 run) |\n" in text
    assert f"- DAM BoW, 1,000 pairs: `{made[0].id}`, `{made[1].id}`.\n" in text
    for name in ("one.svg", "two.svg"):
        draw_figure(PICTURE, found, tmp_path / name)
    drawn = (tmp_path / "one.svg").read_text()
    assert drawn == (tmp_path / "two.svg").read_text()
    assert all(text in drawn for text in ("DAM BoW", "DAM N-gram + FF att.", "100,000", "on hard pairs, derived"))


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
    return figure_pages(collate.figures_in([results], [content(results)[1]]))["dam/figures.md"]


def test_a_table_without_sizes_is_refused(tmp_path):
    path = tmp_path / "figure.yaml"
    text = (shipped_folder("reproduce") / "dam/figure7.yaml").read_text()
    path.write_text(text.replace("table: dam/sizes", "table: dam/table6"))
    with pytest.raises(SettingsError, match=r"figure.yaml:\d+: table: no column of dam/table6 sets protocol.examples"):
        read_figure(path, "x")
