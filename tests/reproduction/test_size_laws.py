"""Power laws of learning curves, and the prediction for the largest training set."""

import dataclasses
import re

import numpy as np
import pytest
from made_up import run_of
from places import ROOT
from scipy import stats

from attest.reproduction.pages.table_page import render_table
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.build import build
from attest.reproduction.tables.cells import cells
from attest.reproduction.tables.size_laws import fit_power_law, forecasts


def test_a_power_law_is_found_again():
    sizes = [1000, 2000, 5000, 10_000]
    law = fit_power_law(sizes, [100 - 400 * n**-0.25 for n in sizes])
    assert law.a == pytest.approx(400)
    assert law.b == pytest.approx(0.25)
    assert law.accuracy(160_000) == pytest.approx(80)
    assert law.interval(160_000) == pytest.approx((80, 80), abs=1e-6)


def test_the_interval_is_that_of_linear_regression():
    """Beside scipy's regression: t s sqrt(1 + 1/k + (x - mean)^2 / squares) around the line of logarithms."""
    sizes, accuracies = np.array([10, 100, 1000, 10_000]), np.array([40.0, 55.0, 60.0, 75.0])
    low, high = fit_power_law(sizes.tolist(), accuracies.tolist()).interval(100_000)
    x, y = np.log(sizes), np.log(100 - accuracies)
    line = stats.linregress(x, y)
    centre = line.intercept + line.slope * np.log(100_000)
    s = np.sqrt(((y - line.intercept - line.slope * x) ** 2).sum() / 2)
    half = (
        stats.t.ppf(0.975, 2) * s * np.sqrt(1 + 1 / 4 + (np.log(100_000) - x.mean()) ** 2 / ((x - x.mean()) ** 2).sum())
    )
    assert (low, high) == pytest.approx((100 - np.exp(centre + half), 100 - np.exp(centre - half)))
    assert low < high


def test_the_largest_size_takes_no_part_in_its_prediction():
    spec = load_table("dam/sizes")
    rows = cells(spec, "paper", ["bow"])
    runs = [
        dataclasses.replace(run_of(cell, **{"test/accuracy": 1.0}), metrics={"test/accuracy@hard": accuracy})
        for cell, accuracy in zip(rows, [40.0, 45.0, 50.0, 55.0, 60.0, 65.0, 5.0], strict=True)
    ]
    (found,) = forecasts(build(spec, "paper", runs))
    assert [point.size for point in found.fitted] == [1000, 2000, 5000, 10_000, 20_000, 50_000]
    assert found.largest.accuracy.mean == 5.0
    assert found.law.accuracy(100_000) > 65
    assert not forecasts(build(spec, "paper", runs[-3:]))
    assert "| DAM BoW | 6 sizes, 1,000 to 50,000 |" in render_table(build(spec, "paper", runs))
    assert "## Accuracy by training size" not in render_table(build(spec, "paper", runs[-3:]))


def test_our_sizes_predict_the_size_of_the_papers_training_set():
    """The last column has no limit: its size is the number of pairs that are used, 90 of 100 labelled ones."""
    spec = dataclasses.replace(load_table("disan/sizes"), curve_from=1)

    def law(size):
        return 100 - 400 * size**-0.25

    sizes = {f"pairs_{size}": size for size in (3500, 7000, 14_000, 28_000, 56_000)} | {"pairs_all": 90_000}
    runs = [run_of(cell, **{"test/accuracy": law(sizes[cell.panel.name])}) for cell in cells(spec, "paper", ["disan"])]
    for run in runs:
        run.data["splits"]["train"] |= {"labelled": 100_000, "used": 90_000}
    (found,) = forecasts(build(spec, "paper", runs))
    assert found.largest.size == 90_000
    assert found.law.accuracy(90_000) == pytest.approx(law(90_000))
    official = runs[0].data["expected"]["splits"]["train"]
    assert found.paper_size == round(official * 0.9)
    assert found.whole_law.accuracy(found.paper_size) == pytest.approx(law(found.paper_size))
    text = render_table(build(spec, "paper", runs))
    assert f"| {found.paper_size:,}: {law(found.paper_size):.2f} (" in text
    assert "says nothing about more steps" in text
    single = "6 of the 6 points are single runs, and count as much as means of several."
    assert f"- {single}" in text
    again = [run_of(cell, **{"test/accuracy": 50.0}) for cell in cells(spec, "paper", ["disan"])]
    again = [
        dataclasses.replace(run, id=f"again{number}", seed=2, settings={**run.settings, "seed": 2}, data=first.data)
        for number, (run, first) in enumerate(zip(again, runs, strict=True))
    ]
    assert single.replace("6", "1", 1) in render_table(build(spec, "paper", [*runs, *again[1:]]))
    assert "single runs" not in render_table(build(spec, "paper", [*runs, *again]))


