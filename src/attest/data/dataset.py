"""The official files of a data set: which there are, what the text settings may ask of them, and their examples."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from attest.config.settings import Dataset, Settings
from attest.data.phrases import check_corpus_trees
from attest.data.readers import COMPANIONS, ENCODINGS, READERS, Example, Parses, Source, find_source
from attest.data.readers.sst import NEUTRAL, TREES, training_examples
from attest.data.split import SPLITS
from attest.errors import SettingsError


@dataclass(frozen=True)
class File:
    """One official file of a split, and the classes that it may hold."""

    name: str
    split: str
    source: Source
    labels: Sequence[str]


def check_dataset(settings: Settings) -> None:
    """What the text settings ask for has to be there in a data set of this kind."""
    check_corpus_trees(settings)
    dataset, text = settings.dataset, settings.text
    if dataset.format not in READERS:
        raise SettingsError(f"dataset: {dataset.name} has nothing to train on; `attest transfer` evaluates with it")
    if text.phrases != "sentences" and dataset.format not in TREES:
        raise SettingsError(f"text.phrases: {text.phrases} is for sets of trees, and {dataset.name} is not one")
    wanted = TREES.get(dataset.format, len(dataset.labels))
    if len(dataset.labels) != wanted:
        raise SettingsError(f"dataset.labels: trees have {wanted} classes, and {len(dataset.labels)} have a name here")
    if text.length_percentile < 100 and "train" not in dataset.files:
        raise SettingsError(f"text.length_percentile: {dataset.name} has no training set to measure; leave it at 100")
    for split, entry in dataset.files.items():
        if isinstance(entry, str) == (dataset.format == "lines"):
            wanted = "a file for each class" if dataset.format == "lines" else "one file"
            raise SettingsError(f"dataset.files.{split}: the format {dataset.format} wants {wanted} here")
        for label in () if isinstance(entry, str) else entry:
            if label not in dataset.labels:
                raise SettingsError(f"dataset.files.{split}.{label}: not one of the labels of {dataset.name}")


def official_files(settings: Settings) -> list[File]:
    """The official files that these settings ask for."""
    return dataset_files(settings.dataset, Path(settings.paths.data))


def dataset_files(dataset: Dataset, data: Path) -> list[File]:
    """The official files of a data set: train first, then dev and test, then other splits."""

    def source(path: str) -> Source:
        encoding, companions = ENCODINGS.get(dataset.format, "utf-8"), COMPANIONS.get(dataset.format, "")
        return find_source(data, path, dataset.archive, encoding=encoding, companions=companions)

    found: list[File] = []
    for split in sorted(dataset.files, key=lambda name: SPLITS.index(name) if name in SPLITS else len(SPLITS)):
        entry = dataset.files[split]
        if isinstance(entry, str):
            found.append(File(split, split, source(entry), dataset.labels))
        else:
            found += [File(f"{split}.{label}", split, source(path), (label,)) for label, path in entry.items()]
    return found


def tree_files(settings: Settings) -> list[Source]:
    """The files with trees beside the set's own, where tokens are leaves of trees."""
    if settings.text.tokens != "parse":
        return []
    return [find_source(Path(settings.paths.data), path) for path in settings.dataset.parses]


def read_examples(settings: Settings, file: File, parses: Parses | None = None) -> Iterator[Example]:
    """The rows of a file that belong to its split; of trees in the training set also the parts that are wanted."""
    phrases = settings.text.phrases if file.split == SPLITS[0] else "sentences"
    five = phrases != "sentences" and settings.dataset.format == "sst"
    neutral = settings.dataset.labels[NEUTRAL] if five else ""
    for example in READERS[settings.dataset.format](file.source, file.labels):
        if example.split in (None, file.split):
            yield from training_examples(parses.add_parses(example) if parses else example, phrases, neutral)
