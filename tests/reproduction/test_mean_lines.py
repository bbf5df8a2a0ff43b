import numpy as np
import pytest

from attest.reproduction.figures.mean_lines import MARKERS, UNBOUNDED, draw_band, draw_mean


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


def test_a_deviation_that_is_known_at_one_point_alone_is_a_bar():
    axes = pytest.importorskip("matplotlib.figure").Figure().subplots()
    sd_C = np.array([2.0, np.nan, 1.0, 1.0])
    draw_band(axes, [1, 2, 3, 4], np.array([99.0, 50.0, 50.0, 50.0]), sd_C)
    *_, bars = axes.collections
    assert [segment.tolist() for segment in bars.get_segments()] == [[[1, 97], [1, 100]]]
