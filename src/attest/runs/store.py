"""Stores of records: folders with a JSON file for each run, and its test predictions in a file beside it.

Copying files merges two stores. Predictions are written before the JSON file, and after the removal of an earlier one,
so a record that can be read is complete.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from functools import lru_cache
from glob import escape
from pathlib import Path

import numpy as np

from attest.config.flat import to_plain
from attest.errors import RecordError, StorageError
from attest.runs.record_files import read_record
from attest.runs.records import Record
from attest.system.arrays import read_arrays, write_arrays
from attest.system.files import discard, file_version, sync_to_disk, write_json
from attest.system.write_errors import translate_write_errors

KIND_NAMES = {"train": "run", "parser": "parser"}
"""The kind of a record -> what error texts call it."""
MODEL_KINDS = ("train", "import")
"""The kinds of records whose runs have a model that encodes sentences."""
SHOWN_IDS = 5
"""The number of ids that an error on an ambiguous beginning of an id names."""


@dataclass(frozen=True)
class Store:
    """A folder of records."""

    folder: Path

    def record_path(self, record_id: str) -> Path:
        """Return the path of the JSON file of a record, which need not exist."""
        return self.folder / f"{record_id}.json"

    def arrays_path(self, record_id: str) -> Path:
        """Return the path of the arrays beside a record, which need not exist."""
        return self.folder / f"{record_id}.npz"

    def get(self, record_id: str) -> Record | None:
        """Return a record by its id, or None if there is none; raise RecordError if it is damaged."""
        path = self.record_path(record_id)
        return read_record(path) if path.is_file() else None

    def __iter__(self) -> Iterator[Record]:
        """Yield all records, sorted by id."""
        if self.folder.is_dir():
            for name in sorted(name for name in os.listdir(self.folder) if name.endswith(".json")):
                yield read_record(self.folder / name)

    def put(self, record: Record, predictions: Mapping[str, np.ndarray] | None = None) -> None:
        """Write the predictions of a record, if it has any, then the record.

        Delete an earlier record of the same id first, so that no record ever stands beside another run's predictions.
        """
        if predictions is not None:
            self.remove(record.id)
            write_arrays(self.arrays_path(record.id), predictions)
        write_json(self.record_path(record.id), to_plain(record))

    def remove(self, record_id: str) -> None:
        """Delete a record, before files that belong to it are replaced; a missing one is no error.

        Raise LeaseLostError, and delete nothing, if this process has lost the lease under which it works.
        """
        path = self.record_path(record_id)
        if not path.is_file():
            return
        with translate_write_errors(path):
            discard(path)
            sync_to_disk(path.parent)

    def arrays(self, record_id: str) -> Mapping[str, np.ndarray]:
        """Return the arrays beside a record by name: test predictions (`SentenceTask.predictions`) or attention maps.

        A process reads an unchanged file only once, so the arrays are read-only. Raise RecordError if they cannot be
        read.
        """
        path = self.arrays_path(record_id)
        try:
            return arrays_in(path, *file_version(path))
        except (OSError, StorageError) as error:
            raise RecordError(f"{error}; remove it and its record, then repeat the command that made them") from error


@lru_cache(maxsize=10_000)
def arrays_in(path: Path, *version: int) -> Mapping[str, np.ndarray]:
    """Return the arrays in a file, read-only; `version` is the key of the cache, which changes with the file."""
    arrays = read_arrays(path)
    for values in arrays.values():
        values.setflags(write=False)
    return arrays


def first_arrays(record_id: str, stores: Iterable[Store]) -> Mapping[str, np.ndarray] | None:
    """Return the arrays of a record from the first store that has them, or None if none has."""
    return next((store.arrays(record_id) for store in stores if store.arrays_path(record_id).is_file()), None)


def put_preferred(records: MutableMapping[str, Record], record: Record) -> None:
    """Add a record to `records`, a mapping by id, unless it has one with this id that is finished, or equally
    unfinished."""
    if records.setdefault(record.id, record).status != "done" and record.status == "done":
        records[record.id] = record


def find_record(prefix: str, stores: Iterable[Store], kind: str | None = "train") -> Record:
    """Return the record whose id begins with `prefix`, of the given kind or, for None, of any kind. The kind train
    includes imported weights.

    If several stores have a record with this id, a finished one counts, else that of an earlier store. Raise
    RecordError if there is no such record, or more than one id begins with `prefix`.
    """
    matches: dict[str, Record] = {}
    kinds = MODEL_KINDS if kind == "train" else (kind,)
    for store in stores if prefix and Path(prefix).name == prefix else ():
        for path in sorted(store.folder.glob(f"{escape(prefix)}*.json")):
            record = read_record(path)
            if kind is None or record.kind in kinds:
                put_preferred(matches, record)
    if len(matches) > 1:
        others = f" and {len(matches) - SHOWN_IDS:,} more" if len(matches) > SHOWN_IDS else ""
        shown = ", ".join([*matches][:SHOWN_IDS])
        raise RecordError(f"{prefix}: {len(matches):,} ids begin with this ({shown}{others}); type more characters")
    for record in matches.values():
        return record
    hint = "`attest parser train` trains one" if kind == "parser" else "type an id that `attest runs` lists"
    raise RecordError(f"{prefix or repr(prefix)}: no {KIND_NAMES.get(kind or 'train')} has this id; {hint}")
