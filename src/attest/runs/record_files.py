"""The files of records: reading them, those of earlier versions too, and what is wrong with one that is damaged."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from attest.config.moved import present_class_name
from attest.config.renamed import present_settings
from attest.config.schema import convert, from_plain
from attest.errors import RecordError, SettingsError
from attest.runs.records import RECORD_SCHEMA, Record
from attest.system.failures import raise_machine_error

REMEDY = "remove it to run its experiment again"
"""The advice on a damaged file of a record."""
SELECTED = {"step": int, "rule": str}
"""The types of the facts in the field `selected` of a record."""
MOST_RECORDS = 100_000
"""The number of records that a process keeps: more than a store has, since commands go through it several times."""


def read_record(path: Path) -> Record:
    """Return the record in a file; a process parses an unchanged file only once.

    Raise RecordError if the file is damaged, is named after another run, or comes from a newer version, and
    MachineError if the disk does not give it.
    """
    try:
        return parsed_record(path, *state_of(path))
    except OSError as error:
        raise unreadable(path, error) from error


def state_of(path: Path) -> tuple[int, int, int]:
    """Return what changes when a file is written: its inode, the time of its last change, and its size."""
    state = path.stat()
    return state.st_ino, state.st_mtime_ns, state.st_size


@lru_cache(maxsize=MOST_RECORDS)
def parsed_record(path: Path, *state: int) -> Record:
    """Return the record in a file; `state` is the key of the cache, which changes when the file is written."""
    try:
        record = record_from(path, json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError) as error:
        raise unreadable(path, error) from error
    if record.id != path.stem:
        raise RecordError(f"{path}: holds the record of run {record.id}; rename it to {record.id}.json")
    return record


def record_from(path: Path, data: Any, remedy: str = REMEDY) -> Record:
    """Return the record that a file holds as JSON data; raise RecordError if it is none, or that of a newer version.

    `remedy` says what to do with a damaged file.
    """
    if isinstance(data, dict) and isinstance(schema := data.get("schema"), int) and schema > RECORD_SCHEMA:
        raise RecordError(f"{path}: written by a newer version of Attest (schema {schema}); update Attest")
    try:
        record = from_plain(Record, with_present_names(data))
        check_stored(record)
    except (ValueError, SettingsError) as error:
        raise unreadable(path, error, remedy) from error
    return record


def check_stored(record: Record) -> None:
    """Raise SettingsError if a record has an id, a status or a selected step that no stored record has."""
    if not (record.id.isascii() and record.id.isalnum()):
        raise SettingsError(f"id: expected letters and digits, got {record.id!r}")
    convert(record.status, Literal["done", "failed"], "status")
    for key, hint in SELECTED.items():
        if key in record.selected:
            convert(record.selected[key], hint, f"selected.{key}")


def with_present_names(data: Any) -> Any:
    """Return the JSON data of a record with earlier names of settings and classes replaced by the current ones."""
    if not isinstance(data, dict) or not isinstance(data.get("settings"), dict):
        return data
    settings = {
        key: present_class_name(value) if key.endswith("._target_") and isinstance(value, str) else value
        for key, value in present_settings(data["settings"]).items()
    }
    return {**data, "settings": settings}


def unreadable(path: Path, error: Exception, remedy: str = REMEDY) -> RecordError:
    """Return the error for a file that is no record; raise MachineError if it was the disk that did not give it."""
    raise_machine_error(error)
    return RecordError(f"{path}: not a readable record ({error}); {remedy}")
