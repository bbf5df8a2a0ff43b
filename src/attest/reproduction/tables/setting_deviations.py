"""The settings of a run that deviate from those of its cell, as texts."""

from collections.abc import Iterator, Mapping
from typing import Any

from attest.config.overrides import override_value
from attest.reproduction.tables.allowed_deviations import is_below
from attest.reproduction.tables.cells import Cell
from attest.reproduction.tables.data_deviations import vectors_deviation
from attest.runs.records import Record

NULL_TEXTS = {"protocol.evaluate_every": "every epoch"}
"""The dotted key of a setting -> the meaning of null."""
LIMITED = {
    "protocol.steps": "steps",
    "protocol.epochs": "epochs",
    "protocol.examples": "training examples",
    "text.token_limit": "words a sentence",
}
"""The dotted key of a limit, where null is no limit -> what it limits."""
OTHER_LENGTH = {"protocol.steps": "protocol.epochs", "protocol.epochs": "protocol.steps"}
"""The key of a limit of training -> the key of the same limit in the other unit."""
TRAINING_ROOTS = ("optimizer", "protocol", "trainer", "vectors")
"""The roots of settings that change no count of examples, phrases or parameters."""


def setting_deviations(record: Record, cell: Cell) -> dict[str, str]:
    """Return the settings in which a run deviates from its cell, as texts by the key of the setting."""
    actual, wanted = cell.settings_of(record), cell.shared_settings
    texts = {}
    for key, value in sorted(wanted.items()):
        if actual.get(key) == value:
            continue
        other = OTHER_LENGTH.get(key)
        if other and value is None and wanted.get(other) is not None:
            texts[key] = f"{format_length(record, key, actual[key])} instead of {counted_limit(other, wanted[other])}"
        elif not (other and actual.get(key) is None and wanted.get(other) is None):  # else `other` names both limits
            texts[key] = format_deviation(key, actual.get(key), value)
    return texts


def experiment_deviations(record: Record, cell: Cell) -> Iterator[str]:
    """Yield the limits of a run that are below those of the experiment that stands for the paper's, as texts."""
    actual = cell.settings_of(record)
    for key, value in cell.panel.paper_budget.items():
        if is_below(actual.get(key), value):
            limit = format_limit(record, actual, key)
            yield f"{limit} instead of {value:,.10g} (our experiment for the paper's table)"


def training_deviations(record: Record, cell: Cell) -> set[str]:
    """Return those deviations of a run that change no count: of its training and of its word vectors."""
    settings = setting_deviations(record, cell)
    texts = {text for key, text in settings.items() if key.partition(".")[0] in TRAINING_ROOTS}
    return texts | {deviation.text for deviation in vectors_deviation(record.data)}


def format_deviation(key: str, actual: Any, wanted: Any) -> str:
    """Return the text of a setting that is not the wanted one: "protocol.steps 200 instead of 400,000", or, of a limit
    where the table has none, "at most 400 words a sentence (text.token_limit), where the table has no limit"."""
    if key in LIMITED and wanted is None:
        return f"at most {format_setting(key, actual)} {LIMITED[key]} ({key}), where the table has no limit"
    if key in LIMITED and actual is None:
        return f"no limit of {LIMITED[key]} ({key}) instead of {format_setting(key, wanted)}"
    return f"{key} {format_setting(key, actual)} instead of {format_setting(key, wanted)}"


def format_length(record: Record, key: str, limit: float) -> str:
    """Return the text of a limit of training in both units, "protocol.epochs 4.0 (8,984 steps)"; in its own unit alone
    if the run has left no curve."""
    text = f"{key} {format_setting(key, limit)}"
    if not record.curve:
        return text
    last = record.curve[-1]
    if key == "protocol.epochs":
        return f"{text} ({round(limit * last['step'] / last['epoch']):,} steps)"
    return f"{text} ({limit * last['epoch'] / last['step']:.1f} epochs)"


def format_limit(record: Record, actual: Mapping[str, Any], key: str) -> str:
    """Return the text of a limit of training: "protocol.epochs 20", or "3.0 epochs (10,500 steps)" if the limit of
    steps ends the run before that of epochs."""
    steps = actual.get("protocol.steps")
    if key == "protocol.epochs" and steps is not None and record.curve:
        last = record.curve[-1]
        if (epochs := steps * last["epoch"] / last["step"]) < actual[key]:
            return f"{epochs:.1f} epochs ({steps:,} steps)"
    return f"{key} {actual[key]:,.10g}"


def counted_limit(key: str, limit: float) -> str:
    """Return a limit with its unit, such as "100 epochs"."""
    return f"{limit:,.10g} {LIMITED[key]}"


def format_setting(key: str, value: Any) -> str:
    """Return the text of a setting's value."""
    if value is None:
        return NULL_TEXTS.get(key, "null")
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else override_value(value)
