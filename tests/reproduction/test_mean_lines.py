import numpy as np
import pytest

from attest.reproduction.figures.mean_lines import UNBOUNDED, draw_mean


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
