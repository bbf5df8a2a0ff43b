"""Pairs of runs of two rows with the same seed or fold, and the differences of their figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from attest.reproduction.specs.columns import Column
from attest.reproduction.specs.replicates import Replicates
from attest.reproduction.tables.item_errors import PredictionLookup, standard_error
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.run_groups import RunGroup, same_examples, same_words
from attest.reproduction.tables.statistics import Summary, normal_interval
from attest.runs.records import Record

NOT_RUN = "not run"
NOT_COMPARABLE = "not comparable"
OTHER_DATA = f"{NOT_COMPARABLE}: other data"
NO_SHARED_REPLICATE = f"{NOT_COMPARABLE}: no replicate that both have"
"""The reasons why two rows have no pairs of runs; those of `other_deviations` begin with NOT_COMPARABLE too."""


@dataclass(frozen=True)
class RunPair:
    """Two runs of one replicate, and the difference of their figures."""

    first: Record
    second: Record
    difference: float
    second_pair: "RunPair | None" = None
    """The pair of the same replicate in a second column, whose difference is subtracted; None without such a column."""


def paired_runs(
    first: PanelResult | None, second: PanelResult | None, column: Column, compares_vectors: bool = False
) -> tuple[list[RunPair], str]:
    """Return the pairs of runs of the replicates that both rows have, and the reason if there are none.

    `compares_vectors` is that of the table (see `TableSpec`).
    """
    if first is None or second is None or first.group is None or second.group is None:
        return [], NOT_RUN
    if not (same_examples if compares_vectors else same_words)(first.group.records[0], second.group.records[0]):
        return [], OTHER_DATA
    if reason := other_deviations(first.group, second.group):
        return [], reason
    figures, runs = first.values_of(first.group, column.metric), runs_by_replicate(first, first.group)
    other_figures, other_runs = second.values_of(second.group, column.metric), runs_by_replicate(second, second.group)
    pairs = [
        RunPair(runs[number], other_runs[number], figures[number] - other_figures[number])
        for number in sorted(figures.keys() & other_figures.keys())
    ]
    return pairs, "" if pairs else NO_SHARED_REPLICATE


def other_deviations(first: RunGroup, second: RunGroup) -> str:
    """Return the reason why groups with different deviations from the paper may not be compared: the deviations that
    only one of them has. Return an empty text if both have the same."""
    alone = {
        "first": sorted(first.comparable - second.comparable),
        "second": sorted(second.comparable - first.comparable),
    }
    parts = [f"only the {row} has {', '.join(deviations)}" for row, deviations in alone.items() if deviations]
    return f"{NOT_COMPARABLE}: {'; '.join(parts)}" if parts else ""


def paired_with(
    pairs: Sequence[RunPair], others: Sequence[RunPair], replicates: Replicates
) -> tuple[list[RunPair], str]:
    """Return the pairs of one column, each with that of the same replicate in a second column, and the reason if there
    are none."""
    if not same_words(pairs[0].first, others[0].first):
        return [], OTHER_DATA
    by_number = {replicates.number(other.first.settings): other for other in others}
    numbers = [replicates.number(pair.first.settings) for pair in pairs]
    both = [
        replace(pair, second_pair=by_number[number])
        for pair, number in zip(pairs, numbers, strict=True)
        if number in by_number
    ]
    return both, "" if both else NO_SHARED_REPLICATE


def differences_of(pairs: Sequence[RunPair]) -> Summary:
    """Return the differences of the pairs, less those in a second column, as replicates of one figure."""
    return Summary(
        tuple(pair.difference - (pair.second_pair.difference if pair.second_pair else 0.0) for pair in pairs)
    )


def runs_by_replicate(result: PanelResult, group: RunGroup) -> Mapping[int, Record]:
    """Return the runs of a group by the number of the replicate."""
    return {result.panel.replicates.number(run.settings): run for run in group.records}


def interval_over_items(
    pairs: Sequence[RunPair], column: Column, look_up_predictions: PredictionLookup
) -> tuple[float, float] | None:
    """Return the 95% interval of the mean difference over test items; None if predictions are missing."""
    runs = [(pair.first, pair.second) for pair in pairs]
    runs += [
        (pair.second_pair.second, pair.second_pair.first) for pair in pairs if pair.second_pair
    ]  # turned round: they are subtracted
    predictions = [[look_up_predictions(run, column.metric) for run in both] for both in runs]
    known = [(first, second) for first, second in predictions if first is not None and second is not None]
    if not pairs or len(known) < len(runs):
        return None
    columns = len(runs) / len(pairs)  # the mean over all pairs is half of the difference between two columns
    return normal_interval(differences_of(pairs).mean, columns * standard_error(known, column.metric))
