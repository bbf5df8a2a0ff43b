"""Learning curves of several runs, at the steps at which all of them were evaluated.

Legend: R runs, C steps.
"""

from collections.abc import Iterable

import numpy as np

from attest.runs.records import Record


def shared_curves(runs: Iterable[Record], metric: str) -> tuple[list[int], np.ndarray]:
    """Return the steps at which all runs were evaluated, and the metric of each run (R, C) at these steps."""
    curves = [curve_by_step(record, metric) for record in runs]
    steps = sorted(set[int].intersection(*map(set, curves))) if curves else []
    return steps, np.array([[curve[step] for step in steps] for curve in curves])


def curve_by_step(record: Record, metric: str) -> dict[int, float]:
    """Return the metric of a run by the step at which it was measured."""
    return {int(entry["step"]): float(entry[metric]) for entry in record.curve if metric in entry}
