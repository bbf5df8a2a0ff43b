"""Data sets: their official files, the checks of their settings, and their examples."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from attest.config.error_words import did_you_mean
from attest.config.locate import own_folder_advice
from attest.config.settings import Dataset, Settings
from attest.data.files.text_folders import find_folders, read_text_folder
from attest.data.phrases import check_phrase_settings
from attest.data.readers import COMPANIONS, ENCODINGS, READERS, Example, Parses, Source, find_source
from attest.data.readers.columns import COLUMN_READERS, ROLES, SENTENCES, Columns, read_columns
from attest.data.readers.sst import CLASSES_OF_TREE_FORMAT, NEUTRAL, training_examples
from attest.data.splits.split import OTHER_NAMES, POOL, SPLITS
from attest.errors import SettingsError

FOLDERS = "folders"
"""The format of folders of text files."""
Reader = Callable[[Source, Sequence[str]], Iterator[Example]]


@dataclass(frozen=True)
class SplitFile:
    """A file of a data set in its role: the source, the split that it belongs to, and the classes that it may hold."""

    name: str
    """The split, or SPLIT.LABEL if each class has a file of its own."""
    split: str
    source: Source
    labels: Sequence[str]
    """The classes that may occur in the file."""


def check_dataset(settings: Settings) -> None:
    """Raise a SettingsError if the settings of the data set, the text and the parser do not fit together."""
    check_phrase_settings(settings)
    dataset, text = settings.dataset, settings.text
    check_columns(dataset)
    if not dataset.files:
        raise SettingsError(f"dataset.files: no files of {dataset.name} are known; {own_folder_advice('its folder')}")
    if dataset.format not in (*READERS, *COLUMN_READERS, FOLDERS):
        raise SettingsError(f"dataset: {dataset.name} has no training data; use it with `attest transfer`")
    if text.phrases != "sentences" and dataset.format not in CLASSES_OF_TREE_FORMAT:
        raise SettingsError(
            f"text.phrases: {text.phrases} needs labelled trees, which {dataset.name} lacks; set text.phrases=sentences"
        )
    wanted = CLASSES_OF_TREE_FORMAT.get(dataset.format, len(dataset.labels))
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
            one_each = dataset.format == "lines"
            wanted, typed = ("a file for each class", "{LABEL: FILE, ...}") if one_each else ("one file", "FILE")
            raise SettingsError(
                f"dataset.files.{split}: the format {dataset.format} needs {wanted}; write {split}: {typed}"
            )
        for label in () if isinstance(entry, str) else entry:
            if label not in dataset.labels:
                raise SettingsError(
                    f"dataset.files.{split}.{label}: not a label of {dataset.name}; use {', '.join(dataset.labels)}"
                )


def check_columns(dataset: Dataset) -> None:
    """Raise SettingsError if the columns of a data set do not fit its format, or lack one that examples need."""
    columns, roles = dataset.columns, set(dataset.columns)
    if dataset.format not in COLUMN_READERS:
        if columns:
            raise SettingsError(
                f"dataset.columns: the format {dataset.format} has no columns ({', '.join(COLUMN_READERS)} have); "
                "remove dataset.columns"
            )
        return
    for role, column in columns.items():
        if role not in ROLES:
            raise SettingsError(
                f"dataset.columns.{role}: unknown role.{did_you_mean(role, ROLES)} Roles: {', '.join(ROLES)}."
            )
        if isinstance(column, int) and (column < 1 or dataset.format == "jsonl"):
            wanted = "the name of a field" if dataset.format == "jsonl" else "a name, or a number from 1"
            raise SettingsError(f"dataset.columns.{role}: expected {wanted}, got {column}")
    if len({type(column) for column in columns.values()}) > 1:
        raise SettingsError(
            "dataset.columns: some columns are given by name and some by number; give all by name or all by number"
        )
    if roles & {"sentence", "sentence1", "sentence2"} not in [set(names) for names in SENTENCES]:
        raise SettingsError("dataset.columns: name either the column of sentence, or those of sentence1 and sentence2")
    if not roles & {"label", "score"}:
        raise SettingsError("dataset.columns: neither label nor score is named; name the column that is to be learnt")
    if "fold" in roles and list(dataset.files) != [POOL]:
        raise SettingsError("dataset.columns.fold: folds are made of one file; write files: {all: FILE}")
    if "score" in roles and "label" not in roles and len(dataset.labels) != dataset.grades:
        raise SettingsError(
            f"dataset.labels: {len(dataset.labels)} names are given, but scores have dataset.grades={dataset.grades}; "
            f"give {dataset.grades} names or set dataset.grades={len(dataset.labels)}"
        )


def hard_file(dataset: Dataset, data: Path) -> SplitFile | None:
    """Return the file of the published hard test pairs, or None if there is none or it is not in the data folder."""
    here = dataset.hard and any((data / f"{dataset.hard}{suffix}").is_file() for suffix in ("", ".xz"))
    return SplitFile("hard", "hard", find_source(data, dataset.hard), dataset.labels) if here else None


def reader_of(dataset: Dataset) -> Reader:
    """Return the function that reads a file of the data set, given its classes."""
    if dataset.format in COLUMN_READERS:
        columns = Columns(dataset.columns, dataset.grades, tuple(dataset.files))
        return partial(read_columns, dataset.format, columns)
    return read_text_folder if dataset.format == FOLDERS else READERS[dataset.format]


def official_files(settings: Settings) -> list[SplitFile]:
    """Return the official files that the settings name, in the order of `dataset_files`."""
    return dataset_files(settings.dataset, Path(settings.paths.data))


def dataset_files(dataset: Dataset, data: Path) -> list[SplitFile]:
    """Return the files of a data set in the folder `data`.

    Those of the pool come first, then those of train, dev and test, then those of other splits in the order given.
    """

    def source(path: str) -> Source:
        encoding, companions = ENCODINGS.get(dataset.format, "utf-8"), COMPANIONS.get(dataset.format, "")
        return find_source(data, path, dataset.archive, encoding=encoding, companions=companions)

    files: list[SplitFile] = []
    first = (POOL, *SPLITS)  # the first split is the training text, and its words are numbered first
    for split in sorted(dataset.files, key=lambda name: first.index(name) if name in first else len(first)):
        entry = dataset.files[split]
        if dataset.format == FOLDERS and isinstance(entry, str):
            folders = find_folders(data, entry, dataset.labels).items()
            files += [SplitFile(f"{split}.{label}", split, folder, (label,)) for label, folder in folders]
        elif isinstance(entry, str):
            files.append(SplitFile(split, split, source(entry), dataset.labels))
        else:
            files += [SplitFile(f"{split}.{label}", split, source(path), (label,)) for label, path in entry.items()]
    return files


def tree_files(settings: Settings) -> list[Source]:
    """Return the files with additional trees of the data set; none unless text.tokens=parse."""
    if settings.text.tokens != "parse":
        return []
    return [find_source(Path(settings.paths.data), path) for path in settings.dataset.parses]


def read_examples(settings: Settings, file: SplitFile, parses: Parses | None = None) -> Iterator[Example]:
    """Yield the examples of a file that belong to its split; `parses` provides trees that the file lacks.

    For training sets of labelled trees, the phrases that text.phrases asks for are examples too.
    """
    phrases = settings.text.phrases if file.split == SPLITS[0] else "sentences"
    has_neutral = phrases != "sentences" and settings.dataset.format == "sst"
    neutral = settings.dataset.labels[NEUTRAL] if has_neutral else ""
    for example in reader_of(settings.dataset)(file.source, file.labels):
        if example.split in (None, file.split):
            yield from training_examples(parses.add_parses(example) if parses else example, phrases, neutral)
