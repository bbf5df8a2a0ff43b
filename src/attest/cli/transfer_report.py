"""The lines that attest transfer prints: its data, the figures of each task, and the limits of all figures."""

import sys
from collections.abc import Iterator

from attest.data.mini.provide import reads_built_in_data
from attest.reproduction.pages.built_in_corpora import built_in_tasks
from attest.runs.records import Record
from attest.transfer import Outcome
from attest.transfer.fits import fit_count
from attest.transfer.settings import TransferCommand

BUILT_IN = "; scale=mini: figures on built-in corpora say nothing about SentEval's; scale=paper reads its files"
"""The end of the last line of an evaluation on built-in corpora."""


def start_line(encoder: str, settings: TransferCommand, vectors: str) -> str:
    """Return the line at the start: the scale, the data, and the file of word vectors, "" for an encoder with its own
    vectors. `encoder` is what the user typed."""
    tasks = ", ".join(settings.tasks)
    data = built_in_tasks(settings.tasks) if reads_built_in_data(settings) else f"{tasks} in {settings.paths.data}"
    return f"{encoder}: scale={settings.scale}, {data}" + (f", word vectors {vectors}" if vectors else "")


def print_outcome(outcome: Outcome) -> None:
    """Print the figures of a finished task and the seconds that it took."""
    figures = "  ".join(f"{key} {value:.4g}" for key, value in outcome.metrics.items() if not is_single_set_metric(key))
    seconds = outcome.encoding_seconds + outcome.seconds
    print(f"{outcome.task}: {figures}  {seconds:,.0f} s", file=sys.stderr, flush=True)


def is_single_set_metric(key: str) -> bool:
    """Return whether a metric is that of a single data set of STS14. Only averages over its six sets are printed."""
    return "/" in key and key.rpartition("/")[2] not in ("mean", "weighted", "pearson")


def report_lines(record: Record, settings: TransferCommand) -> Iterator[str]:
    """Yield the lines that the command prints at the end: figures, their limits, and the id and duration of the
    evaluation."""
    for key, value in record.metrics.items():
        if not is_single_set_metric(key.partition("/")[2]):
            yield f"{key:<28} {value:.4g}"
    for split, expected in record.data["expected"]["splits"].items():
        used = record.data["splits"][split]["used"]
        if settings.scale != "mini" and used != expected:
            yield f"{split} has {used:,} of {expected:,} examples"
    for row in record.curve:
        if row["cut_off"]:
            fits = f"{row['cut_off']:,} of {fit_count(row['task'], settings):,} fits"
            yield f"{row['task']}: {fits} ended at the limit of steps before they converged"
    seconds = sum(row["seconds"] + row["encoding_seconds"] for row in record.curve)
    yield f"run {record.id}, {seconds:,.0f} s" + (BUILT_IN if reads_built_in_data(settings) else "")
