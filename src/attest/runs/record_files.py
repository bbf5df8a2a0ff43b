"""The files of records: reading them, those of earlier versions too, and what is wrong with one that is damaged."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from attest.config.earlier_class_names import current_class_name
from attest.config.earlier_setting_names import current_settings
from attest.config.schema import convert, from_plain
from attest.errors import RecordError, SettingsError
from attest.runs.records import RECORD_SCHEMA, Record
from attest.system.failures import raise_if_machine_failed
from attest.system.files import file_version

REMEDY = "remove it to run its experiment again"
"""The advice on a damaged file of a record."""
SELECTED = {"step": int, "rule": str}
"""The types of the facts in the field `selected` of a record."""
MAX_RECORDS = 100_000
"""The largest number of parsed records that a process keeps in memory: more than a store has, since commands read it
several times."""


def read_record(path: Path) -> Record:
    """Return the record in a file; a process parses an unchanged file only once.

    Raise RecordError if the file is damaged, is named after another run, or comes from a newer version, and
    MachineError if the disk cannot be read.
    """
    try:
        return parsed_record(path, *file_version(path))
    except OSError as error:
        raise_if_machine_failed(error)
        raise damaged_record_error(path, error) from error


@lru_cache(maxsize=MAX_RECORDS)
def parsed_record(path: Path, *version: int) -> Record:
    """Return the record in a file; `version` is the key of the cache, which changes when the file is written."""
    try:
        record = record_from(path, json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError) as error:
        raise_if_machine_failed(error)
        raise damaged_record_error(path, error) from error
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
        record = from_plain(Record, with_current_names(data))
        check_stored(record)
    except (ValueError, SettingsError) as error:
        raise damaged_record_error(path, error, remedy) from error
    return record


def check_stored(record: Record) -> None:
    """Raise SettingsError if a record has an id, a status or a selected step that no stored record has."""
    if not (record.id.isascii() and record.id.isalnum()):
        raise SettingsError(f"id: expected letters and digits, got {record.id!r}")
    convert(record.status, Literal["done", "failed"], "status")
    for key, hint in SELECTED.items():
        if key in record.selected:
            convert(record.selected[key], hint, f"selected.{key}")


def with_current_names(data: Any) -> Any:
    """Return the JSON data of a record with earlier names of settings and classes replaced by the current ones."""
    if not isinstance(data, dict) or not isinstance(data.get("settings"), dict):
        return data
    settings = {
        key: current_class_name(value) if key.endswith("._target_") and isinstance(value, str) else value
        for key, value in current_settings(data["settings"]).items()
    }
    return {**data, "settings": settings}


def damaged_record_error(path: Path, error: Exception, remedy: str = REMEDY) -> RecordError:
    """Return the error for a file that cannot be read as a record."""
    return RecordError(f"{path}: not a readable record ({error}); {remedy}")
