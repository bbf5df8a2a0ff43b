"""Pairs of runs of two rows with the same seed or fold, and the differences of their figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from attest.reproduction.specs.columns import Column
from attest.reproduction.tables.groups import Group, same_data, same_data_but_vectors
from attest.reproduction.tables.item_errors import PredictionLookup, standard_error
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.statistics import Summary, normal_interval
from attest.runs.records import Record

NOT_RUN = "not run"
OTHER_DATA = "not comparable: other data or another budget"
NO_SHARED_REPLICATE = "not comparable: no replicate that both have"
"""The reasons why two rows have no pairs of runs."""


@dataclass(frozen=True)
class RunPair:
    """Two runs of one replicate, and the difference of their figures."""

    first: Record
    second: Record
    difference: float


def paired_runs(
    first: PanelResult | None, second: PanelResult | None, column: Column, compares_vectors: bool = False
) -> tuple[list[RunPair], str]:
    """Return the pairs of runs of the replicates that both rows have, and the reason if there are none.

    `compares_vectors` is that of the table (see `Spec`).
    """
    if first is None or second is None or first.group is None or second.group is None:
        return [], NOT_RUN
    if not (same_data_but_vectors if compares_vectors else same_data)(first.group, second.group):
        return [], OTHER_DATA
    figures, runs = first.figures_of(first.group, column.metric), runs_by_replicate(first, first.group)
    other_figures, other_runs = second.figures_of(second.group, column.metric), runs_by_replicate(second, second.group)
    pairs = [
        RunPair(runs[number], other_runs[number], figures[number] - other_figures[number])
        for number in sorted(figures.keys() & other_figures.keys())
    ]
    return pairs, "" if pairs else NO_SHARED_REPLICATE


def differences_of(pairs: Sequence[RunPair]) -> Summary:
    """Return the differences of the pairs as replicates of one figure."""
    return Summary(tuple(pair.difference for pair in pairs))


def runs_by_replicate(result: PanelResult, group: Group) -> Mapping[int, Record]:
    """Return the runs of a group by the number of the replicate."""
    return {result.panel.replicates.number(run.settings): run for run in group.records}


def interval_over_items(
    pairs: Sequence[RunPair], column: Column, look_up_predictions: PredictionLookup
) -> tuple[float, float] | None:
    """Return the 95% interval of the mean difference over test items; None if predictions are missing."""
    predictions = [
        (look_up_predictions(pair.first, column.metric), look_up_predictions(pair.second, column.metric))
        for pair in pairs
    ]
    known = [(first, second) for first, second in predictions if first is not None and second is not None]
    if not pairs or len(known) < len(pairs):
        return None
    return normal_interval(differences_of(pairs).mean, standard_error(known, column.metric))
