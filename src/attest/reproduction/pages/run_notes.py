"""The notes on the runs of a row: on which devices and by which commits they were trained, and whether they learned
nothing but a label."""

from collections.abc import Iterable, Iterator, Sequence

from attest.reproduction.pages.markdown_parts import escape_markdown
from attest.reproduction.specs.metric_names import COST, is_count
from attest.reproduction.tables.one_label import ACCURACY, gives_one_label
from attest.reproduction.tables.panel_result import PanelResult
from attest.reproduction.tables.table import Table
from attest.reproduction.tables.timed_runs import gpus_used, runs_with_times
from attest.runs.code_history import describe_commits
from attest.runs.devices_used import describe_uses, has_moved
from attest.runs.records import Record


def run_notes(result: PanelResult) -> Iterator[str]:
    """Yield the notes on the runs that a row shows in one panel; none of counts, which no run changes."""
    yield from device_notes(result.records)
    yield from commit_notes(result.records)
    if any(name.startswith(COST) for name in result.panel.metrics):
        yield from time_notes(result.records)


def device_notes(records: Iterable[Record]) -> list[str]:
    """Return a sentence on each run that was trained on more than one device."""
    return [
        f"{record.id} was trained on {escape_markdown(describe_uses(record.devices))}; devices differ in rounding."
        for record in records
        if has_moved(record.devices)
    ]


def commit_notes(records: Iterable[Record]) -> list[str]:
    """Return a sentence on each run that code of more than one commit trained."""
    return [
        f"{record.id} was trained by the code of more than one commit: {describe_commits(record.commits)}."
        for record in records
        if record.commits
    ]


def time_notes(records: Sequence[Record]) -> list[str]:
    """Return a sentence on the runs on GPUs, whose times are not averaged with those of runs on a CPU."""
    gpus = escape_markdown(", ".join(gpus_used(records)))
    if not gpus:
        return []
    timed = runs_with_times(records)
    if len(timed) == len(records):
        return [f"its times are those of {gpus}, and not of a CPU."]
    return [f"its times are those of {len(timed)} of {len(records)} runs; the others were trained on {gpus}."]


def one_label_notes(table: Table) -> list[str]:
    """Return a sentence on the runs of a table that have learned nothing but a label, in a list; empty if none has."""
    results = [result for row in table.rows for result in row.results]
    measured = [result for result in results if not all(map(is_count, result.panel.metrics))]
    shares: dict[float, dict[str, None]] = {}
    for result in measured:
        for record in result.records:
            if gives_one_label(record, table.look_up_predictions):
                shares.setdefault(record.metrics[ACCURACY], {})[record.id] = None
    runs = "; ".join(f"{', '.join(ids)} ({share:.1f}%)" for share, ids in sorted(shares.items()))
    text = f"These runs give every test item the same label, so that their accuracy is its share: {runs}."
    return [text] if runs else []
