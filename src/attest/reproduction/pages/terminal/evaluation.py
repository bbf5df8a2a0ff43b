"""The evaluation of a run on a file as text for the terminal: its metrics, and its labels beside those of the file.

Legend: G labels of the file, C classes of the run.
"""

from collections.abc import Iterator

import numpy as np

from attest.data.splits.split import POOL, SPLITS
from attest.inference.evaluation import Evaluation
from attest.reproduction.pages.numbers import MISSING
from attest.reproduction.pages.text_table import TextTable, for_output
from attest.reproduction.plurals import pluralize
from attest.reproduction.tables.item_intervals import INTERVALS
from attest.runs.records import Record

INTERVAL_TITLE = "95% interval"
MAX_CLASSES = 12
"""The largest number of classes whose predictions have a column each."""


def render_evaluation(evaluation: Evaluation, record: Record, file: str, sha256: str) -> str:
    """Return the report of an evaluation on the file of this name, whose content has this hash."""
    without = f"; {evaluation.unlabelled:,} without a label do not count" if evaluation.unlabelled else ""
    lines = [f"{file}: {pluralize(evaluation.examples, 'example')}{without}", *own_file_lines(record, sha256), ""]
    tables = [metric_table(evaluation), *value_tables(evaluation), *label_tables(evaluation)]
    return "\n".join([*lines, "\n\n".join(map(for_output, tables))])


def own_file_lines(record: Record, sha256: str) -> Iterator[str]:
    """Yield a line on the splits of the run's own data that the file holds, if there are any: whether the run was
    trained on them."""
    trained = {SPLITS[0]: "on which it was trained", POOL: "on a part of which it was trained"}
    splits = [split for split, facts in record.data.get("splits", {}).items() if facts.get("sha256") == sha256]
    if len(splits) == 1:
        (split,) = splits
        yield f"this is the run's own file of {split}, {trained.get(split, 'whose figures its record holds')}"
    elif splits:
        yield f"this file holds the run's own {', '.join(splits)}; read in its own format, only its test set counts"


def metric_table(evaluation: Evaluation) -> TextTable:
    """Return the metrics with their intervals over examples."""
    head = ["metric", "value", INTERVAL_TITLE]
    return TextTable(head, [metric_row(evaluation, name, value) for name, value in evaluation.metrics.items()])


def metric_row(evaluation: Evaluation, name: str, value: float) -> list[str]:
    """Return the name of a metric, its value, and its interval, if there is a method for it."""
    decimals = 2 if name == "accuracy" else 4
    interval_of = INTERVALS.get(name)
    interval = interval_of(evaluation.gold_N, evaluation.predicted_N) if interval_of else None
    text = " to ".join(f"{bound:.{decimals}f}" for bound in interval) if interval else MISSING
    return [metric_title(name), f"{value:.{decimals}f}", text]


def metric_title(name: str) -> str:
    """Return the name of a metric with its unit."""
    return f"{name} (%)" if name == "accuracy" else name


def value_tables(evaluation: Evaluation) -> Iterator[TextTable]:
    """Yield a table with a row of metrics for each value of the column by which the examples are grouped, and one for
    all examples. Yield nothing without such a column."""
    if evaluation.grouping is None:
        return
    head = [evaluation.grouping.column, "examples"]
    for name in evaluation.metrics:
        head += [metric_title(name), INTERVAL_TITLE] if name in INTERVALS else [metric_title(name)]
    parts = [*evaluation.by_value.items(), ("all", evaluation)]
    rows = [[value or MISSING, f"{len(part.lines_N):,}", *metric_cells(part)] for value, part in parts]
    yield TextTable(head, rows)


def metric_cells(evaluation: Evaluation) -> Iterator[str]:
    """Yield the value of each metric, followed by its interval if there is a method for it."""
    for name, value in evaluation.metrics.items():
        yield from metric_row(evaluation, name, value)[1 : None if name in INTERVALS else 2]


def label_tables(evaluation: Evaluation) -> Iterator[TextTable]:
    """Yield a table with a row for each label that the file has: how many examples are right, and what the run says of
    them. Yield nothing for scores."""
    if evaluation.labels is None:
        return
    classes = evaluation.labels.classes
    shown = classes if len(classes) <= MAX_CLASSES else ()
    right_N = evaluation.gold_N == evaluation.predicted_N
    rows = []
    for number, name in enumerate(evaluation.labels.names):
        has_label_N = evaluation.label_numbers_N == number
        if total := int(has_label_N.sum()):
            counts_C = np.bincount(evaluation.predicted_N[has_label_N], minlength=len(classes))
            predicted = [f"{count:,}" for count in counts_C[: len(shown)]]
            rows.append([name, f"{total:,}", f"{100 * right_N[has_label_N].mean():.2f}", *predicted])
    yield TextTable(["label", "examples", "right (%)", *(f"as {label}" for label in shown)], rows)
