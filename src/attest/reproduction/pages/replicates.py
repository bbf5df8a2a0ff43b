"""The number of runs behind the figures of a row, as text."""

from attest.reproduction.tables.panel_result import PanelResult


def replicates_text(result: PanelResult) -> str:
    """Return the number of runs behind the figures, as in "3 of 5 runs"; empty if none has run.

    Where fewer runs have a transfer evaluation than were trained, this is "3 of 5 runs evaluated; 5 trained", or, if
    other columns have figures of all, "5 of 5 runs; 3 of 5 evaluated by transfer".
    """
    evaluated = lacking_evaluations(result)
    if evaluated is None:
        return result.replicates_text
    wanted, noun = result.panel.replicates.count(result.cell.settings.scale), result.panel.replicates.noun
    if result.shows_transfer_alone:
        return f"{evaluated} of {wanted} {noun} evaluated; {len(result.records)} trained"
    return f"{result.replicates_text}; {evaluated} of {wanted} evaluated by transfer"


def lacking_evaluations(result: PanelResult) -> int | None:
    """Return the number of runs with a transfer evaluation if others lack one; None if none does or none is shown."""
    return None if result.evaluated in (None, len(result.records)) else result.evaluated
