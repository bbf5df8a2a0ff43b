"""Hours of tables, from made-up records and from the tracked ones."""

from dataclasses import replace

import pytest
from places import ROOT
from reproduction.made_up import COST, SPEC, record

from attest.cli import main
from attest.cli.commands.plan import describe_time
from attest.config.compose import compose
from attest.reproduction.pages.hours import hours, render_hours, total_sentence
from attest.reproduction.tables.build import build
from attest.reproduction.tables.hours import RunTime, full_seconds, time_of_rows

STEPS = 400_000


def run(row, seed, steps, seconds, *overrides):
    """A run of some steps that took `seconds`, of which half were steps."""
    cost = replace(COST, step_seconds=seconds / 2, wall_seconds=seconds)
    return record(row, f"seed={seed}", f"protocol.steps={steps}", *overrides, cost=cost, curve=({"step": steps},))


def time_of(row, records):
    table = build(SPEC, "paper", records)
    return time_of_rows([line for line in table.rows if line.name == row], "paper")


def test_a_row_without_records_is_not_timed():
    assert time_of("disan", []) == RunTime(runs=5)


def test_shorter_runs_predict_the_hours_of_all_seeds():
    paper = record("disan").settings["protocol.steps"]
    assert paper == STEPS
    assert time_of("disan", [run("disan", 1, STEPS // 100, 10.0)]) == RunTime(runs=5, timed=5, predicted=5000.0)


def test_the_median_counts_since_some_runs_were_paused():
    runs = [run("disan", seed, STEPS // 100, seconds) for seed, seconds in ((1, 10.0), (2, 12.0), (3, 900.0))]
    assert time_of("disan", runs).predicted == pytest.approx(6000)


def test_runs_with_all_steps_are_measured_and_go_before_shorter_ones():
    runs = [run("disan", 1, STEPS, 1100.0), run("disan", 2, STEPS // 100, 1.0)]
    assert time_of("disan", runs) == RunTime(runs=5, timed=5, measured=pytest.approx(5500.0))


def test_a_protocol_of_epochs_takes_the_official_number_of_examples():
    run = record("disan", cost=COST, curve=({"step": 10},))
    protocol = replace(compose([]).protocol, steps=None, epochs=3.0)
    assert full_seconds(run, protocol) == 3 * 600.0 * 4.0
    assert full_seconds(replace(run, cost=None), protocol) is None


def test_hours_have_two_digits():
    assert [hours(seconds) for seconds in (0, 36, 3600, 3600 * 12.4, 3600 * 1234)] == [
        "",
        "< 0.1",
        "1.0",
        "12",
        "1,200",
    ]


def test_the_page_adds_up_tables():
    runs = [run("disan", 1, STEPS // 100, 36.0)]
    page = render_hours([build(SPEC, "paper", [*runs, run("s2t", 1, STEPS, 3600.0)])])
    assert "| [disan/table1](disan/table1.md) | 55 | 5.0 | 5.0 | 45 runs |" in page
    assert "| All | 55 | 5.0 | 5.0 | 45 runs |" in page
    assert "\nAll timed runs together take about 10 h; 45 more are not timed.\n" in page


def test_the_total_is_rounded_to_two_digits():
    time = RunTime(runs=3, timed=3, measured=59.4 * 3600, predicted=5706.0 * 3600)
    assert total_sentence(time) == "All runs together take about 5,800 h."
    assert total_sentence(RunTime(runs=3)) == "All timed runs together take about 0 h; 3 more are not timed."


def test_runs_that_rows_or_tables_share_count_once():
    table = build(SPEC, "paper", [run("disan", 1, STEPS, 3600.0)])
    (disan,) = (line for line in table.rows if line.name == "disan")
    assert time_of_rows([disan, disan], "paper") == RunTime(runs=5, timed=5, measured=pytest.approx(5 * 3600.0))
    assert "| All | 55 | 5.0 |  | 50 runs |" in render_hours([table, table])


def test_threads_and_number_formats_are_counted_from_the_records():
    table = build(SPEC, "paper", [run("disan", 1, STEPS, 3600.0)])
    assert "- Of the 1 run behind these hours, " in render_hours([table, table])
    assert "behind these hours" not in render_hours([build(SPEC, "paper", [])])


def test_the_command_prints_the_answer_and_the_rows_whose_sum_the_tracked_page_has_in_any_home(home, capsys):
    assert main(["plan", "psan/table5"]) == 0
    answer, *lines = capsys.readouterr().out.splitlines()
    _, _, *rows, total = (line for line in lines if line.startswith("|"))
    assert len(rows) == 3
    page = (ROOT / "results/hours.md").read_text()
    assert total.replace("| All |", "| [psan/table5](psan/table5.md) |") in page
    measured = total.split("|")[3].strip()
    assert answer == (
        f"psan/table5 at scale=paper: about {measured} hours for 15 runs, one after another on a processor (measured)"
    )


def test_the_answer_says_which_times_are_known():
    assert describe_time(RunTime(runs=1)) == "no time is known yet of its 1 run"
    half = RunTime(runs=3, timed=2, measured=3600.0)
    assert describe_time(half) == (
        "about 1.0 hours for 2 runs, one after another on a processor (measured); 1 more is not timed"
    )
    quick = RunTime(runs=1, timed=1, predicted=9.0, measured=9.0)
    assert describe_time(quick).startswith("under 0.1 hours for 1 run, one after another on a processor (partly predic")
