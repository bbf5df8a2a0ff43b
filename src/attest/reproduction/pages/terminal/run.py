"""One run as text for the terminal: its rows, settings, deviations, figures, provenance and files."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attest.config.overrides import override_value
from attest.errors import escape_unprintable
from attest.reproduction.commands_to_type import train_command
from attest.reproduction.pages.built_in_corpora import built_in_data, reads_built_in_corpus, recorded_scale
from attest.reproduction.plurals import pluralize
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.cells import Cell
from attest.reproduction.tables.finding import REDUCED
from attest.reproduction.tables.run_groups import run_group
from attest.runs.code_history import describe_commits
from attest.runs.devices_used import describe_uses
from attest.runs.progress import format_duration
from attest.runs.records import Record


def render_run(
    record: Record,
    defaults: Mapping[str, Any],
    memberships: Sequence[tuple[str, Cell]],
    files: Sequence[Path],
    command: str = "",
) -> str:
    """Return everything that is known of a run.

    `defaults` are the settings that its command has by default, `memberships` the cells of tables that it belongs to,
    and `command` is what trains or imports a run that belongs to none.
    """
    sections = {
        "rows of tables": [text for name, cell in memberships for text in row_lines(record, name, cell)],
        "command": [command] if command else [],
        "settings that differ from the defaults" if defaults else "settings": list(setting_lines(record, defaults)),
        "other settings of the model": list(model_lines(record, defaults)),
        "figures": [f"{name:<24} {format_metric(value)}" for name, value in record.metrics.items()],
        "training": list(training_lines(record)),
        "data": list(data_lines(record)),
        "provenance": list(provenance_lines(record)),
        "files": [str(path) for path in files],
    }
    lines = [heading(record)]
    for title, texts in sections.items():
        lines += [title, *(f"  {escape_unprintable(text)}" for text in texts)] if texts else []
    return "\n".join(lines)


def heading(record: Record) -> str:
    """Return the line that names the run: its id, kind, scale, status, time, and whether its code was committed."""
    scale = f", scale={name}" if (name := recorded_scale(record)) else ""
    changed = ", with uncommitted changes" if record.uncommitted else ""
    return f"{record.id}: {record.kind}{scale}, {record.status} {record.finished}{changed}".rstrip()


def row_lines(record: Record, table: str, cell: Cell) -> Iterator[str]:
    """Yield the row that a run belongs to, its deviations from the row's settings, and the command that repeats it."""
    replicate, group = cell.panel.replicates.override_of(record.settings), run_group(cell, [record])
    variant = f", {cell.variant}" if cell.variant else ""
    panel = f", {cell.panel.title}" if len(load_table(table).panels(cell.settings.scale)) > 1 else ""
    yield f"{table} {cell.row}{panel}{variant}, {replicate}" + (f": {REDUCED}" if group.reduced else "")
    yield from (f"  {text}" for text in group.deviations)
    yield f"  {train_command(record, cell)}"


def setting_lines(record: Record, defaults: Mapping[str, Any]) -> Iterator[str]:
    """Yield each setting of a run that is not at its default, with the default if there is one."""
    for key, value in record.settings.items():
        if key not in defaults:
            yield f"{key}={override_value(value)}"
        elif defaults[key] != value:
            yield f"{key}={override_value(value)}  (default {override_value(defaults[key])})"


def model_lines(record: Record, defaults: Mapping[str, Any]) -> Iterator[str]:
    """Yield each setting of a run's model that is at its default."""
    for key, value in record.settings.items():
        if key.startswith("model.") and key in defaults and defaults[key] == value:
            yield f"{key}={override_value(value)}"


def format_metric(value: float) -> str:
    """Return the value of a metric with six digits, or a whole number in full."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.6g}"


def training_lines(record: Record) -> Iterator[str]:
    """Yield the checkpoint that was selected, the evaluations, the cost, and the error of a failed run."""
    if record.selected:
        yield f"selected    step {record.selected['step']:,}: {record.selected['rule']}"
    if record.kind == "train" and record.curve:
        count = len(record.curve)
        yield f"evaluated   {pluralize(count, 'time')}, last at step {record.curve[-1]['step']:,}"
    if record.cost is not None:
        wall, steps = (format_duration(seconds) for seconds in (record.cost.wall_seconds, record.cost.step_seconds))
        yield f"time        {wall}, of which {steps} in steps"
        yield f"memory      {record.cost.peak_bytes / 2**20:,.0f} MiB at its peak"
    if record.reason:
        yield f"failed      {record.reason}"


def data_lines(record: Record) -> Iterator[str]:
    """Yield the fingerprint of the data, and the numbers of examples and word vectors beside the official ones."""
    expected = record.data.get("expected", {})
    yield f"fingerprint {record.fingerprint}"
    if imported := record.data.get("imported"):
        yield f"weights     {imported['file']}, by the names of {imported['code']}"
    if built_in := reads_built_in_corpus(record):
        yield f"corpus      {built_in_data(record)}"
    for split, facts in record.data.get("splits", {}).items():
        official = None if built_in else expected.get("splits", {}).get(split)
        if (count := facts.get("labelled", facts.get("used"))) is not None:
            yield f"{split:<11} {count:,} examples" + (f" of {official:,}" if official is not None else "")
        if left_out := facts.get("too_long"):
            yield f"{'':<11} {left_out:,} of them left out, with over {facts['length_limit']:,} tokens"
    if (rows := record.data.get("vectors", {}).get("rows")) is not None:
        official = expected.get("vectors")
        yield f"vectors     {rows:,}" + (f" of {official:,}" if official is not None else "")


def provenance_lines(record: Record) -> Iterator[str]:
    """Yield the versions of the code, the parents, and each fact about the machine and the libraries."""
    yield f"{'versions':<19} {', '.join(f'{name} {number}' for name, number in record.versions.items())}"
    if record.parents:
        yield f"{'computed from':<19} {', '.join(record.parents)}"
    if record.devices:
        yield f"{'trained on':<19} {describe_uses(record.devices)}"
    for name, value in record.environment.items():
        text = describe_commits(value) if name == "commits" else format_fact(value)
        yield f"{name.replace('_', ' '):<19} {text}"


def format_fact(value: Any) -> str:
    """Return a fact about the machine or the libraries as text, such as the version of each package."""
    return (
        ", ".join(f"{key} {item}" for key, item in value.items())
        if isinstance(value, Mapping)
        else override_value(value)
    )
