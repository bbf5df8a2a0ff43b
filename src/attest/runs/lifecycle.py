"""A run is made once: looked up, gone on with or begun, and recorded, by one process at a time."""

import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

import numpy as np

from attest.config.settings import Paths, Trainer
from attest.errors import FailedBeforeError, StorageError
from attest.runs.observers import Observers
from attest.runs.records import Record, Store, keep_weights
from attest.system.files import remove_partials
from attest.system.locks import lease, remove_if_dead

RunResult = tuple[Record, Mapping[str, np.ndarray] | None]
"""A record, and the predictions that are kept beside it."""


class RunSettings(Protocol):
    """What settings of every kind of run say about where and whether."""

    @property
    def paths(self) -> Paths: ...
    @property
    def retry_failed(self) -> bool: ...
    @property
    def trainer(self) -> Trainer: ...


def run_once(
    identity: str,
    settings: RunSettings,
    observe: Callable[[], AbstractContextManager[Observers]],
    make: Callable[[Observers], RunResult],
    record_of: Callable[..., Record],
) -> Record:
    """The record of a run.

    A run that is finished is not repeated, one that was interrupted goes on, one that failed is made again only
    with retry_failed. BusyError if another process is at it.
    """
    store, folder = Store(Path(settings.paths.records)), Path(settings.paths.runs) / identity
    if record := finished_record(store, identity, settings):
        clean_up(settings, folder, record)
        return record
    with lease(folder / "lease.json"):
        if record := finished_record(store, identity, settings):  # somebody else was quicker
            return record
        with observe() as observers:
            with recording_failures(store, record_of):
                record, predictions = make(observers)
                store.put(record, predictions)
            for observer in observers:
                observer.finished(record)
    clean_up(settings, folder, record)
    return record


@contextmanager
def recording_failures(store: Store, record_of: Callable[..., Record], *blameless: type[Exception]) -> Iterator[None]:
    """A record of whatever fails, except for the fault of the disk or of who looks on, and for `blameless` errors."""
    try:
        yield
    except (StorageError, BrokenPipeError, *blameless):
        raise
    except Exception:
        store.put(record_of(status="failed", error=traceback.format_exc()))
        raise


def clean_up(settings: RunSettings, folder: Path, record: Record) -> None:
    """Of a finished run the best weights stay, and nothing that it, or a killed predecessor, needed on the way."""
    if not settings.trainer.keep_last:
        (folder / "last.ckpt").unlink(missing_ok=True)
    keep_weights(folder, record.selected["step"])
    remove_if_dead(folder / "lease.json")
    cache = Path(settings.paths.cache)
    for place in (folder, Path(settings.paths.records), cache, cache / "corpora", *(cache / "parses").glob("*")):
        remove_partials(place)


def finished_record(store: Store, identity: str, settings: RunSettings) -> Record | None:
    """The record of a run that needs nothing more."""
    record = store.get(identity)
    if record is None or record.status == "done":
        return record
    if settings.retry_failed:
        return None
    raise FailedBeforeError(
        f"the run {identity} failed on {record.finished}: {record.reason} (retry_failed=true makes it again)"
    )
