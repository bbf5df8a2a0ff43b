"""The package's readers, each with the rows that it reads as a list that can be compared."""

from collections.abc import Sequence
from pathlib import Path

from fuzz.format import Rows

from attest.config.settings import Archive
from attest.data.files.find_files import find_source
from attest.data.files.source import Source
from attest.data.readers import COMPANIONS, ENCODINGS, READERS, Parses
from attest.data.readers.columns import Columns, read_columns
from attest.data.readers.sts import read_sts
from attest.data.text.vectors import read_vectors

ARCHIVE = Archive(url="https://example.org/a.zip", sha256="0" * 64, size=1, path="a.zip", folder="inner")


def source_in(folder: Path, name: str, kind: str) -> Source:
    """Return the file of a folder as the package finds it, whose stamp is taken first as `prepare` does."""
    encoding, companions = ENCODINGS.get(kind, "utf-8"), COMPANIONS.get(kind, "")
    source = find_source(folder, name, ARCHIVE, encoding=encoding, companions=companions)
    assert source.stamp
    return source


def plain_row(example) -> tuple[object, ...]:
    """Return all that an example says, except the place in its file."""
    phrases = tuple((phrase.start, phrase.end, phrase.label) for phrase in example.phrases)
    return (
        example.row, example.label, example.sentences, example.parses, example.labelled_parses, example.genre,
        example.name, example.score, example.split, phrases,
    )  # fmt: skip


def read_labelled_file(kind: str, labels: Sequence[str], name: str, folder: Path) -> Rows:
    return [plain_row(example) for example in READERS[kind](source_in(folder, name, kind), labels)]


def read_file_with_columns(kind: str, columns: Columns, labels: Sequence[str], folder: Path) -> Rows:
    return [plain_row(example) for example in read_columns(kind, columns, source_in(folder, "rows", kind), labels)]


def read_score_files(folder: Path) -> Rows:
    pairs, scores = (source_in(folder, name, "sts") for name in ("pairs", "scores"))
    return [plain_row(example) for example in read_sts(pairs, scores)]


def read_parse_file(folder: Path) -> Rows:
    return list(Parses([source_in(folder, "parses", "")]).parse_of.items())


def read_vector_file(name: str, wanted: Sequence[str], folder: Path) -> Rows:
    found = read_vectors(source_in(folder, name, ""), wanted, 3)
    return [found.rows, *sorted((word, vector.tolist()) for word, vector in found.vectors.items())]
