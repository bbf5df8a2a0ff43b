"""Official files to the sentences of a task, in the order in which SentEval has them.

Legend: N examples.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from attest.config.paths import shipped
from attest.config.schema import parse
from attest.config.settings import Dataset
from attest.config.yaml_files import read_yaml
from attest.data.dataset import File, dataset_files
from attest.data.readers import READERS, Example
from attest.data.readers.sts import read_sts
from attest.data.text.tokens import tokenise
from attest.errors import DataError
from attest.transfer.tasks import TASKS, Task, check


@dataclass(frozen=True)
class Samples:
    """The examples of one split, short ones first."""

    sentences: tuple[Sequence[str], ...]
    """The first sentence of each example and, of pairs, the second: tokens joined by spaces. Some have no token."""
    labels: np.ndarray
    """(N,) class numbers, or grades."""

    def __len__(self) -> int:
        return len(self.labels)


@dataclass(frozen=True)
class Sets:
    """Everything that a task is about."""

    splits: Mapping[str, Samples]
    classes: int
    fingerprint: str
    """Of the official files by content."""
    expected: Mapping[str, int]
    """Split -> the official number of examples."""

    def sentences(self) -> Iterator[str]:
        for samples in self.splits.values():
            for side in samples.sentences:
                yield from side


def read_all(tasks: Sequence[str], data: Path) -> dict[str, Sets]:
    check(tasks)
    return {name: read(TASKS[name], data) for name in tasks}


def read(task: Task, data: Path) -> Sets:
    """The sets of a task from the official files in the folder `data`."""
    dataset = described(task.dataset)
    of_split: dict[str, list[File]] = {}
    for file in dataset_files(dataset, data):
        of_split.setdefault(file.split, []).append(file)
    labels = {label: number for number, label in enumerate(task.labels or dataset.labels)}
    graded = task.design in ("relatedness", "similarity")
    splits = {}
    for split, several in of_split.items():
        rows = [
            (
                *(cut(task, sentence) for sentence in example.sentences),
                grade(example) if graded else label(example, labels),
            )
            for example in examples(dataset, several)
            if graded or example.label is not None
        ]
        if not rows:
            raise DataError(f"{several[0].source}: holds no example that can be used")
        splits[split] = in_order(rows)
    hashes = " ".join(file.source.sha256 for several in of_split.values() for file in several)
    fingerprint = hashlib.sha256(hashes.encode()).hexdigest()[:16]
    return Sets(splits, 0 if graded else len(labels), fingerprint, dataset.expected)


def described(name: str) -> Dataset:
    return parse(Dataset, read_yaml(shipped("conf") / "dataset" / f"{name}.yaml"), "dataset")


def examples(dataset: Dataset, several: Sequence[File]) -> Iterator[Example]:
    if dataset.format == "sts":
        sources = {file.labels[0]: file.source for file in several}
        yield from read_sts(sources["pairs"], sources["scores"])
    else:
        for file in several:
            yield from READERS[dataset.format](file.source, file.labels)


def cut(task: Task, sentence: str) -> list[str]:
    for character in task.without:
        sentence = sentence.replace(character, "")
    return tokenise(sentence, None, task.text)


def grade(example: Example) -> float:
    assert example.score is not None
    return example.score


def label(example: Example, labels: Mapping[str, int]) -> int:
    assert example.label is not None
    return labels[example.label]


def in_order(rows: list[Any]) -> Samples:
    """By the lengths of the sentences, then by label, then as in the file: the order decides which fold a row is in."""
    *sides, labels = zip(*sorted(rows, key=lambda row: (*map(len, row[:-1]), row[-1])), strict=True)
    return Samples(tuple([" ".join(tokens) for tokens in side] for side in sides), np.array(labels))
