"""Life cycle of a run: return its record if it is finished, else start or resume it under a lease, and record it."""

import logging
import traceback
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from attest.config.locate import TRUSTED
from attest.config.own_errors import own_code_error
from attest.config.settings import Paths, Trainer
from attest.config.settings.output import HasPaths
from attest.errors import PASSING_ERRORS, EncodingError, FailedBeforeError, one_line
from attest.runs.notes.command import remove_command
from attest.runs.notes.unfinished import (
    discard_checkpoint,
    is_retry_unfinished,
    note_start,
    read_unfinished,
    remove_note,
)
from attest.runs.observers import Observers
from attest.runs.records import Record
from attest.runs.run_folder import checkpoint_file, keep_weights
from attest.runs.store import Store
from attest.system.failures import machine_error
from attest.system.files import discard, remove_partials
from attest.system.leases import LEASE_SUFFIX, is_held, lease, lease_file, remove_if_dead, wait_for_lease

log = logging.getLogger(__name__)
RunResult = tuple[Record, Mapping[str, np.ndarray] | None]
"""A record, and the predictions to store beside it; None if there are none."""

RETRY_ADVICE = ", then repeat the command with retry_failed=true"
"""The advice on what to do after the code of a failed run is corrected."""


class RunSettings(HasPaths, Protocol):
    """The settings that every kind of run has: its folders, its machine, and whether to retry a failed run."""

    @property
    def retry_failed(self) -> bool: ...
    @property
    def retry_uncommitted(self) -> bool: ...
    @property
    def trainer(self) -> Trainer: ...
    @property
    def packages(self) -> Sequence[str]: ...


def run_once(
    run_id: str,
    settings: RunSettings,
    observe: Callable[[], AbstractContextManager[Observers]],
    train: Callable[[Observers], RunResult],
    record_of: Callable[..., Record],
    *,
    waits: bool = False,
) -> Record:
    """Return the record of a finished run; else start or resume the run, and return its record.

    With retry_uncommitted, a finished run is trained again if its code had uncommitted changes.
    `observe` opens the observers, `train` carries out the run, and `record_of` returns the record of a failure from the
    keyword arguments `status`, `error` and `reason`. Raise FailedBeforeError if the run failed earlier and retry_failed
    is false, and BusyError if another process works on it; if `waits`, wait for that process instead.
    """
    store, folder = Store(Path(settings.paths.records)), Path(settings.paths.runs) / run_id

    def failure_record(**facts: Any) -> Record:
        remove_command(folder)  # a run that failed is not continued
        remove_note(folder)
        return record_of(**facts)

    if record := finished_record(store, run_id, settings):
        clean_run(folder, record, keep_last=settings.trainer.keep_last)
        clean_shared_folders(settings.paths)
        if settings.trainer.keep_last and not checkpoint_file(folder).is_file():
            log.info("%s: finished earlier without trainer.keep_last, so there is no last checkpoint to keep", run_id)
        return record
    with (wait_for_lease if waits else lease)(lease_file(folder), f"run {run_id}"):
        if record := finished_record(
            store, run_id, settings
        ):  # another process finished the run before the lease was taken
            return record
        note_start(folder, store.get(run_id))
        with observe() as observers:
            with recording_failures(store, failure_record, packages=settings.packages):
                record, predictions = train(observers)
                store.put(record, predictions)
            if not settings.trainer.keep_last:
                discard(checkpoint_file(folder))
            remove_note(folder)
            for observer in observers:
                observer.finished(record)
    clean_run(folder, record, keep_last=settings.trainer.keep_last)
    clean_shared_folders(settings.paths)
    return record


@contextmanager
def recording_failures(
    store: Store,
    record_of: Callable[..., Record],
    *not_recorded: type[Exception],
    packages: Collection[str] = TRUSTED,
) -> Iterator[None]:
    """Store a record with the stack trace and the text of an exception in the context, and raise the exception again.

    The record of a finished run stays if its retry fails. An exception of the user's own code is raised, and
    recorded, as OwnCodeError; code of the trusted `packages` is the user's own.

    A record of a failure blocks the next start, so only faults of settings, data and training leave one. Failures of
    the machine, raised as MachineError, a lost lease, a closed output pipe and exceptions of the classes `not_recorded`
    leave none.
    """
    try:
        yield
    except (*PASSING_ERRORS, *not_recorded):
        raise
    except Exception as error:
        if (failure := machine_error(error)) is not None:
            raise failure from error
        if (failure := own_code_error(error, RETRY_ADVICE, packages=packages)) is not None:
            reason = one_line(own_code_error(error, packages=packages) or failure)
            put_failure(store, record_of(status="failed", error=failure.trace, reason=reason))
            raise failure from error
        put_failure(store, record_of(status="failed", error=traceback.format_exc(), reason=one_line(error)))
        if isinstance(error, EncodingError):  # of vectors that are not what an encoder has to return
            raise EncodingError(f"{error}{RETRY_ADVICE}") from error
        raise


def put_failure(store: Store, record: Record) -> None:
    """Store the record of a failure, unless it is that of a retry: the record of a finished run stays."""
    earlier = store.get(record.id)
    if earlier is None or earlier.status != "done":
        store.put(record)


def clean_run(folder: Path, record: Record, *, keep_last: bool) -> None:
    """Delete a finished run's dead lease, its checkpoint (unless `keep_last`), the note of its command and partial
    files; keep its best weights.

    A checkpoint without a note that the run is unfinished is one that the run kept. Do nothing while another process
    works on the run, such as one that retries it with retry_uncommitted, nor if the checkpoint is that of an
    interrupted retry.
    """
    if is_held(lease_file(folder)) or (checkpoint_file(folder).is_file() and is_retry_unfinished(folder, record)):
        return
    if read_unfinished(folder):  # its process was killed before it could delete them
        if not keep_last:
            discard_checkpoint(folder)
        remove_note(folder)
    keep_weights(folder, record.selected.get("step", 0))
    remove_command(folder)
    remove_if_dead(lease_file(folder))
    remove_partials(folder)


def clean_shared_folders(paths: Paths) -> None:
    """Delete the dead leases and partial files that killed processes left in the cache and in the folder of records."""
    cache = Path(paths.cache)
    for path in (cache / "corpora").glob(f"*{LEASE_SUFFIX}"):
        remove_if_dead(path)
    for folder in (Path(paths.records), cache, cache / "corpora", *(cache / "parses").glob("*")):
        remove_partials(folder)


def finished_record(store: Store, run_id: str, settings: RunSettings) -> Record | None:
    """Return the record of a finished run, or None if the run is still to be started, resumed or retried.

    Raise FailedBeforeError if it failed and retry_failed is false.
    """
    record = store.get(run_id)
    if record is None or (record.status == "done" and is_retried(record, settings)):
        return None
    if record.status == "done":
        return record
    if settings.retry_failed:
        return None
    raise FailedBeforeError(
        f"the run {run_id} failed on {record.finished}: {record.reason}; correct the cause{RETRY_ADVICE}"
    )


def is_retried(record: Record, settings: RunSettings) -> bool:
    """Return whether a finished run is trained again because its code had uncommitted changes."""
    return settings.retry_uncommitted and record.uncommitted
