"""Hard test pairs: those whose label cannot be predicted from the hypothesis alone (Gururangan et al. 2018).

Published pairs are a file beside the test set. Without one they are derived: a classifier that sees nothing but
hypotheses learns from the training set, and the test pairs that it labels wrongly are hard. Either way they are kept as
rows of the test file, so that the accuracy on them follows from the predictions of any run.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from attest.config.flat import flatten
from attest.config.settings import Dataset, Settings
from attest.data.dataset import SplitFile, dataset_files, hard_file
from attest.data.readers import READERS, Example
from attest.errors import DataError, SettingsError
from attest.reproduction.specs.metric_names import HARD
from attest.reproduction.tables.hypothesis_classifier import HypothesisClassifier, hypotheses_and_labels, wrong_labels
from attest.runs import versions
from attest.runs.identity import digest
from attest.runs.records import Record, utc_now
from attest.runs.store import Store
from attest.system import environment


def hard_pairs_record(settings: Settings, classifier: HypothesisClassifier | None = None) -> Record:
    """Return the record of the hard test pairs of a data set; find and store them if no record has them.

    The arrays of the record hold the rows of the pairs.

    Raise SettingsError if the data set has no hypotheses.
    """
    dataset, data, classifier = settings.dataset, Path(settings.paths.data), classifier or HypothesisClassifier()
    if dataset.format != "nli":
        raise SettingsError(f"{dataset.name} has no hypotheses; hard pairs are of sets such as snli and multinli")
    published = hard_file(dataset, data)
    beside = file_of("train", dataset, data) if published is None else published
    tested = file_of("test", dataset, data)
    source_pairs, test = labelled_examples(beside), labelled_examples(tested)
    origin, classifier_settings = ("derived", flatten(classifier)) if published is None else ("published", {})
    subset_settings = {"subset": HARD, "origin": origin, "dataset.name": dataset.name, **classifier_settings}
    facts = data_facts(dataset, [(beside, source_pairs), (tested, test)])
    identity = digest([subset_settings, versions.SUBSET, facts["fingerprint"]])
    store = Store(Path(settings.paths.records))
    if (record := store.get(identity)) is not None:
        return record
    if published is None:
        rows, metrics = derive_rows(classifier, source_pairs, test)
    else:
        rows, metrics = published_rows(source_pairs, test, partial=len(test) < dataset.expected.get("test", 0)), {}
    record = Record(
        id=identity,
        kind="subset",
        status="done",
        settings=subset_settings,
        versions={"subset": versions.SUBSET},
        data=facts,
        seed=0,
        metrics={**metrics, f"test/{HARD}": len(rows), "test/easy": len(test) - len(rows)},
        environment=environment.describe(),
        finished=utc_now(),
    )
    store.put(record, {"rows": rows})
    return record


def data_facts(dataset: Dataset, files: Sequence[tuple[SplitFile, Sequence[Example]]]) -> dict[str, Any]:
    """Return the facts of the files that hard pairs follow from, each given with its labelled examples."""
    splits = {file.split: {"labelled": len(pairs), "sha256": file.source.sha256} for file, pairs in files}
    expected = {split: dataset.expected[split] for split in splits if split in dataset.expected}
    fingerprint = digest([file.source.sha256 for file, _ in files])
    return {"fingerprint": fingerprint, "splits": splits, "expected": {"splits": expected}}


def file_of(split: str, dataset: Dataset, data: Path) -> SplitFile:
    """Return the official file of one split, whether or not those of other splits are in the data folder.

    Raise SettingsError if the data set has no such split.
    """
    if split not in dataset.files:
        raise SettingsError(f"dataset.files.{split}: missing; {dataset.name} has only {', '.join(dataset.files)}, and "
                            "hard pairs need train and test")  # fmt: skip
    (file,) = dataset_files(replace(dataset, files={split: dataset.files[split]}), data)
    return file


def labelled_examples(file: SplitFile) -> list[Example]:
    """Return the examples of a file that have a label; raise DataError if there are none."""
    examples = [example for example in READERS["nli"](file.source, file.labels) if example.label is not None]
    if not examples:
        raise DataError(f"{file.source}: holds no labelled example")
    return examples


def derive_rows(
    classifier: HypothesisClassifier, train: Sequence[Example], test: Sequence[Example]
) -> tuple[np.ndarray, dict[str, float]]:
    """Return the rows of the test pairs that the classifier labels wrongly, and its accuracy on train and test."""
    model = classifier.fit(*hypotheses_and_labels(train))
    wrong = {name: wrong_labels(model, pairs) for name, pairs in (("train", train), ("test", test))}
    metrics = {f"{name}/accuracy": 100 * float(1 - wrong_N.mean()) for name, wrong_N in wrong.items()}
    return np.array([pair.row for pair in test])[wrong["test"]], metrics


def published_rows(pairs: Sequence[Example], test: Sequence[Example], *, partial: bool) -> np.ndarray:
    """Return the rows of the test file that hold the published pairs.

    They are found by pairID or, if any pair has none, by text and label; a text that is not there, by its letters and
    digits, since some copies are tokenised. Raise DataError for a published pair that is not in the test set, unless
    the test set is `partial`.
    """
    keys: tuple[Callable[[Example], object], ...] = (exact_text, letters_and_digits)
    if all(pair.name is not None for pair in (*pairs, *test)):
        keys = (lambda pair: pair.name,)
    matched: list[int] = []
    left = list(pairs)
    for key in keys:
        rows: dict[object, list[int]] = {}
        for pair in test if left else ():
            rows.setdefault(key(pair), []).append(pair.row)
        matched += [row for pair in left for row in rows.get(key(pair), ())]
        left = [pair for pair in left if key(pair) not in rows]
    if left and not (partial and matched):
        raise left[0].error("this pair is not in the test set, and all hard pairs are")
    return np.unique(matched)


def exact_text(pair: Example) -> object:
    """Return the sentences of a pair, and its label."""
    return pair.sentences, pair.label


def letters_and_digits(pair: Example) -> object:
    """Return the letters and digits of the sentences of a pair in lower case, and its label."""
    return tuple(re.sub(r"[\W_]+", "", text.lower()) for text in pair.sentences), pair.label
