"""Stores of records: folders with a JSON file for each run, and its test predictions in a file beside it.

Copying files merges two stores. Predictions are written before the JSON file, and after the removal of an earlier one,
so a record that can be read is complete.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from glob import escape
from pathlib import Path

import numpy as np

from attest.config.flat import to_plain
from attest.errors import RecordError, StorageError
from attest.runs.record_files import read_record, state_of
from attest.runs.records import Record
from attest.system.arrays import read_arrays, write_arrays
from attest.system.files import discard, sync_to_disk, write_json
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

    def record_path(self, identity: str) -> Path:
        """Return the path of the JSON file of a record, which need not exist."""
        return self.folder / f"{identity}.json"

    def arrays_path(self, identity: str) -> Path:
        """Return the path of the arrays beside a record, which need not exist."""
        return self.folder / f"{identity}.npz"

    def get(self, identity: str) -> Record | None:
        """Return a record by its id, or None if there is none; raise RecordError if it is damaged."""
        path = self.record_path(identity)
        return read_record(path) if path.is_file() else None

    def __iter__(self) -> Iterator[Record]:
        """Yield all records, sorted by id."""
        if self.folder.is_dir():
            for name in sorted(name for name in os.listdir(self.folder) if name.endswith(".json")):
                yield read_record(self.folder / name)

    def put(self, record: Record, predictions: Mapping[str, np.ndarray] | None = None) -> None:
        """Write a record, after its predictions if it has any.

        An earlier record of the same id goes before its predictions are replaced by others.
        """
        if predictions is not None:
            self.remove(record.id)
            write_arrays(self.arrays_path(record.id), predictions)
        write_json(self.record_path(record.id), to_plain(record))

    def remove(self, identity: str) -> None:
        """Delete a record, before files that belong to it are replaced; a missing one is no error.

        Raise LeaseLostError, and delete nothing, if this process has lost the lease under which it works.
        """
        path = self.record_path(identity)
        if not path.is_file():
            return
        with translate_write_errors(path):
            discard(path)
            sync_to_disk(path.parent)

    def arrays(self, identity: str) -> Mapping[str, np.ndarray]:
        """Return the arrays beside a record by name: test predictions (`SentenceTask.predictions`) or attention maps.

        A process reads an unchanged file only once, so the arrays are read-only. Raise RecordError if they cannot be
        read.
        """
        path = self.arrays_path(identity)
        try:
            return arrays_in(path, *state_of(path))
        except (OSError, StorageError) as error:
            raise RecordError(f"{error}; remove it and its record, then repeat the command that made them") from error


@lru_cache(maxsize=10_000)
def arrays_in(path: Path, *state: int) -> Mapping[str, np.ndarray]:
    """Return the arrays in a file, read-only; `state` is the key of the cache, which changes with the file."""
    arrays = read_arrays(path)
    for values in arrays.values():
        values.setflags(write=False)
    return arrays


def first_arrays(identity: str, stores: Iterable[Store]) -> Mapping[str, np.ndarray] | None:
    """Return the arrays of a record from the first store that has them, or None if none has."""
    return next((store.arrays(identity) for store in stores if store.arrays_path(identity).is_file()), None)


def find_record(prefix: str, stores: Iterable[Store], kind: str | None = "train") -> Record:
    """Return the record whose id begins with `prefix`, of the given kind or, for None, of any kind; earlier stores take
    precedence. The kind train includes imported weights.

    Raise RecordError if there is no such record, or more than one id begins with `prefix`.
    """
    matches: dict[str, Record] = {}
    kinds = MODEL_KINDS if kind == "train" else (kind,)
    for store in stores if prefix and Path(prefix).name == prefix else ():
        for path in sorted(store.folder.glob(f"{escape(prefix)}*.json")):
            record = read_record(path)
            if kind is None or record.kind in kinds:
                matches.setdefault(record.id, record)
    if len(matches) > 1:
        others = f" and {len(matches) - SHOWN_IDS:,} more" if len(matches) > SHOWN_IDS else ""
        shown = ", ".join([*matches][:SHOWN_IDS])
        raise RecordError(f"{prefix}: several ids begin so ({shown}{others}); type more of the id")
    for record in matches.values():
        return record
    hint = "`attest parser train` makes one" if kind == "parser" else "`attest runs` lists runs"
    raise RecordError(
        f"{prefix or repr(prefix)}: there is no record of such a {KIND_NAMES.get(kind or 'train')}; {hint}"
    )
