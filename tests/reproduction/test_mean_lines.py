import numpy as np
import pytest

from attest.reproduction.figures.benchmark_medians import PAPER_MARKER
from attest.reproduction.figures.legends import read_by_line
from attest.reproduction.figures.mean_lines import MARKERS, UNBOUNDED, draw_band, draw_mean
from attest.reproduction.figures.style import COLOURS, colours_of


@pytest.mark.parametrize(("bounds", "lowest"), [({}, 0.0), ({"bounds": UNBOUNDED}, 10 - np.std([-10, 30], ddof=1))])
def test_the_band_of_a_mean_stays_within_bounds(bounds, lowest):
    axes = pytest.importorskip("matplotlib.figure").Figure().subplots()
    draw_mean(axes, [1, 2], np.array([[-10.0, 50.0], [30.0, 50.0]]), **bounds)
    (line,), (band,) = axes.lines, axes.collections
    assert line.get_ydata().tolist() == [10, 50]
    assert band.get_datalim(axes.transData).y0 == pytest.approx(lowest)


def test_a_single_run_has_no_band():
    axes = pytest.importorskip("matplotlib.figure").Figure().subplots()
    draw_mean(axes, [1, 2], np.array([[1.0, 2.0]]), label="a", marker="")
    assert axes.lines[0].get_marker() in ("", "None")
    assert not axes.collections


def test_each_line_has_a_marker_of_its_own():
    axes = pytest.importorskip("matplotlib.figure").Figure().subplots()
    for _ in MARKERS:
        draw_mean(axes, [1, 2], np.array([[1.0, 2.0]]))
    assert [line.get_marker() for line in axes.lines] == list(MARKERS)
    assert PAPER_MARKER not in MARKERS, "a star is the paper's figure"


def test_a_deviation_that_is_known_at_one_point_alone_is_a_bar():
    axes = pytest.importorskip("matplotlib.figure").Figure().subplots()
    sd_C = np.array([2.0, np.nan, 1.0, 1.0])
    draw_band(axes, [1, 2, 3, 4], np.array([99.0, 50.0, 50.0, 50.0]), sd_C)
    *_, bars = axes.collections
    assert [segment.tolist() for segment in bars.get_segments()] == [[[1, 97], [1, 100]]]


def test_lines_differ_without_their_colours():
    axes = pytest.importorskip("matplotlib.figure").Figure().subplots()
    for _ in range(6):
        draw_mean(axes, [1, 2], np.array([[1.0, 2.0]]))
    assert len({(line.get_marker(), str(line._dash_pattern)) for line in axes.lines}) == 6


def test_a_name_has_its_colour_and_others_have_free_ones():
    colours = colours_of(["disan", "mine", "s2t", "yours"])
    assert (colours["disan"], colours["s2t"]) == (COLOURS["disan"], COLOURS["s2t"])
    assert len(set(colours.values())) == 4
    assert colours_of(["s2t"]) == {"s2t": COLOURS["s2t"]}


def test_a_legend_is_read_line_by_line():
    """Matplotlib sets five labels in three columns as 2, 2 and 1."""
    assert read_by_line(["1", "2", "3", "4", "5"], 3) == ["1", "4", "2", "5", "3"]
