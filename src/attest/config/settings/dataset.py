"""The settings of a data set: its official files, their format, and where to download them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from attest.config.constraints import AtLeastOne, Range
from attest.config.settings.field_metadata import NOT_HASHED


@dataclass(frozen=True, kw_only=True)
class Archive:
    """A download of official files: an archive, or a single file."""

    url: str
    """The address of the download."""
    sha256: str
    """The SHA-256 checksum of the download, in hexadecimal."""
    size: Annotated[int, AtLeastOne]
    """The size of the download in bytes."""
    path: str
    """The path at which the download is stored, relative to the data folder."""
    folder: str = ""
    """The folder inside the archive that holds the files; empty if they are at its top."""


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """A data set: its official files and what they contain, but not how a run uses them."""

    name: str
    """The name of the data set, which is that of its file in conf/dataset."""
    format: Literal[
        "nli", "sst", "sst_in_two", "sick", "trec", "lines", "tabbed", "mrpc", "sts", "stsb", "yelp", "pan",
        "tsv", "csv", "jsonl", "folders",
    ]  # fmt: skip
    """The file format, which selects the reader. tsv, csv, jsonl and folders are those of data sets of the user's
    own."""
    files: Mapping[str, str | Mapping[str, str]] = field(metadata=NOT_HASHED)
    """The files of each split: a path relative to the data folder or, if a split has several files, a mapping from
    each class (or from `pairs` and `scores`) to a path. For the format folders, it is a folder with a folder of text
    files for each class. A data set without official splits has the single split `all`, from which protocol.fold or
    protocol.drawn makes a training and a test set."""
    labels: Sequence[str]
    """The names of the classes or grades, in the order of their numbers."""
    columns: Mapping[str, str | int] = field(default_factory=dict)
    """The columns of a tsv, csv or jsonl file by their roles: sentence, or sentence1 and sentence2; label or score;
    split, if one file holds several splits; fold, if each row of the split `all` names its fold. A column is given by
    its name or, in a file without a line of names, by its number from 1."""
    expected: Mapping[str, int] = field(default_factory=dict, metadata=NOT_HASHED)
    """The official number of labelled examples of each split; empty if there is none."""
    licence: str = field(default="", metadata=NOT_HASHED)
    """The licence of the data set, for people to read."""
    reference: str = field(default="", metadata=NOT_HASHED)
    """The publication that introduced the data set."""
    experiment: str = field(default="", metadata=NOT_HASHED)
    """The experiment that a run on the data set has, unless the command names one; empty: the default one."""
    grades: Annotated[int, Range(2, 6)] = 5
    """The number of grades of a relatedness score, which end at 5: with 5 they are 1 to 5, with 6 they are 0 to 5."""
    archive: Archive | None = field(default=None, metadata=NOT_HASHED)
    """The archive that holds the files; null if there is none."""
    loose: Sequence[Archive] = field(default=(), metadata=NOT_HASHED)
    """The downloads of a data set that is published as single files instead of an archive."""
    hard: str = field(default="", metadata=NOT_HASHED)
    """The official file of the hard test pairs, which a classifier that reads only the hypothesis gets wrong; empty if
    there is none."""
    parses: Sequence[str] = field(default=(), metadata=NOT_HASHED)
    """Files with parse trees of the sentences, if the data set's own files have none. They are read only if
    text.tokens=parse."""
    mini_vectors: str = field(default="", metadata=NOT_HASHED)
    """The file of word vectors at scale=mini, for data sets whose built-in corpus does not share SNLI's vectors."""
    unavailable: str = field(default="", metadata=NOT_HASHED)
    """The reason why the data set can no longer be obtained; empty if it can."""

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of all files, each of them once."""
        entries = [[entry] if isinstance(entry, str) else entry.values() for entry in self.files.values()]
        return tuple(dict.fromkeys(path for entry in entries for path in entry))
