"""The finding of a line of a table: how many runs the paper's figure is a mean of, and whether ours share data."""

import dataclasses

import pytest
from made_up import SPEC, line, record, run_of

from attest.reproduction.specs.rows import PrintedValue
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.build import build
from attest.reproduction.tables.cells import cells
from attest.reproduction.tables.finding import Finding
from attest.reproduction.tables.table import RowResults


def with_printed(row: RowResults, column: str, figure: PrintedValue) -> RowResults:
    return dataclasses.replace(row, spec=dataclasses.replace(row.spec, paper={column: figure}))


@pytest.fixture(scope="module")
def five_seeds():
    """Five runs with the mean 85 and the standard deviation 0.791."""
    tests = [84.0, 84.5, 85.0, 85.5, 86.0]
    return line([record("disan", f"seed={seed}", test=test) for seed, test in enumerate(tests, start=1)])


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ({}, "undecided"),
        ({"of": "mean"}, "below"),  # of five runs, as the table has
        ({"of": "mean", "runs": 2}, "undecided"),
        ({"of": "mean", "runs": 3}, "below"),
    ],
)
def test_a_figure_is_compared_as_the_mean_of_as_many_runs_as_it_has(five_seeds, origin, expected):
    """By hand: t(0.975, 4) = 2.776; times 0.791 sqrt(1/m + 1/5) it is 2.40 for one run, 1.84 for two, 1.60 for three
    and 1.39 for five. The figure is 1.7 away."""
    printed = with_printed(five_seeds, "test", PrintedValue(value=86.7, **origin))
    assert printed.finding("test", SPEC.columns["test"]) == Finding(expected)


@pytest.fixture(scope="module")
def ten_folds():
    """Ten folds of CR with the accuracies 80, 81 and so on: the mean 84.5, the standard deviation 3.028."""
    spec = load_table("disan/table5")
    run = run_of(next(cell for cell in cells(spec, "paper", ["disan"]) if cell.panel.name == "cr"))
    folds = [
        dataclasses.replace(
            run, id=f"fold{fold}", settings={**run.settings, "protocol.fold": fold},
            metrics={"test/accuracy": 80.0 + fold},
        )
        for fold in range(10)
    ]  # fmt: skip
    (shown,) = (shown for shown in build(spec, "paper", folds).rows if shown.name == "disan")
    return shown


@pytest.mark.parametrize(
    ("printed", "margin", "expected"),
    [
        (88.3, 1.0, "undecided"),
        (80.7, 1.0, "undecided"),
        (89.5, 1.0, "below"),
        (79.5, 1.0, "above"),
        (84.5, 2.5, "undecided"),
        (84.5, 3.2, "within"),
    ],
)
def test_folds_are_not_taken_for_independent_runs(ten_folds, printed, margin, expected):
    """By hand: t(0.975, 9) = 2.262; times 3.028 sqrt(1/10 + 1/10 + 2/9) it is 4.45, and 3.06 without the 2/9; times
    3.028 sqrt(1/10 + 1/9) it is 3.15, and 2.17 without the 1/9."""
    column = dataclasses.replace(load_table("disan/table5").columns["cr"], margin=margin)
    line = with_printed(ten_folds, "cr", PrintedValue(value=printed, of="mean"))
    assert line.finding("cr", column) == Finding(expected)