def test_a_curve_takes_sizes_from_that_which_the_table_names():
    """Smaller sets, trained for more epochs, are off the law."""
    spec = load_table("disan/sizes")
    assert spec.curve_from == 14_000
    runs = runs_on_law(spec, {"pairs_all": 90_000})
    better = [dataclasses.replace(run, metrics={"test/accuracy": 70.0}) for run in runs[:2]]
    (forecast,) = forecasts(build(spec, "paper", [*better, *runs[2:]]))
    assert [point.size for point in forecast.fitted] == [14_000, 28_000, 56_000]
    assert forecast.whole_law.accuracy(500_000) == pytest.approx(100 - 400 * 500_000**-0.25)
    assert forecast.whole_law.smallest == 14_000


def runs_on_law(spec, drawn):
    """A run for each size of DiSAN, on a law; `drawn` is the panel -> the number of examples, if not that asked for."""
    made = []
    for cell in cells(spec, "paper", ["disan"]):
        size = drawn.get(cell.panel.name, cell.settings.protocol.examples)
        run = run_of(cell, **{"test/accuracy": 100 - 400 * size**-0.25})
        run.data["splits"]["train"] |= {"labelled": 100_000, "used": 90_000}
        if cell.settings.protocol.examples is not None:
            run.data["examples"] = size
        made.append(run)
    return made


def test_a_point_stands_at_the_number_of_examples_that_was_drawn():
    """The files hold 10,000 pairs on one machine, so that a run drew no more: its point must not bend the law."""
    spec = dataclasses.replace(load_table("disan/sizes"), curve_from=1)
    runs = runs_on_law(spec, {"pairs_28000": 10_000, "pairs_all": 90_000})
    (forecast,) = forecasts(build(spec, "paper", runs))
    assert [point.size for point in forecast.fitted] == [3500, 7000, 10_000, 14_000, 56_000]
    assert forecast.law.accuracy(90_000) == pytest.approx(100 - 400 * 90_000**-0.25)


def test_of_two_panels_that_drew_as_many_the_one_that_asks_for_most_has_the_point():
    spec = dataclasses.replace(load_table("disan/sizes"), curve_from=1)
    runs = runs_on_law(spec, {"pairs_28000": 14_000, "pairs_all": 90_000})
    (forecast,) = forecasts(build(spec, "paper", runs))
    assert [point.size for point in forecast.fitted] == [3500, 7000, 14_000, 56_000]
    assert forecast.fitted[-2].result.panel.name == "pairs_28000"


def test_the_note_of_disans_table_1_is_what_its_learning_curve_says():
    (note,) = (text for text in load_table("disan/table1").notes if "learning curve" in text)
    page = (ROOT / "results/disan/sizes.md").read_text(encoding="utf-8")
    continued = re.search(r"^\| Directional .* \| [\d,]+: ([\d.]+) \(([\d.]+) to ([\d.]+)\) \|$", page, re.MULTILINE)
    assert continued
    expected, low, high = (f"{float(number):.1f}" for number in continued.groups())
    assert f"to {expected} ({low} to {high})" in note
