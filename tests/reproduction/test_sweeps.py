"""The tables and charts of sweeps, from records made by hand."""

import dataclasses
import math

import pytest
from reproduction.made_up import record

from attest.reproduction.figures.shared_curves import shared_curves
from attest.reproduction.figures.sweeps import draw_sweep, points_by_label
from attest.reproduction.pages.sweeps import notes, render_page, text_table, title_of
from attest.reproduction.tables.compared_runs import compared_runs
from attest.reproduction.tables.sweep_outcomes import SweepOutcome, sweep_table
from attest.reproduction.tables.sweeps import SweepTable
from attest.reproduction.tables.varied import varied_keys

BASE = record("disan", scale="mini")


def run(test, dev=80.0, measure="accuracy", **settings):
    """A finished run with these figures and settings."""
    metrics = {f"test/{measure}": test, f"dev/{measure}": dev, "parameters": 3.0}
    return dataclasses.replace(BASE, metrics=metrics, settings={**BASE.settings, **settings})


def table(axes, *rows, replicates="seed"):
    """A table of rows, each with its values and its runs by replicate."""
    outcomes = [
        SweepOutcome(values, str(replicate), made)
        for values, runs in rows
        for replicate, made in enumerate(runs, 1)
        if made is not None
    ]
    return sweep_table(axes, outcomes, replicates)


def test_a_difference_is_over_the_replicates_that_both_rows_have():
    made = table(["mask"], (("a",), [run(70), run(72), run(74)]), (("b",), [None, run(75), run(78)]))
    first, second = made.rows
    assert made.differences(first) is None
    assert made.differences(second).values == (3.0, 4.0)
    low, high = made.interval(second)
    assert (low + high) / 2 == pytest.approx(3.5)
    assert high - low == pytest.approx(2 * 12.7062 * math.sqrt(0.5) / math.sqrt(2), rel=1e-4)


def test_rows_with_other_test_data_or_another_measure_have_no_difference():
    other_data = table(["dataset"], (("snli",), [run(70)]), (("sst",), [run(75, **{"dataset.name": "sst"})]))
    other_scale = table(["scale"], (("mini",), [run(70)]), (("paper",), [run(75, scale="paper")]))
    other_measure = table(["task"], (("c",), [run(70)]), (("r",), [run(0.7, 0.8, "pearson")]))
    for made in (other_data, other_scale, other_measure):
        assert made.differences(made.rows[1]) is None
        assert made.best is None
    assert text_table(other_measure).head[2:4] == ["Dev", "Test"]
    assert [row[2:4] for row in text_table(other_measure).rows] == [["80.00", "70.00"], ["0.8000", "0.7000"]]


def test_the_title_and_the_notes_name_what_was_swept():
    folds, seed = [run(70.0 + n, **{"protocol.fold": n}) for n in (0, 1)], run(70, seed=5)
    made = table([], ((), folds), replicates="protocol.fold")
    assert title_of(made) == "Sweep over folds at scale mini"
    assert next(notes(made)) == "± is the standard deviation over folds."
    assert title_of(table([], ((), [seed, seed]))) == "Sweep over seeds at scale mini"


def test_folds_of_another_number_of_folds_are_other_test_data():
    ten, five = (run(70.0 + n, **{"protocol.fold": 0, "protocol.folds": n}) for n in (10, 5))
    made = table(["protocol.folds"], (("10",), [ten]), (("5",), [five]), replicates="protocol.fold")
    assert made.differences(made.rows[1]) is None


def test_seeds_stay_replicates_beside_runs_with_folds():
    trec = [run(90.0 + seed, seed=seed, **{"dataset.name": "trec"}) for seed in (1, 2, 3)]
    cr = [run(80.0 + fold, **{"dataset.name": "cr", "protocol.fold": fold}) for fold in (0, 1)]
    made = compared_runs([*trec, *cr])
    assert [sorted(row.runs) for row in made.rows] == [["1", "2", "3"], ["0", "1"]]
    assert next(notes(made)) == "± is the standard deviation over folds or seeds."


