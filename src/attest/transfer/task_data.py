"""The examples of a task, read from the official files and put into SentEval's order.

Legend: N examples.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from attest.config.paths import shipped_folder
from attest.config.schema import from_plain
from attest.config.settings import Dataset
from attest.config.yaml_files import read_yaml
from attest.data.dataset import File, dataset_files
from attest.data.fingerprint import join_hashes
from attest.data.readers import READERS, Example
from attest.data.readers.sts import read_sts
from attest.data.text.tokens import tokenise
from attest.errors import DataError
from attest.transfer.tasks import TASKS, Task, check_tasks


@dataclass(frozen=True)
class Samples:
    """The examples of one split, sorted by length."""

    sentences: tuple[Sequence[str], ...]
    """All first sentences and, for pairs, all second sentences: tokens joined by spaces. A sentence may be empty."""
    labels: np.ndarray
    """The class numbers or grades of the examples, (N,)."""

    def __len__(self) -> int:
        return len(self.labels)


@dataclass(frozen=True)
class TaskSets:
    """The examples of a task, by split, and facts about its official files."""

    splits: Mapping[str, Samples]
    classes: int
    """The number of classes; 0 for a task with grades."""
    fingerprint: str
    """A hash of the contents of the official files."""
    expected: Mapping[str, int]
    """The split -> the number of examples in the official files."""

    def sentences(self) -> Iterator[str]:
        """Yield every sentence of all splits."""
        for samples in self.splits.values():
            for side in samples.sentences:
                yield from side


def read_all(tasks: Sequence[str], data: Path) -> dict[str, TaskSets]:
    """Read the named tasks from the official files in the folder `data`, and return their examples by the task's name.

    They are in the order of TASKS, so that the order of the names does not matter. Raise SettingsError for an unknown
    name.
    """
    check_tasks(tasks)
    return {name: read(task, data) for name, task in TASKS.items() if name in tasks}


def read(task: Task, data: Path) -> TaskSets:
    """Read a task from the official files in the folder `data`; raise DataError if a split has no usable example."""
    dataset = load_dataset(task.dataset)
    of_split: dict[str, list[File]] = {}
    for file in dataset_files(dataset, data):
        of_split.setdefault(file.split, []).append(file)
    labels = {label: number for number, label in enumerate(task.labels or dataset.labels)}
    graded = task.design in ("relatedness", "similarity")
    splits = {}
    for split, files in of_split.items():
        rows = [
            (
                *(tokens_of(task, sentence) for sentence in example.sentences),
                grade_of(example) if graded else label_of(example, labels),
            )
            for example in read_examples(dataset, files)
            if graded or example.label is not None
        ]
        if not rows:
            raise DataError(f"{files[0].source}: no usable example in this file")
        splits[split] = sort_rows(rows)
    fingerprint = join_hashes([file.source.sha256 for files in of_split.values() for file in files])
    return TaskSets(splits, 0 if graded else len(labels), fingerprint, dataset.expected)


def load_dataset(name: str) -> Dataset:
    """Return the settings of a data set from conf/dataset/NAME.yaml."""
    return from_plain(Dataset, read_yaml(shipped_folder("conf") / "dataset" / f"{name}.yaml"), "dataset")


def read_examples(dataset: Dataset, files: Sequence[File]) -> Iterator[Example]:
    """Yield the examples of one split from its official files."""
    if dataset.format == "sts":
        sources = {file.labels[0]: file.source for file in files}
        yield from read_sts(sources["pairs"], sources["scores"])
    else:
        for file in files:
            yield from READERS[dataset.format](file.source, file.labels)


def tokens_of(task: Task, sentence: str) -> list[str]:
    """Return the tokens of a sentence, without the characters in `Task.removed_characters`."""
    for character in task.removed_characters:
        sentence = sentence.replace(character, "")
    return tokenise(sentence, None, task.text)


def grade_of(example: Example) -> float:
    """Return the grade of an example that has one."""
    assert example.score is not None
    return example.score


def label_of(example: Example, labels: Mapping[str, int]) -> int:
    """Return the class number of an example that has a label."""
    assert example.label is not None
    return labels[example.label]


def sort_rows(rows: list[Any]) -> Samples:
    """Return rows (tokens, ..., label) as samples, sorted by the lengths of the sentences, then by label.

    Rows that are equal in both keep the order of the file. The order decides which fold an example is in.
    """
    *sides, labels = zip(*sorted(rows, key=lambda row: (*map(len, row[:-1]), row[-1])), strict=True)
    return Samples(tuple([" ".join(tokens) for tokens in side] for side in sides), np.array(labels))
