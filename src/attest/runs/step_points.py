"""Points of a run's training curve between evaluations, at most one a second."""

import time

from attest.runs.observers import MeasureStep, StepFigures

POINT_SECONDS = 1.0
"""The least number of seconds between two points: a point waits for the device, and a service limits its requests."""


class StepPoints:
    """Measures training steps, at most one in POINT_SECONDS."""

    def __init__(self) -> None:
        self.measured_at = float("-inf")
        self.previous: StepFigures | None = None

    def next_point(self, measure: MeasureStep | None) -> dict[str, float] | None:
        """Return the figures of the last step by name, or None if the last point is too recent.

        train/examples_per_second counts the time of steps alone, without evaluation, since the last point.
        """
        now = time.monotonic()
        if measure is None or now - self.measured_at < POINT_SECONDS:
            return None
        figures, previous = measure(), self.previous
        self.measured_at, self.previous = now, figures
        point = {"train/step_loss": figures.loss, "train/lr": figures.lr, "train/grad_norm": figures.grad_norm}
        if previous is not None and figures.seconds > previous.seconds:
            point["train/examples_per_second"] = (figures.examples - previous.examples) / (
                figures.seconds - previous.seconds
            )
        return point