@pytest.mark.parametrize("numbers", [(0, 1), (1,), (2, 3)])
def test_runs_with_and_without_a_fold_are_never_in_one_row(numbers):
    """A run without a fold reads the same data as that of the first fold; its seed may be the number of a fold."""
    folds = [run(70.0 + n, **{"protocol.fold": n}) for n in numbers]
    made = compared_runs([*folds, run(65, seed=1, **{"protocol.fold": None})])
    assert [(row.values, sorted(row.runs)) for row in made.rows] == [
        (("yes",), [str(n) for n in numbers]),
        (("no",), ["1"]),
    ]
    assert made.axes == ("folds",)
    grid = [SweepOutcome((), str(each.settings["protocol.fold"]), each) for each in made.records]
    grid.append(SweepOutcome((), "None", None, "nan"))
    rows = sweep_table([], grid, "protocol.fold").rows
    assert [(row.values, len(row.runs), len(row.failures)) for row in rows] == [
        (("yes",), len(numbers), 0),
        (("no",), 1, 1),
    ]


def test_each_run_that_was_named_is_in_the_table():
    """Two runs may have the same settings: one that was made before a setting existed, and one with its default."""
    first, second = (dataclasses.replace(run(70.0 + n), id=f"id{n}") for n in (0, 1))
    made = compared_runs([first, second, dataclasses.replace(run(75, seed=2), id="id2")])
    assert [(row.values, [each.id for each in row.runs.values()]) for row in made.rows] == [
        (("id0",), ["id0"]),
        (("id1",), ["id1"]),
        (("–",), ["id2"]),
    ]
    assert made.axes == ("run",)


def test_a_measure_of_ones_own_has_figures_and_charts(tmp_path):
    runs = [
        dataclasses.replace(run(0.5 + n / 10, 0.6, "f1"), selected={"step": 1, "rule": "highest dev f1, the first"})
        for n in (0, 1)
    ]
    made = table(["lr"], (("0.1",), runs), (("0.2",), runs))
    assert text_table(made).rows[0][2:4] == ["0.6000 ± 0.0000", "0.5500 ± 0.0707"]
    draw_sweep(made, tmp_path / "own.svg")


def test_a_row_without_test_figures_may_come_first(tmp_path):
    untested = dataclasses.replace(run(70), metrics={"dev/accuracy": 80.0})
    made = table(["task"], (("c",), [untested]), (("r",), [run(0.7, 0.8, "pearson")]))
    draw_sweep(made, tmp_path / "sweep.svg")
    assert ">test pearson<" in (tmp_path / "sweep.svg").read_text()


def test_rows_with_the_same_runs_are_named():
    """Settings such as trainer.threads change no run, so that the second value of a sweep finds that of the first."""
    first, other = run(70), dataclasses.replace(run(75), id="other")
    made = table(["threads"], (("1",), [first]), (("2",), [first]), (("3",), [other]))
    assert made.repeated_rows == [(made.rows[1], made.rows[0])]
    assert "The runs of threads=2 are those of threads=1: what tells" in " ".join(notes(made))
    failed = table(["threads"], (("1",), [None]), (("2",), [first]))
    assert failed.repeated_rows == []


def test_the_best_run_is_chosen_on_dev():
    made = table(["mask"], (("a",), [run(90, dev=70)]), (("b",), [run(60, dev=81), run(65, dev=81)]))
    assert made.best is made.rows[1].runs["1"]
    assert text_table(made).rows[1][4] == "60.00"
    assert f"Best on dev: mask=b seed=1, run {made.best.id}." in notes(made)


def test_intervals_over_folds_and_drawn_splits_are_wider():
    alone = [[run(value) for value in values] for values in ((70, 72), (73, 79))]
    sizes = {"train": 80, "dev": 10, "test": 10}
    drawn = [[dataclasses.replace(made, data={**made.data, "drawn": sizes}) for made in row] for row in alone]
    folds = [[run(value, **{"protocol.folds": 10, "protocol.fold": fold}) for fold, value in enumerate(values)]
             for values in ((70, 72), (73, 79))]  # fmt: skip
    plain = table(["x"], (("a",), alone[0]), (("b",), alone[1]))
    for made in (
        table(["x"], (("a",), folds[0]), (("b",), folds[1]), replicates="protocol.fold"),
        table(["x"], (("a",), drawn[0]), (("b",), drawn[1])),
    ):
        assert made.interval(made.rows[1]) is not None
        narrow, wide = (each.interval(each.rows[1]) for each in (plain, made))
        assert (wide[1] - wide[0]) / (narrow[1] - narrow[0]) == pytest.approx(math.sqrt((1 / 2 + 1 / 9) / (1 / 2)))


def test_a_failed_run_is_counted_in_its_row():
    outcomes = [
        SweepOutcome(("a",), "1", run(70)),
        SweepOutcome(("a",), "2", None, "nan"),
        SweepOutcome(("b",), "1", None, "nan"),
    ]
    made = text_table(sweep_table(["x"], outcomes))
    assert made.head[-1] == "Failed"
    assert [(row[0], row[1], row[-1]) for row in made.rows] == [("a", "1", "1"), ("b", "0", "1")]


