"""Records of runs: a JSON file for each run, with its test predictions in a file beside it.

A store is a folder of records; copying files merges two stores. Predictions are written before the JSON file, so a
record that can be read is complete.
"""

import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from glob import escape
from pathlib import Path
from typing import Any, Literal

import numpy as np

from attest.config.components import present_class_name
from attest.config.flat import to_plain
from attest.config.renamed import present_settings
from attest.config.schema import parse
from attest.config.settings import Label
from attest.errors import RecordError, SettingsError, StorageError
from attest.system.arrays import read_arrays, write_arrays
from attest.system.failures import raise_machine_error
from attest.system.files import discard, write_json

SCHEMA = 1
"""The version of the format of records."""
ITEMS_OF_RECORDS: dict[frozenset[tuple[str, Any]], frozenset[tuple[str, Any]]] = {}
"""The results of `Record.items_without`, each under itself."""


@dataclass(frozen=True, kw_only=True)
class Cost:
    """The cost of a run in seconds and bytes."""

    step_seconds: float
    """The time of all training steps, without evaluation and, on a processor, without preparing batches, as the DiSAN
    authors count."""
    epoch_seconds: float
    """The time of the training steps of one pass over the training set."""
    full_epoch_seconds: float
    """The time of the training steps of one pass over as many examples as the official training set has."""
    wall_seconds: float
    """The elapsed time of the whole run, summed over interruptions."""
    peak_bytes: int
    """The peak memory of the process (CPU) or of the device (GPU) during training."""


@dataclass(frozen=True, kw_only=True)
class Record:
    """The record of a finished or failed run, or of a result computed without training.

    Such a result is a benchmark (bench), attention maps (attention), scores on SentEval's tasks (transfer), the list of
    a test set's hard pairs (subset), or weights of other code, which have no figures (import).
    """

    schema: int = SCHEMA
    """The version of the format that the record was written in."""
    id: str
    kind: Literal["train", "parser", "bench", "attention", "transfer", "subset", "import"] = "train"
    status: Literal["running", "done", "failed"]
    """The state of the run; a record that is stored is never running."""
    parents: Sequence[str] = ()
    """The ids of the runs that the result was computed from."""
    label: Label = field(default_factory=Label)
    settings: Mapping[str, Any]
    """All settings except the private ones, by dotted key."""
    versions: Mapping[str, int]
    """The version numbers of the code that the figures depend on."""
    data: Mapping[str, Any]
    """The facts about the data: the fingerprint, the counts of what was read, and the official counts (`expected`)."""
    seed: int
    metrics: Mapping[str, float] = field(default_factory=dict)
    """The metrics of the selected checkpoint, by names such as test/accuracy."""
    selected: Mapping[str, Any] = field(default_factory=dict)
    """The step whose weights were evaluated, and the rule that selected it."""
    curve: Sequence[Mapping[str, Any]] = ()
    """The learning curve, with an entry for each evaluation; in other kinds of records, a list of results."""
    cost: Cost | None = None
    devices: Sequence[Mapping[str, Any]] = ()
    """The devices that the run was trained on, in their order, as `devices_used` lists them; empty in the records of
    earlier versions, and if nothing was trained."""
    environment: Mapping[str, Any] = field(default_factory=dict)
    """The machine, library versions and commit."""
    error: str | None = None
    """The stack trace of a failed run; None if it is finished."""
    finished: str = ""
    """The time in UTC at which the run ended, as in 2026-01-31T12:00:00Z."""

    @property
    def reason(self) -> str:
        """The last line of the stack trace, which names the error; empty if there is none."""
        return (self.error or "").strip().rpartition("\n")[2]

    @cached_property
    def setting_items(self) -> frozenset[tuple[str, Any]]:
        """The settings as a set, which subtracts faster than a dict compares."""
        return hashable_items(self.settings)

    @cached_property
    def items_by_replicate(self) -> dict[str, frozenset[tuple[str, Any]]]:
        """The results of `items_without` that are known."""
        return {}

    def items_without(self, replicate: str) -> frozenset[tuple[str, Any]]:
        """Return the settings as a set without the one, seed or fold, in which replicates differ.

        Equal sets of different records are one object, so that they are quick to look up.
        """
        if replicate not in self.items_by_replicate:
            items = self.setting_items - {(replicate, self.settings.get(replicate))}
            self.items_by_replicate[replicate] = ITEMS_OF_RECORDS.setdefault(items, items)
        return self.items_by_replicate[replicate]

    @property
    def uncommitted(self) -> bool:
        """True if the checkout of the code had uncommitted changes, so that its commit does not identify the code."""
        return bool(self.environment.get("uncommitted_changes"))

    def shown_metrics(self, hidden: Sequence[str] = ()) -> dict[str, float]:
        """Return the metrics by name, without those of the splits in `hidden`."""
        return {name: value for name, value in self.metrics.items() if name.partition("/")[0] not in hidden}

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the data."""
        return str(self.data["fingerprint"])


def hashable_items(settings: Mapping[str, Any]) -> frozenset[tuple[str, Any]]:
    """Return the keys and values of plain settings as a set; equal values are equal members."""
    return frozenset((key, hashable(value)) for key, value in settings.items())


def hashable(value: Any) -> Any:
    """Return a plain value with lists as tuples and dicts as sets of pairs."""
    if isinstance(value, list | tuple):
        return tuple(map(hashable, value))
    return hashable_items(value) if isinstance(value, dict) else value


def utc_now() -> str:
    """Return the time in UTC, as in 2026-01-31T12:00:00Z."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


