"""The number of runs behind the figures of a row, as text."""

from attest.reproduction.plurals import pluralize
from attest.reproduction.specs.columns import Column
from attest.reproduction.specs.metric_names import TRANSFER, is_count
from attest.reproduction.tables.panel_result import PanelResult


def replicates_text(result: PanelResult) -> str:
    """Return the number of runs behind the figures, as in "3 of 5 runs"; empty if none has run.

    Where fewer runs have a transfer evaluation than were trained, this is "3 of 5 runs evaluated; 5 trained", or, if
    other columns have figures of all, "5 of 5 runs; 3 of 5 evaluated by transfer".
    """
    evaluated = partial_evaluations(result)
    if evaluated is None:
        return result.replicates_text
    wanted, noun = result.panel.replicates.count(result.cell.settings.scale), result.panel.replicates.noun
    if result.shows_transfer_alone:
        return f"{evaluated} of {wanted} {noun} evaluated; {len(result.records)} trained"
    return f"{result.replicates_text}; {evaluated} of {wanted} evaluated by transfer"


def partial_evaluations(result: PanelResult) -> int | None:
    """Return the number of evaluated runs if only some of the runs are evaluated by transfer, 0 if none is.

    None if all are, or if no column shows such evaluations.
    """
    return None if result.evaluated_runs in (None, len(result.records)) else result.evaluated_runs


def differing_run_count(result: PanelResult, column: Column) -> str:
    """Return the number of runs behind our figure in a column, as in "1 run", if the status names another number; else
    an empty text."""
    ours = result.our_value(column)
    if ours is None or is_count(column.metric):
        return ""
    evaluated = partial_evaluations(result) if column.metric.startswith(TRANSFER) else None
    named = len(result.records) if evaluated is None else evaluated
    return "" if ours.n == named else pluralize(ours.n, result.panel.replicates.noun.removesuffix("s"))
