"""The clock of training steps, which waits for the device only where it is stopped."""

import pytest

from attest.training import step_clock
from attest.training.step_clock import StepClock


@pytest.fixture
def times(monkeypatch):
    """Let time pass by hand: the clock reads times[0]. A wait for the GPU takes 5 seconds."""
    now = [0.0]
    monkeypatch.setattr(step_clock.time, "perf_counter", lambda: now[0])

    def wait(device):
        now[0] += 5.0 if device == "gpu" else 0.0

    monkeypatch.setattr(step_clock, "synchronize", wait)
    return now


def pass_two_steps(clock, times):
    """Make two steps of 2 seconds, each after a second in which its batch is made."""
    for _ in range(2):
        times[0] += 1.0
        clock.begin_step()
        times[0] += 2.0
        clock.end_step()


def test_a_processor_is_not_timed_between_steps(times):
    clock = StepClock("cpu")
    pass_two_steps(clock, times)
    clock.stop()
    assert clock.seconds == 4.0


def test_a_gpu_is_timed_from_the_first_step_until_it_has_finished(times):
    clock = StepClock("gpu")
    pass_two_steps(clock, times)
    assert clock.seconds == 0.0
    clock.stop()
    assert clock.seconds == 2 + 1 + 2 + 5
    clock.stop()
    assert clock.seconds == 10.0
    pass_two_steps(clock, times)
    clock.stop()
    assert clock.seconds == 20.0
