"""The files that commands read examples from and write results to: checks, standard input, and what is in them."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from attest.data.readers.fields import excerpt
from attest.errors import SettingsError
from attest.system import malloc

if TYPE_CHECKING:
    from attest.inference.streams import ExampleFile, FileCounts
    from attest.inference.trained_run import TrainedRun

STANDARD_INPUT = "-"
FORMATS = (".npy", ".npz", ".tsv", ".txt", ".csv", ".json", ".jsonl")
"""The endings of files' names that stand for a format."""


def check_ending(file: str | None, format_written: str, *endings: str) -> None:
    """Raise SettingsError if the name of an output file ends as that of another format than the one written."""
    suffix = Path(file or "").suffix
    if suffix in FORMATS and suffix not in endings:
        raise SettingsError(f"--to {file}: {format_written}; name a file that ends in {' or '.join(endings)}")


def check_not_input(to: str, file: str) -> None:
    """Raise SettingsError if an output file is the input file, which it would replace."""
    try:
        same = os.path.samefile(sys.stdin.fileno() if file == STANDARD_INPUT else file, to)
    except OSError:  # one of them does not exist, or standard input is no file
        return
    if same:
        raise SettingsError(f"--to {to}: this is the input file, which would be lost; name another file")


@contextmanager
def readable_twice(file: str, content: str) -> Iterator[Path]:
    """Yield the path of a file that can be read several times: a temporary copy of standard input or of a pipe.

    Raise SettingsError, which names the `content` that is expected, if standard input is a terminal.
    """
    if file != STANDARD_INPUT and not is_pipe(Path(file)):
        yield Path(file)
        return
    if file == STANDARD_INPUT and sys.stdin.isatty():
        raise SettingsError(f"{STANDARD_INPUT}: standard input is a terminal; pipe {content} into the command")
    with tempfile.TemporaryDirectory() as folder:
        with nullcontext(sys.stdin.buffer) if file == STANDARD_INPUT else Path(file).open("rb") as stream:
            path = Path(folder) / "standard input"
            with path.open("wb") as copy:
                shutil.copyfileobj(stream, copy)
        yield path


def is_pipe(path: Path) -> bool:
    """Return whether a pipe is at `path`; False for a name that is too long, which reading reports."""
    try:
        return path.is_fifo()
    except OSError:
        return False


def announced_counts(trained: "TrainedRun", file: "ExampleFile") -> "FileCounts":
    """Return what a first reading finds in a file, and say on standard error which of its words have no vector and
    how many of its sentences have no words."""
    from attest.inference.streams import add_new_words

    counts = add_new_words(trained, file)
    if counts.unknown:
        print(
            f"{counts.unknown:,} of {counts.words:,} words unknown to the run, without a vector; the most "
            f"frequent: {', '.join(map(excerpt, counts.most_frequent))}",
            file=sys.stderr,
        )
    if counts.empty:
        zeros = "" if trained.task.encoder.pairs else ", so their vectors are zeros"
        print(f"{counts.empty:,} of {counts.sentences:,} sentences have no words{zeros}", file=sys.stderr)
    malloc.keep_freed_memory()  # batches need the same memory again and again
    return counts
