"""The official files of all splits of a data set become examples with provisional numbers of words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from attest.config.settings import Settings
from attest.data.dataset import SplitFile
from attest.data.numericalise import read_split
from attest.data.readers import Parses
from attest.data.splits.provisional import ProvisionalSplit
from attest.data.splits.usable_examples import drop_unusable, length_limit
from attest.errors import DataError
from attest.syntax.parsers import Parser


@dataclass(frozen=True)
class ProvisionalDataset:
    """The splits of a data set by name, before words get rows and vectors.

    The first split is the training set, or the pool of examples from which the splits are cut.
    """

    files: Mapping[str, Sequence[SplitFile]]
    """The files of each split."""
    all_examples: Mapping[str, ProvisionalSplit]
    """All examples of each split."""
    used_examples: Mapping[str, ProvisionalSplit]
    """The examples of each split that are used (see `drop_unusable`)."""
    words: Sequence[str]
    """The word of each provisional number. Those of the first split come first."""
    training_words: int
    """The number of words of the first split; words of dropped examples count too."""
    genres: Sequence[str]
    """The name of the genre of each number."""
    length_limit: int | None
    """The largest number of tokens that a sentence of a used example of the first split may have; None without a
    limit."""

    @property
    def first(self) -> str:
        """The name of the first split."""
        return next(iter(self.files))

    @property
    def used_in_later_splits(self) -> list[ProvisionalSplit]:
        """The used examples of each split after the first."""
        return [examples for split, examples in self.used_examples.items() if split != self.first]


def read_dataset(
    settings: Settings, files: Sequence[SplitFile], parses: Parses | None, parser: Parser | None
) -> ProvisionalDataset:
    """Return the examples of the files of all splits; `parses` and `parser` provide trees (see `read_split`).

    Raise DataError if no example of the first split is used.
    """
    files_by_split: dict[str, list[SplitFile]] = {}
    for file in files:
        files_by_split.setdefault(file.split, []).append(file)
    index: dict[str, int] = {}
    genres: dict[str, int] = {}
    first, *others = files_by_split
    all_examples = {first: read_split(settings, files_by_split[first], index, genres, parses, parser)}
    training_words = len(index)
    all_examples |= {
        split: read_split(settings, files_by_split[split], index, genres, parses, parser) for split in others
    }
    limit = length_limit(all_examples[first], settings.text.length_percentile)
    used_examples = {
        split: drop_unusable(all_examples[split], limit if split == first else None) for split in files_by_split
    }
    if not len(used_examples[first]):
        raise DataError(
            f"{files_by_split[first][0].source}: every labelled example has a sentence of more than {limit} tokens; "
            "raise text.length_percentile"
        )
    return ProvisionalDataset(
        files_by_split, all_examples, used_examples, list(index), training_words, list(genres), limit
    )
