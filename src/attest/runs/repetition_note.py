"""A note in the folder of a run that is repeated, as with retry_failed, until the repetition has finished or failed.

It names the record that the repetition shall replace. With it, a checkpoint is that of the interrupted repetition and
not one that the record's own training has left. Times of files do not tell the two apart: a copied record is new.
"""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from attest.errors import LeaseLostError
from attest.runs.records import Record
from attest.runs.run_folder import checkpoint_file
from attest.runs.step_note import note_file
from attest.system.files import discard, write_json


def repetition_file(folder: Path) -> Path:
    """Return the path of the note in the folder of a run, which need not exist."""
    return folder / "repetition.json"


def read_repetition(folder: Path) -> dict[str, Any]:
    """Return the note: the time at which the record was `finished`, and the `step` of its weights; {} if there is none.

    A damaged note counts as none.
    """
    try:
        return dict(json.loads(repetition_file(folder).read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError, TypeError):
        return {}


def is_repeated(folder: Path, record: Record) -> bool:
    """Return whether a repetition of the run of a record has begun and has neither finished nor failed."""
    return read_repetition(folder).get("finished") == record.finished


def begin_repetition(folder: Path, record: Record) -> None:
    """Note that the run of a record is repeated, or leave an interrupted repetition as it is.

    A new one begins at step 1: it would resume the checkpoint of a finished run at its end, and that of a failed run
    with what its faulty code has trained.
    """
    if not is_repeated(folder, record):
        discard_checkpoint(folder)
        note = {"finished": record.finished, "step": record.selected.get("step", 0)}
        write_json(repetition_file(folder), note)


def end_repetition(folder: Path) -> None:
    """Delete the note, if there is one, if the disk allows it, and if the lease is not lost."""
    with suppress(OSError, LeaseLostError):
        discard(repetition_file(folder))


def discard_checkpoint(folder: Path) -> None:
    """Delete the checkpoint in the folder of a run, and the note of its last step."""
    for path in (checkpoint_file(folder), note_file(folder)):
        discard(path)
