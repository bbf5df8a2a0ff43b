"""Folders of text files, which hold an example each: REVIEWS/good/1.txt, with a folder for each class."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from attest.data.files.archives import file_status
from attest.data.files.find_files import data_folders
from attest.data.files.source import Source
from attest.data.readers.example import Example
from attest.errors import DataError, MissingFileError


@dataclass
class TextFolder(Source):
    """A folder whose files hold an example each."""

    def files(self) -> list[Path]:
        """Return the paths of the files, sorted by name. Hidden files, whose names begin with a dot, are left out."""
        return sorted(path for path in self.path.iterdir() if not path.name.startswith("."))

    @property
    def stamp(self) -> tuple[str, int, int, str]:
        """The path of the folder, and the names, sizes and modification times of its files."""
        statuses = [(path.name, file_status(path)) for path in self.files()]
        state = [(name, status.st_size, status.st_mtime_ns) for name, status in statuses]
        return (str(self.path.resolve()), len(state), 0, hashlib.sha256(repr(state).encode()).hexdigest())


def find_folders(data: Path, relative: str, labels: Sequence[str]) -> dict[str, TextFolder]:
    """Return the folder of each class below the folder `relative` of the data folder or of the user's own.

    Raise DataError if a class has no folder, or a folder no class.
    """
    places = [folder / relative for folder in data_folders(data)]
    folder = next((place for place in places if place.is_dir()), None)
    if folder is None:
        searched = " and ".join(map(str, places))
        there = "into one of them" if len(places) > 1 else "there"
        raise MissingFileError(f"{searched}: there is no such folder; put the data set {there}")
    present = {path.name for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")}
    for name in sorted(present ^ set(labels)):
        problem = "no label of dataset.labels has this name" if name in present else "there is no such folder"
        raise DataError(f"{folder / name}: {problem}; every label needs a folder, and every folder a label")
    return {label: TextFolder(folder / label) for label in labels}


def read_text_folder(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Yield the whole text of each file of a folder with a single class, which is the only one in `labels`."""
    assert isinstance(source, TextFolder)
    (label,) = labels
    with source.hash_from_start():
        for row, path in enumerate(source.files()):
            if not path.is_file():
                raise DataError(f"{path}: not a file; the folder of a class holds a text file for each example")
            file = Source(path)
            text = "\n".join(line for _, line in file.lines())
            yield Example(file, 1, row=row, label=label, sentences=(text,))
            source.include_hash(file)
