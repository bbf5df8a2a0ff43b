"""What a run leaves behind: one JSON file, and its test predictions beside it.

A store is a folder of records; two stores are merged by copying files. Predictions are written first and the
JSON last, so a record that can be read is complete.
"""

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from glob import escape
from pathlib import Path
from typing import Any, Literal

import numpy as np

from attest.config.components import present_class_name
from attest.config.renamed import present_settings
from attest.config.schema import parse, to_plain
from attest.config.settings import Label
from attest.errors import RecordError, SettingsError, StorageError
from attest.system.arrays import read_arrays, write_arrays
from attest.system.files import write_json

SCHEMA = 1


@dataclass(frozen=True, kw_only=True)
class Cost:
    """Seconds and bytes."""

    step_seconds: float
    """Inside training steps only: no batch preparation, no evaluation. This is how the DiSAN authors count."""
    epoch_seconds: float
    """The same for one pass over the training data."""
    full_epoch_seconds: float
    """The same for as many examples as the official training set has."""
    wall_seconds: float
    """Everything, over all resumptions."""
    peak_bytes: int
    """Of the process (CPU) or of the device (GPU), while this run was training."""


@dataclass(frozen=True, kw_only=True)
class Record:
    """One run, finished or failed; or what was measured (bench), seen of a finished run (attention), or found out about
    a test set (subset)."""

    schema: int = SCHEMA
    id: str
    kind: Literal["train", "parser", "bench", "attention", "transfer", "subset"] = "train"
    status: Literal["done", "failed"]
    parents: Sequence[str] = ()
    label: Label = field(default_factory=Label)
    settings: Mapping[str, Any]
    """All settings but the private ones, by dotted key."""
    versions: Mapping[str, int]
    data: Mapping[str, Any]
    """What was read, and the official counts beside it."""
    seed: int
    metrics: Mapping[str, float] = field(default_factory=dict)
    """test/accuracy and the like, all of the selected checkpoint."""
    selected: Mapping[str, Any] = field(default_factory=dict)
    """The step whose weights were evaluated, and the rule that chose it."""
    curve: Sequence[Mapping[str, Any]] = ()
    """One entry per evaluation, or per row of what was measured."""
    cost: Cost | None = None
    environment: Mapping[str, Any] = field(default_factory=dict)
    error: str | None = None
    """The stack trace of a failed run."""
    finished: str = ""
    """When, in UTC."""

    @property
    def reason(self) -> str:
        """The last line of the stack trace."""
        return (self.error or "").strip().rpartition("\n")[2]

    @property
    def fingerprint(self) -> str:
        return str(self.data["fingerprint"])


def utc_now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


@dataclass(frozen=True)
class Store:
    """A folder of records."""

    folder: Path

    def path(self, identity: str) -> Path:
        return self.folder / f"{identity}.json"

    def arrays(self, identity: str) -> Path:
        return self.folder / f"{identity}.npz"

    def get(self, identity: str) -> Record | None:
        path = self.path(identity)
        return read_record(path) if path.is_file() else None

    def __iter__(self) -> Iterator[Record]:
        if self.folder.is_dir():
            for path in sorted(self.folder.glob("*.json")):
                yield read_record(path)

    def put(self, record: Record, predictions: Mapping[str, np.ndarray] | None = None) -> None:
        if predictions is not None:
            write_arrays(self.arrays(record.id), predictions)
        write_json(self.path(record.id), to_plain(record))

    def predictions(self, identity: str) -> dict[str, np.ndarray]:
        """What the task keeps of the test set (`SentenceTask.predictions`), or the maps of an attention record."""
        try:
            return read_arrays(self.arrays(identity))
        except StorageError as error:
            raise RecordError(f"{error}; remove it and its record to make them again") from error


def weights_file(folder: Path, step: int) -> Path:
    return folder / f"best-{step}.pt"


def keep_weights(folder: Path, *steps: int) -> None:
    """Delete the weights of all other steps."""
    kept = [weights_file(folder, step) for step in steps]
    for weights in folder.glob("best-*.pt"):
        if weights not in kept:
            weights.unlink()


RUNS = {"train": "run", "parser": "parser"}


def find_record(prefix: str, stores: Iterable[Store], kind: str = "train") -> Record:
    """The run whose id begins with `prefix`. A run that several stores hold is the first one's."""
    found: dict[str, Record] = {}
    for store in stores if Path(prefix).name == prefix else ():
        for path in sorted(store.folder.glob(f"{escape(prefix)}*.json")):
            record = read_record(path)
            if record.kind == kind:
                found.setdefault(record.id, record)
    if len(found) > 1:
        raise RecordError(f"{prefix}: the ids of several runs begin so ({', '.join(found)}); write more of it")
    for record in found.values():
        return record
    hint = "`attest parser train` makes one" if kind == "parser" else "`attest show TABLE` lists the runs of a table"
    raise RecordError(f"{prefix}: there is no record of such a {RUNS[kind]}; {hint}")


def with_present_names(data: Any) -> Any:
    """Return a record's data with the present names of its settings and classes."""
    if not isinstance(data, dict) or not isinstance(data.get("settings"), dict):
        return data
    settings = {
        key: present_class_name(value) if key.endswith("._target_") and isinstance(value, str) else value
        for key, value in present_settings(data["settings"]).items()
    }
    return {**data, "settings": settings}


def read_record(path: Path) -> Record:
    """Return the record in a file. A file that has not changed is parsed once in a process.

    Raise RecordError if the file is damaged, is named after another run, or comes from a newer version.
    """
    try:
        state = path.stat()
    except OSError as error:
        raise unreadable(path, error) from error
    return parsed_record(path, state.st_ino, state.st_mtime_ns, state.st_size)


def unreadable(path: Path, error: Exception) -> RecordError:
    return RecordError(f"{path}: not a readable record ({error}); remove it to run its experiment again")


@lru_cache(maxsize=10_000)
def parsed_record(path: Path, *state: int) -> Record:
    """Return the record in a file; `state` is what changes whenever the file is written."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(data, dict) and isinstance(schema := data.get("schema"), int) and schema > SCHEMA:
            raise RecordError(f"{path}: written by a newer version of Attest (schema {schema}); update Attest")
        record = parse(Record, with_present_names(data))
    except (OSError, ValueError, SettingsError) as error:
        raise unreadable(path, error) from error
    if record.id != path.stem:
        raise RecordError(f"{path}: holds the record of run {record.id}; rename it to {record.id}.json")
    return record
