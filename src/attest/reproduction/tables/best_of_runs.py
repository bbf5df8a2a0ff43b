"""The best of several of our runs, to compare with a paper's figure that is the best of as many runs."""

from collections.abc import Mapping, Sequence


def bests_of_settings(by_setting: Sequence[Mapping[int, float]], lower: bool) -> tuple[float, ...]:
    """Return the best figure over the settings of a search, for each replicate that all of them have.

    `by_setting` holds, for each setting, the figure of each replicate. `lower`: whether lower figures are better.
    """
    shared = set[int].intersection(*map(set, by_setting)) if by_setting else set[int]()
    best = min if lower else max
    return tuple(best(figures[replicate] for figures in by_setting) for replicate in sorted(shared))


def bests_of_runs(values: Sequence[float], runs: int, lower: bool) -> tuple[float, ...]:
    """Return the best figure of each `runs` runs in a row; a last group with fewer than `runs` is left out."""
    best = min if lower else max
    return tuple(best(values[start : start + runs]) for start in range(0, len(values) - runs + 1, runs))