def test_a_numeric_axis_is_drawn_as_lines_in_the_order_of_its_numbers(tmp_path):
    made = table(["mask", "lr"], *(((mask, lr), [run(70), run(71)]) for mask in ("$a$", "b") for lr in ("0.5", "0.05")))
    assert [label for label, _ in points_by_label(made, 1, "test/accuracy")] == ["mask=$a$", "mask=b"]
    draw_sweep(made, tmp_path / "lines.svg")
    draw_sweep(table(["mask"], (("a",), [run(70)]), (("b",), [run(71)])), tmp_path / "bars.svg")
    lines, bars = ((tmp_path / f"{name}.svg").read_text() for name in ("lines", "bars"))
    assert "FillBetweenPolyCollection" in lines
    assert ">lr<" in lines
    assert ">mask=$a$<" in lines, "dollars are no signs of mathematics"
    assert "FillBetweenPolyCollection" not in bars
    assert ">71<" in bars


def test_curves_are_averaged_over_the_steps_that_all_runs_share():
    curves = [[{"step": step, "dev/accuracy": value} for step, value in points.items()]
              for points in ({1: 10.0, 2: 20.0}, {2: 40.0, 3: 50.0})]  # fmt: skip
    runs = {str(number): dataclasses.replace(run(70), curve=curve) for number, curve in enumerate(curves)}
    steps, values = shared_curves(runs.values(), "dev/accuracy")
    assert (steps, values.tolist()) == ([2], [[20.0], [40.0]])


def test_settings_that_follow_from_the_class_of_a_model_are_no_axes():
    runs = [
        {"seed": 1, "model._target_": "a.DiSAN", "model.hops": 1, "model.dropout": 0.1, "head.dropout": 0.1},
        {"seed": 2, "model._target_": "a.DiSAN", "model.hops": 1, "model.dropout": 0.2, "head.dropout": 0.2},
        {"seed": 1, "model._target_": "a.S2T", "model.dropout": 0.1, "head.dropout": 0.1},
    ]
    assert varied_keys(runs, ["seed"]) == ["model._target_", "model.dropout"]
    assert varied_keys(runs[:2]) == ["seed", "model.dropout"]
    assert varied_keys(runs[:1]) == []
    partly = [{"head.size": 1, "optimizer.lr": 1}, {"optimizer.lr": 2}]
    assert varied_keys(partly) == ["optimizer.lr", "head.size"], "a setting of all runs comes first"


def test_a_table_without_axes_has_a_row_of_replicates():
    made = table([], ((), [run(70), run(72)]))
    assert isinstance(made, SweepTable)
    assert text_table(made).rows == [["2", "80.00 ± 0.00", "71.00 ± 1.41", "70.00", "3", "4.0", "–"]]


def test_the_signs_of_markdown_are_escaped_on_the_page():
    made = table(["text.first", "x"], (("<null>", "a*b|c"), [run(70)]), (("", "[x](y)"), [run(71)]))
    page = render_page(made, "attest train -m 'x=`a`'")
    assert "| \\<null\\> | a\\*b\\|c | 1 |" in page
    assert "|  | \\[x\\](y) | 1 |" in page
    assert "Best on dev: text.first=\\<null\\> x=a\\*b\\|c seed=1" in page
    assert "\n``attest train -m 'x=`a`'``\n" in page


def test_a_comparison_names_settings_not_overrides():
    """`model=DiSAN` would be no choice, and a setting that a run does not have cannot be typed."""
    runs = [
        run(70, dev=81, seed=1),
        run(71, seed=2, **{"model._target_": "attest.models.SourceToToken"}),
        run(72, seed=2, **{"optimizer.amsgrad": True}),
    ]
    made = compared_runs(runs)
    assert "Best on dev: model DiSAN, seed 1, run " in " ".join(notes(made))
    plain, amsgrad = compared_runs([runs[0], runs[2]]).rows
    assert compared_runs([runs[0], runs[2]]).description(amsgrad) == "optimizer.amsgrad true"
    assert compared_runs([runs[0], runs[2]]).description(plain) == "no optimizer.amsgrad"
    folds = [run(70.0, dev=70 + n, **{"protocol.fold": n}) for n in (0, 1)]
    assert "Best on dev: fold 1, run " in " ".join(notes(compared_runs(folds)))
