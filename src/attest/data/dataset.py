"""Data sets: their official files, the checks of their settings, and their examples."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from attest.config.error_words import did_you_mean
from attest.config.locate import own_folder_advice
from attest.config.settings import Dataset, Settings
from attest.data.files.text_folders import find_folders, read_text_folder
from attest.data.phrases import check_corpus_trees
from attest.data.readers import COMPANIONS, ENCODINGS, READERS, Example, Parses, Source, find_source
from attest.data.readers.columns import RECORDS, ROLES, SENTENCES, Columns, read_columns
from attest.data.readers.sst import NEUTRAL, TREES, training_examples
from attest.data.splits.split import OTHER_NAMES, POOL, SPLITS
from attest.errors import SettingsError

FOLDERS = "folders"
"""The format of folders of text files."""
Reader = Callable[[Source, Sequence[str]], Iterator[Example]]


@dataclass(frozen=True)
class File:
    """An official file of a data set."""

    name: str
    """The split, or SPLIT.LABEL if each class has a file of its own."""
    split: str
    source: Source
    labels: Sequence[str]
    """The classes that may occur in the file."""


def check_dataset(settings: Settings) -> None:
    """Raise a SettingsError if the settings of the data set, the text and the parser do not fit together."""
    check_corpus_trees(settings)
    dataset, text = settings.dataset, settings.text
    check_columns(dataset)
    if not dataset.files:
        raise SettingsError(f"dataset.files: no files of {dataset.name} are known; {own_folder_advice('its folder')}")
    if dataset.format not in (*READERS, *RECORDS, FOLDERS):
        raise SettingsError(f"dataset: {dataset.name} has no training data; use it with `attest transfer`")
    if text.phrases != "sentences" and dataset.format not in TREES:
        raise SettingsError(
            f"text.phrases: {text.phrases} needs labelled trees, which {dataset.name} lacks; set text.phrases=sentences"
        )
    wanted = TREES.get(dataset.format, len(dataset.labels))
    if len(dataset.labels) != wanted:
        raise SettingsError(
            f"dataset.labels: {len(dataset.labels)} names are given, but the format {dataset.format} has {wanted} "
            f"classes; give {wanted} names"
        )
    if not settings.predicts_scores and len(dataset.labels) < 2:
        raise SettingsError(f"dataset.labels: {len(dataset.labels)} given, but a classifier needs two classes or more")
    if repeated := [label for label in dict.fromkeys(dataset.labels) if dataset.labels.count(label) > 1]:
        raise SettingsError(f"dataset.labels: {', '.join(repeated)} twice; give each class once")
    if text.length_percentile < 100 and "train" not in dataset.files:
        raise SettingsError(
            f"text.length_percentile: {dataset.name} has no training set to measure lengths on; "
            "set text.length_percentile=100"
        )
    for split, entry in dataset.files.items():
        if split in OTHER_NAMES:
            raise SettingsError(f"dataset.files.{split}: write {OTHER_NAMES[split]}; the standard splits are "
                                f"{', '.join(SPLITS)}")  # fmt: skip
        if isinstance(entry, str) == (dataset.format == "lines"):
            wanted = "a file for each class" if dataset.format == "lines" else "one file"
            raise SettingsError(f"dataset.files.{split}: the format {dataset.format} needs {wanted} here")
        for label in () if isinstance(entry, str) else entry:
            if label not in dataset.labels:
                raise SettingsError(
                    f"dataset.files.{split}.{label}: not a label of {dataset.name}; use {', '.join(dataset.labels)}"
                )


def check_columns(dataset: Dataset) -> None:
    """Raise SettingsError if the columns of a data set do not fit its format, or lack one that examples need."""
    columns, roles = dataset.columns, set(dataset.columns)
    if dataset.format not in RECORDS:
        if columns:
            raise SettingsError(f"dataset.columns: only {', '.join(RECORDS)} have columns, and not {dataset.format}")
        return
    for role, column in columns.items():
        if role not in ROLES:
            raise SettingsError(f"dataset.columns.{role}: no role of a column.{did_you_mean(role, ROLES)} "
                                f"There are: {', '.join(ROLES)}.")  # fmt: skip
        if isinstance(column, int) and (column < 1 or dataset.format == "jsonl"):
            wanted = "the name of a field" if dataset.format == "jsonl" else "a name, or a number from 1"
            raise SettingsError(f"dataset.columns.{role}: expected {wanted}, got {column}")
    if len({type(column) for column in columns.values()}) > 1:
        raise SettingsError("dataset.columns: some are names and some are numbers; give all in one way")
    if roles & {"sentence", "sentence1", "sentence2"} not in [set(names) for names in SENTENCES]:
        raise SettingsError("dataset.columns: name either the column of sentence, or those of sentence1 and sentence2")
    if not roles & {"label", "score"}:
        raise SettingsError("dataset.columns: neither label nor score is named; name the column that is to be learnt")
    if "fold" in roles and list(dataset.files) != [POOL]:
        raise SettingsError("dataset.columns.fold: folds are made of one file; write files: {all: FILE}")
    if "score" in roles and "label" not in roles and len(dataset.labels) != dataset.grades:
        raise SettingsError(
            f"dataset.labels: {len(dataset.labels)} names are given, but scores have dataset.grades={dataset.grades}"
        )


def hard_file(dataset: Dataset, data: Path) -> File | None:
    """Return the file of the published hard test pairs, or None if there is none or it is not in the data folder."""
    here = dataset.hard and any((data / f"{dataset.hard}{suffix}").is_file() for suffix in ("", ".xz"))
    return File("hard", "hard", find_source(data, dataset.hard), dataset.labels) if here else None


def reader_of(dataset: Dataset) -> Reader:
    """Return the function that reads a file of the data set, given its classes."""
    if dataset.format in RECORDS:
        columns = Columns(dataset.columns, dataset.grades, tuple(dataset.files))
        return partial(read_columns, dataset.format, columns)
    return read_text_folder if dataset.format == FOLDERS else READERS[dataset.format]


def official_files(settings: Settings) -> list[File]:
    """Return the official files that the settings name, in the order of `dataset_files`."""
    return dataset_files(settings.dataset, Path(settings.paths.data))


def dataset_files(dataset: Dataset, data: Path) -> list[File]:
    """Return the files of a data set in the folder `data`.

    Those of the pool come first, then those of train, dev and test, then those of other splits in the order given.
    """

    def source(path: str) -> Source:
        encoding, companions = ENCODINGS.get(dataset.format, "utf-8"), COMPANIONS.get(dataset.format, "")
        return find_source(data, path, dataset.archive, encoding=encoding, companions=companions)

    files: list[File] = []
    first = (POOL, *SPLITS)  # the first split is the training text, and its words are numbered first
    for split in sorted(dataset.files, key=lambda name: first.index(name) if name in first else len(first)):
        entry = dataset.files[split]
        if dataset.format == FOLDERS and isinstance(entry, str):
            folders = find_folders(data, entry, dataset.labels).items()
            files += [File(f"{split}.{label}", split, folder, (label,)) for label, folder in folders]
        elif isinstance(entry, str):
            files.append(File(split, split, source(entry), dataset.labels))
        else:
            files += [File(f"{split}.{label}", split, source(path), (label,)) for label, path in entry.items()]
    return files


def tree_files(settings: Settings) -> list[Source]:
    """Return the files with additional trees of the data set; none unless text.tokens=parse."""
    if settings.text.tokens != "parse":
        return []
    return [find_source(Path(settings.paths.data), path) for path in settings.dataset.parses]


def read_examples(settings: Settings, file: File, parses: Parses | None = None) -> Iterator[Example]:
    """Yield the examples of a file that belong to its split; `parses` provides trees that the file lacks.

    For training sets of labelled trees, the phrases that text.phrases asks for are examples too.
    """
    phrases = settings.text.phrases if file.split == SPLITS[0] else "sentences"
    has_neutral = phrases != "sentences" and settings.dataset.format == "sst"
    neutral = settings.dataset.labels[NEUTRAL] if has_neutral else ""
    for example in reader_of(settings.dataset)(file.source, file.labels):
        if example.split in (None, file.split):
            yield from training_examples(parses.add_parses(example) if parses else example, phrases, neutral)
