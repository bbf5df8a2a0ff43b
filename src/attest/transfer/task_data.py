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
from attest.data.dataset import SplitFile, dataset_files
from attest.data.fingerprint import join_hashes
from attest.data.readers import READERS, Example
from attest.data.readers.sts import read_sts
from attest.data.text.tokens import tokenise
from attest.errors import DataError
from attest.transfer.tasks import TASKS, Task, check_tasks


@dataclass(frozen=True)
class SplitExamples:
    """The examples of one split of a task, sorted by length."""

    sentences: tuple[Sequence[str], ...]
    """All first sentences and, for pairs, all second sentences: tokens joined by spaces. A sentence may be empty."""
    labels: np.ndarray
    """The class numbers or scores of the examples, (N,)."""

    def __len__(self) -> int:
        return len(self.labels)


@dataclass(frozen=True)
class TaskExamples:
    """The examples of a task, by split, and facts about its official files."""

    splits: Mapping[str, SplitExamples]
    classes: int
    """The number of classes; 0 for a task with scores."""
    fingerprint: str
    """A hash of the contents of the official files."""
    expected: Mapping[str, int]
    """The split -> the number of examples in the official files."""

    def sentences(self) -> Iterator[str]:
        """Yield every sentence of all splits."""
        for samples in self.splits.values():
            for side in samples.sentences:
                yield from side


def read_tasks(tasks: Sequence[str], data: Path) -> dict[str, TaskExamples]:
    """Read the named tasks from the official files in the folder `data`, and return their examples by the task's name.

    They are in the order of TASKS, so that the order of the names does not matter. Raise SettingsError for an unknown
    name.
    """
    check_tasks(tasks)
    return {name: read_task(task, data) for name, task in TASKS.items() if name in tasks}


def read_task(task: Task, data: Path) -> TaskExamples:
    """Read a task from the official files in the folder `data`; raise DataError if a split has no usable example."""
    dataset = dataset_settings(task.dataset)
    of_split: dict[str, list[SplitFile]] = {}
    for file in dataset_files(dataset, data):
        of_split.setdefault(file.split, []).append(file)
    labels = {label: number for number, label in enumerate(task.labels or dataset.labels)}
    graded = task.design in ("relatedness", "similarity")
    splits = {}
    for split, files in of_split.items():
        rows = [
            (
                *(tokens_of(task, sentence) for sentence in example.sentences),
                score_of(example) if graded else label_of(example, labels),
            )
            for example in examples_of_split(dataset, files)
            if graded or example.label is not None
        ]
        if not rows:
            raise DataError(f"{files[0].source}: no usable example in this file")
        splits[split] = sort_rows(rows)
    fingerprint = join_hashes([file.source.sha256 for files in of_split.values() for file in files])
    return TaskExamples(splits, 0 if graded else len(labels), fingerprint, dataset.expected)


def dataset_settings(name: str) -> Dataset:
    """Return the settings of a data set from conf/dataset/NAME.yaml."""
    return from_plain(Dataset, read_yaml(shipped_folder("conf") / "dataset" / f"{name}.yaml"), "dataset")


def examples_of_split(dataset: Dataset, files: Sequence[SplitFile]) -> Iterator[Example]:
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


def score_of(example: Example) -> float:
    """Return the score of an example that has one."""
    assert example.score is not None
    return example.score


def label_of(example: Example, labels: Mapping[str, int]) -> int:
    """Return the class number of an example that has a label."""
    assert example.label is not None
    return labels[example.label]


def sort_rows(rows: list[Any]) -> SplitExamples:
    """Return rows (tokens, ..., label) as samples, sorted by the lengths of the sentences, then by label.

    Rows that are equal in both keep the order of the file. The order decides which fold an example is in.
    """
    *sides, labels = zip(*sorted(rows, key=lambda row: (*map(len, row[:-1]), row[-1])), strict=True)
    return SplitExamples(tuple([" ".join(tokens) for tokens in side] for side in sides), np.array(labels))
