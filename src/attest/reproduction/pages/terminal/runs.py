"""The list of runs that `attest runs` prints, or writes to a file."""

import json
from collections.abc import Sequence

from attest.config.flat import to_plain
from attest.config.overrides import override_value
from attest.reproduction.pages.numbers import MISSING, format_number
from attest.reproduction.pages.text_table import TextTable
from attest.reproduction.tables.measures import measure_column, measure_of
from attest.reproduction.tables.sweeps import FOLD
from attest.reproduction.tables.varied import (
    complete_settings,
    distinguishing_keys,
    short_key,
    short_value,
    varied_keys,
)
from attest.runs.identity import REPLICATE_KEYS
from attest.runs.progress import format_duration
from attest.runs.records import Record

MIN_SETTINGS, MAX_SETTINGS = 6, 8
"""The number of settings that have a column, and that of settings that have one if they tell runs apart; further ones
are named below the list."""
MAX_VALUE_LENGTH, MAX_REASON_LENGTH = 30, 60
"""The number of characters of a setting, and of the reason of a failure, that are shown."""


def run_table(runs: Sequence[Record]) -> tuple[TextTable, list[str]]:
    """Return the table of runs, with a column for each setting in which they differ, and the keys without a column."""
    settings = complete_settings(runs)
    keys = varied_keys(settings, REPLICATE_KEYS)
    folds = [key for key in varied_keys(settings) if key == FOLD]
    told = distinguishing_keys(settings, keys, MIN_SETTINGS, MAX_SETTINGS)
    shown = [*told, *folds, "seed"]
    columns = {key: [own.get(key, MISSING) for own in settings] for key in shown}
    failed = any(record.status == "failed" for record in runs)
    labelled = any(record.label.row for record in runs)
    names = ["run", "ended (UTC)", *["status", "reason"] * failed, *["row"] * labelled, *map(short_key, shown)]
    rows = [
        [
            record.id,
            record.finished.replace("T", " ")[:16],
            *[record.status, truncate(record.reason, MAX_REASON_LENGTH)] * failed,
            *[record.label.row] * labelled,
            *(truncate(override_value(short_value(key, own.get(key, MISSING), columns[key]))) for key in shown),
            *(format_split(record, split) for split in ("dev", "test")),
            MISSING if record.cost is None else format_duration(record.cost.wall_seconds),
        ]
        for record, own in zip(runs, settings, strict=True)
    ]
    return TextTable([*names, "dev", "test", "time"], rows, len(names)), [key for key in keys if key not in told]


def complete_run_table(runs: Sequence[Record]) -> TextTable:
    """Return the table of runs with all their settings and metrics, for programs that read it."""
    settings = complete_settings(runs)
    keys = list(dict.fromkeys(key for own in settings for key in own))
    metrics = sorted({name for record in runs for name in record.metrics})
    head = ["run", "status", "ended", "table", "row", "reason", "step", "seconds", "commit", *keys, *metrics]
    rows = [
        [
            *(record.id, record.status, record.finished, record.label.table, record.label.row, record.reason),
            *map(plain_text, (record.selected.get("step"), None if record.cost is None else record.cost.wall_seconds)),
            plain_text(record.environment.get("commit")),
            *(plain_text(own.get(key)) for key in keys),
            *(plain_text(record.metrics.get(name)) for name in metrics),
        ]
        for record, own in zip(runs, settings, strict=True)
    ]
    return TextTable(head, rows, len(head))


def plain_text(value: object) -> str:
    """Return a value as a cell of a CSV file: empty for None, a text as it is, anything else as JSON."""
    return "" if value is None else value if isinstance(value, str) else json.dumps(to_plain(value), ensure_ascii=False)


def truncate(text: str, length: int = MAX_VALUE_LENGTH) -> str:
    """Return the beginning of a long text."""
    return text if len(text) <= length else f"{text[: length - 1]}\N{HORIZONTAL ELLIPSIS}"


def format_split(record: Record, split: str) -> str:
    """Return the figure of a run on a split: an accuracy in per cent, or a correlation."""
    column = measure_column(split, measure_of(record))
    value = record.metrics.get(column.metric)
    return MISSING if value is None else format_number(value, column)
