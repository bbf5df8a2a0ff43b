"""All splits of a data set as they are read from its official files, before words get rows and vectors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from attest.config.settings import Settings
from attest.data.dataset import File
from attest.data.numericalise import read_split
from attest.data.readers import Parses
from attest.data.split_columns import ReadSplit
from attest.data.usable_examples import drop_unusable, length_limit
from attest.errors import DataError
from attest.syntax.parsers import Parser


@dataclass(frozen=True)
class ReadDataset:
    """The examples of all splits, by the name of the split; the first one is the training set, or the pool."""

    files: Mapping[str, Sequence[File]]
    """The files of each split."""
    read: Mapping[str, ReadSplit]
    """All examples."""
    kept: Mapping[str, ReadSplit]
    """The examples that are used."""
    words: Sequence[str]
    """The word of each provisional number. Those of the first split come first."""
    training_words: int
    """The number of words of the first split; words of dropped examples count too."""
    genres: Sequence[str]
    """The name of the genre of each number."""
    length_limit: int | None
    """The largest length of a sentence of the first split; None without a limit."""

    @property
    def first(self) -> str:
        """The name of the first split."""
        return next(iter(self.files))

    @property
    def others_kept(self) -> list[ReadSplit]:
        """The examples of all splits but the first that are used."""
        return [kept for split, kept in self.kept.items() if split != self.first]


def read_dataset(
    settings: Settings, texts: Sequence[File], parses: Parses | None, parser: Parser | None
) -> ReadDataset:
    """Return the examples of the files `texts` of all splits; `parses` and `parser` provide trees (see `read_split`).

    Raise DataError if no example of the first split is used.
    """
    files: dict[str, list[File]] = {}
    for file in texts:
        files.setdefault(file.split, []).append(file)
    index: dict[str, int] = {}
    genres: dict[str, int] = {}
    first, *others = files
    read = {first: read_split(settings, files[first], index, genres, parses, parser)}
    training_words = len(index)
    read |= {split: read_split(settings, files[split], index, genres, parses, parser) for split in others}
    limit = length_limit(read[first], settings.text.length_percentile)
    kept = {split: drop_unusable(read[split], limit if split == first else None) for split in files}
    if not len(kept[first]):
        raise DataError(
            f"{files[first][0].source}: no labelled example has at most {limit} tokens; raise text.length_percentile"
        )
    return ReadDataset(files, read, kept, list(index), training_words, list(genres), limit)
