"""A note of the command that trains a run, in the folder of the run until the run has finished or failed.

`attest status` reads it, so that an interrupted run can be found and continued.
"""

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from attest.config.flat import to_plain
from attest.config.schema import from_plain
from attest.errors import LeaseLostError, SettingsError, StorageError
from attest.runs.run_folder import command_file
from attest.system.files import discard, write_json


@dataclass(frozen=True, kw_only=True)
class CommandNote:
    """The command that trains a run."""

    name: str
    """The name of the run, for people to read."""
    command: str
    """The command, quoted for a shell; it starts the run and continues it."""


def read_command(folder: Path) -> CommandNote | None:
    """Return the note in the folder of a run, or None if there is none or its file is damaged.

    A note with characters that would change what a terminal shows counts as damaged.
    """
    try:
        note = from_plain(CommandNote, json.loads(command_file(folder).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, SettingsError):
        return None
    return note if note.name.isprintable() and note.command.isprintable() else None


def write_command(folder: Path, note: CommandNote) -> None:
    """Write the note in the folder of a run. A disk that refuses it does not stop the run."""
    with suppress(OSError, StorageError):
        write_json(command_file(folder), to_plain(note))


def remove_command(folder: Path) -> None:
    """Delete the note in the folder of a run, if there is one, if the disk allows it, and if the lease is not lost."""
    with suppress(OSError, LeaseLostError):
        discard(command_file(folder))
