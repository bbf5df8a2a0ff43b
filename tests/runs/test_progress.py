import io
from contextlib import nullcontext
from types import SimpleNamespace

import pytest
from rich.console import Console
from system.closed_terminals import on_closed_terminal

from attest.runs import progress as module
from attest.runs.progress import ProgressBar, ProgressLines, format_dev_score, format_duration, observe_progress
from attest.training import run

ENTRY = {"step": 50, "epoch": 0.5, "train/loss": 0.75, "dev/accuracy": 61.25}


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still unless the test moves it."""
    still = SimpleNamespace(now=100.0)
    monkeypatch.setattr(module.time, "perf_counter", lambda: still.now)
    return still


def test_lines_hold_what_one_wants_to_know(clock, capsys):
    lines = ProgressLines("disan seed=1", 200)
    clock.now += 11
    lines.step(1)
    clock.now += 49
    lines.evaluated(ENTRY)
    said = capsys.readouterr().err
    assert said == "disan seed=1  step 50/200  epoch 0.5  loss 0.7500  dev 61.25  1:00 elapsed, 2:30 left\n"


def test_the_estimate_of_a_resumed_run_counts_its_own_steps(clock, capsys):
    """And only the time from the first of them on: reading the checkpoint and the data may take longer."""
    lines = ProgressLines("disan", 200)
    clock.now += 600
    lines.step(40)
    clock.now += 10
    lines.evaluated(ENTRY)
    assert "10:10 elapsed, 2:30 left" in capsys.readouterr().err  # a step a second, 150 to go


def test_a_run_that_is_resumed_right_before_a_look_at_dev_has_no_estimate(clock, capsys):
    lines = ProgressLines("disan", 200)
    clock.now += 5
    lines.step(50)
    lines.evaluated(ENTRY)
    assert capsys.readouterr().err.endswith("0:05 elapsed\n")


@pytest.mark.parametrize(
    ("terminal", "alone", "kind"),
    [(True, True, ProgressBar), (True, False, ProgressLines), (False, True, ProgressLines)],
)
def test_a_bar_on_a_terminal_of_ones_own(terminal, alone, kind, monkeypatch):
    monkeypatch.setattr(module.sys.stderr, "isatty", lambda: terminal, raising=False)
    monkeypatch.setattr(module, "Console", lambda stderr: Console(file=io.StringIO(), force_terminal=True))
    with observe_progress("disan", 200, alone=alone) as observer:
        observer.step(1)
        observer.evaluated(ENTRY)
    assert type(observer) is kind


def test_clock():
    assert [format_duration(seconds) for seconds in (0.4, 61, 3661)] == ["0:00", "1:01", "1:01:01"]


def test_the_dev_score_is_that_of_the_measure():
    scores = ({"dev/accuracy": 84.206}, {"dev/pearson": 0.80123}, {"dev/loss": 1.0, "dev/macro_f1": 0.71234}, {})
    assert [*map(format_dev_score, scores)] == ["dev 84.21", "dev r 0.8012", "dev macro_f1 0.7123", ""]


def test_a_step_is_told_of_before_the_look_at_dev_after_it(settings_with):
    told = []

    class Watcher:
        def step(self, step, measure):
            told.append(f"step {step}")

        def evaluated(self, entry):
            told.append(f"dev {entry['step']}")

        def finished(self, record):
            told.append("end")

    run.run(settings_with("protocol.steps=2", "protocol.evaluate_every=2"), lambda *_: nullcontext((Watcher(),)))
    assert told == ["step 1", "step 2", "dev 2", "end"]


LINES_ON_A_CLOSED_TERMINAL = """
import os, sys
from attest.runs.progress import ProgressLines

lines = ProgressLines("a run", 4)
os.write(1, b"begun")
sys.stdin.read()
for step in (2, 4):
    lines.evaluated({"step": step, "epoch": 1.0, "train/loss": 1.0, "dev/accuracy": 50.0})
"""


def test_lines_on_a_terminal_that_was_closed_end_no_run():
    with on_closed_terminal(LINES_ON_A_CLOSED_TERMINAL, b"begun") as process:
        process.stdin.close()
        assert process.wait(60) == 0