@dataclass(frozen=True)
class Store:
    """A folder of records."""

    folder: Path

    def path(self, identity: str) -> Path:
        """Return the path of the JSON file of a record, which need not exist."""
        return self.folder / f"{identity}.json"

    def arrays(self, identity: str) -> Path:
        """Return the path of the arrays beside a record, which need not exist."""
        return self.folder / f"{identity}.npz"

    def get(self, identity: str) -> Record | None:
        """Return a record by its id, or None if there is none; raise RecordError if it is damaged."""
        path = self.path(identity)
        return read_record(path) if path.is_file() else None

    def __iter__(self) -> Iterator[Record]:
        """Yield all records, sorted by id."""
        if self.folder.is_dir():
            for name in sorted(name for name in os.listdir(self.folder) if name.endswith(".json")):
                yield read_record(self.folder / name)

    def put(self, record: Record, predictions: Mapping[str, np.ndarray] | None = None) -> None:
        """Write a record, after its predictions if it has any."""
        if predictions is not None:
            write_arrays(self.arrays(record.id), predictions)
        write_json(self.path(record.id), to_plain(record))

    def predictions(self, identity: str) -> Mapping[str, np.ndarray]:
        """Return the arrays beside a record by name: test predictions (`SentenceTask.predictions`) or attention maps.

        A process reads an unchanged file only once, so the arrays are read-only. Raise RecordError if they cannot be
        read.
        """
        path = self.arrays(identity)
        try:
            return arrays_in(path, *state_of(path))
        except (OSError, StorageError) as error:
            raise RecordError(f"{error}; remove it and its record to make them again") from error


def weights_file(folder: Path, step: int) -> Path:
    """Return the path of the weights of a step in the folder of a run."""
    return folder / f"best-{step}.pt"


def keep_weights(folder: Path, *steps: int) -> None:
    """Delete the files of weights in the folder of a run except those of the given steps."""
    kept = [weights_file(folder, step) for step in steps]
    for weights in folder.glob("best-*.pt"):
        if weights not in kept:
            discard(weights)


KIND_NAMES = {"train": "run", "parser": "parser"}
"""The kind of a record -> what error texts call it."""
MOST_RECORDS = 100_000
"""The number of records that a process keeps: more than a store has, since commands go through it several times."""
MODEL_KINDS = ("train", "import")
"""The kinds of records whose runs have a model that encodes sentences."""


def find_record(prefix: str, stores: Iterable[Store], kind: str | None = "train") -> Record:
    """Return the record whose id begins with `prefix`, of the given kind or, for None, of any kind; earlier stores take
    precedence. The kind train includes imported weights.

    Raise RecordError if there is no such record, or more than one id begins with `prefix`.
    """
    matches: dict[str, Record] = {}
    kinds = MODEL_KINDS if kind == "train" else (kind,)
    for store in stores if Path(prefix).name == prefix else ():
        for path in sorted(store.folder.glob(f"{escape(prefix)}*.json")):
            record = read_record(path)
            if kind is None or record.kind in kinds:
                matches.setdefault(record.id, record)
    if len(matches) > 1:
        raise RecordError(f"{prefix}: several ids begin so ({', '.join(matches)}); type more of the id")
    for record in matches.values():
        return record
    hint = "`attest parser train` makes one" if kind == "parser" else "`attest runs` lists runs"
    raise RecordError(f"{prefix}: there is no record of such a {KIND_NAMES.get(kind or 'train')}; {hint}")


def with_present_names(data: Any) -> Any:
    """Return the JSON data of a record with earlier names of settings and classes replaced by the current ones."""
    if not isinstance(data, dict) or not isinstance(data.get("settings"), dict):
        return data
    settings = {
        key: present_class_name(value) if key.endswith("._target_") and isinstance(value, str) else value
        for key, value in present_settings(data["settings"]).items()
    }
    return {**data, "settings": settings}


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


@lru_cache(maxsize=10_000)
def arrays_in(path: Path, *state: int) -> Mapping[str, np.ndarray]:
    """Return the arrays in a file, read-only; `state` is the key of the cache, which changes with the file."""
    arrays = read_arrays(path)
    for values in arrays.values():
        values.setflags(write=False)
    return arrays


def unreadable(path: Path, error: Exception) -> RecordError:
    """Return the error for a file that is no record; raise MachineError if it was the disk that did not give it."""
    raise_machine_error(error)
    return RecordError(f"{path}: not a readable record ({error}); remove it to run its experiment again")


@lru_cache(maxsize=MOST_RECORDS)
def parsed_record(path: Path, *state: int) -> Record:
    """Return the record in a file; `state` is the key of the cache, which changes when the file is written."""
    try:
        record = record_from(path, json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error
    if record.id != path.stem:
        raise RecordError(f"{path}: holds the record of run {record.id}; rename it to {record.id}.json")
    return record


def record_from(path: Path, data: Any) -> Record:
    """Return the record that a file holds as JSON data; raise RecordError if it is none, or that of a newer version."""
    if isinstance(data, dict) and isinstance(schema := data.get("schema"), int) and schema > SCHEMA:
        raise RecordError(f"{path}: written by a newer version of Attest (schema {schema}); update Attest")
    try:
        return parse(Record, with_present_names(data))
    except (ValueError, SettingsError) as error:
        raise unreadable(path, error) from error
