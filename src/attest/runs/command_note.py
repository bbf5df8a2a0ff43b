"""A note of the command that trains a run, in the folder of the run until this has finished or failed.

`attest status` reads it, so that an interrupted run can be found and continued.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from attest.config.flat import to_plain
from attest.config.schema import from_plain
from attest.errors import PASSING_ERRORS, SettingsError, StorageError
from attest.system.files import discard, write_json


@dataclass(frozen=True, kw_only=True)
class CommandNote:
    """The command that trains a run."""

    name: str
    """The name of the run, for people to read."""
    command: str
    """The command, quoted for a shell; it starts the run and continues it."""


def command_file(folder: Path) -> Path:
    """Return the path of the note in the folder of a run, which need not exist."""
    return folder / "command.json"


def read_command(folder: Path) -> CommandNote | None:
    """Return the note in the folder of a run, or None if there is none or its file is damaged."""
    try:
        return from_plain(CommandNote, json.loads(command_file(folder).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, SettingsError):
        return None


@contextmanager
def noted_command(folder: Path, note: CommandNote) -> Iterator[None]:
    """Keep a note in the folder of a run during the block, and after it if the block is interrupted.

    A block that ends, or raises an error that leaves the record of a failure, has no need to be continued. A disk that
    refuses the note does not stop the run.
    """
    with suppress(OSError, StorageError):
        write_json(command_file(folder), to_plain(note))
    try:
        yield
    except PASSING_ERRORS:
        raise
    except Exception:
        remove_command(folder)
        raise
    remove_command(folder)


def remove_command(folder: Path) -> None:
    """Delete the note in the folder of a run, if there is one and the disk allows it."""
    with suppress(OSError):
        discard(command_file(folder))
