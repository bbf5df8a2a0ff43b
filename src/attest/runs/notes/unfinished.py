"""A note in the folder of a run, from its start until it has finished or failed and its checkpoint is deleted.

It says whether the run repeats one that has a record, as with retry_failed. With the note, a checkpoint is that of the
interrupted retry and not one that the record's own training has left. Times of files do not tell the two apart: a
copied record is new.
"""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from attest.errors import LeaseLostError
from attest.runs.records import Record
from attest.runs.run_folder import checkpoint_file, step_file, unfinished_file
from attest.system.files import discard, write_json


def read_unfinished(folder: Path) -> dict[str, Any]:
    """Return the note: when the run that is repeated was `finished` (null: none is), and the `step` of its weights.

    Return {} if there is no note, or a damaged one.
    """
    try:
        return dict(json.loads(unfinished_file(folder).read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError, TypeError):
        return {}


def is_retry_unfinished(folder: Path, record: Record) -> bool:
    """Return whether a retry of the run of a record has started and has neither finished nor failed."""
    return read_unfinished(folder).get("finished") == record.finished


def note_start(folder: Path, earlier: Record | None) -> None:
    """Write the note that a run has started and, if it repeats the run of an `earlier` record, delete the checkpoint of
    that run first; leave the note of an interrupted run.

    A retry begins at step 1: it would resume the checkpoint of a finished run at its end, and that of a failed run with
    what its faulty code has trained.
    """
    if earlier is None:
        note: dict[str, Any] = {"finished": None, "step": 0}
    else:
        note = {"finished": earlier.finished, "step": earlier.selected.get("step", 0)}
    if read_unfinished(folder) != note:
        if earlier is not None:
            discard_checkpoint(folder)
        write_json(unfinished_file(folder), note)


def remove_note(folder: Path) -> None:
    """Delete the note, if there is one, if the disk allows it, and if the lease is not lost."""
    with suppress(OSError, LeaseLostError):
        discard(unfinished_file(folder))


def discard_checkpoint(folder: Path) -> None:
    """Delete the checkpoint in the folder of a run, and the note of its last step."""
    for path in (checkpoint_file(folder), step_file(folder)):
        discard(path)
