"""Hard test pairs: those whose label cannot be told from the hypothesis alone (Gururangan et al. 2018).

Published ones are a file beside the test set. Where none is at hand they are derived: a classifier that sees nothing
but hypotheses learns from the training set, and the test pairs that it labels wrongly are hard. Both are kept as rows
of the test file, so that accuracy on them is a view over the predictions of any run.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from attest.config.schema import flatten
from attest.config.settings import Dataset, Settings
from attest.data.dataset import File, dataset_files
from attest.data.readers import READERS, Example, Source, find_source
from attest.data.text.tokens import treebank_tokens
from attest.errors import DataError, SettingsError
from attest.reproduction.specs.metric_names import HARD
from attest.runs import versions
from attest.runs.identity import digest
from attest.runs.records import Record, Store, now
from attest.system import environment

TOLERANCE = 1e-6
"""Newton's method comes down to it in few steps. The quasi-Newton one that scikit-learn takes otherwise ends sooner,
and leaves tens of SNLI's test pairs to how numbers were rounded on the way."""
MOST_ITERATIONS = 1000


@dataclass(frozen=True, kw_only=True)
class Classifier:
    """Logistic regression over how often each word n-gram occurs in a hypothesis, by treebank rules and in lower case.

    Chosen beforehand and not tuned: whatever looks at test pairs to choose these settings chooses what is hard.
    """

    longest: int = 2
    """Words of an n-gram."""
    least: int = 2
    """Training hypotheses that an n-gram has to occur in."""
    strength: float = 1.0
    """Weights are pulled to zero by 1 / strength; scikit-learn's C."""

    def fit(self, hypotheses: Sequence[str], labels: Sequence[str]) -> Any:
        """A pipeline of scikit-learn, which predicts labels of hypotheses."""
        try:
            from sklearn.exceptions import ConvergenceWarning
            from sklearn.feature_extraction.text import CountVectorizer
            from sklearn.linear_model import LogisticRegression
            from sklearn.pipeline import make_pipeline
        except ImportError as error:
            raise SettingsError("hard pairs are derived by scikit-learn: pip install 'attest[transfer]'") from error
        counts = CountVectorizer(
            tokenizer=treebank_tokens,
            token_pattern=None,  # type: ignore[arg-type]  # as scikit-learn wants it beside a tokenizer
            ngram_range=(1, self.longest),
            min_df=self.least,
        )
        model = make_pipeline(
            counts,
            LogisticRegression(C=self.strength, solver="newton-cg", tol=TOLERANCE, max_iter=MOST_ITERATIONS),
        )
        with warnings.catch_warnings():
            warnings.simplefilter("error", ConvergenceWarning)
            try:
                return model.fit(list(hypotheses), list(labels))
            except ConvergenceWarning as error:
                raise DataError(
                    f"the classifier of hypotheses has not come to rest after {MOST_ITERATIONS:,} iterations"
                ) from error


def find_hard(settings: Settings, classifier: Classifier | None = None) -> Record:
    """The record of the hard test pairs of a data set, from the store if it is there. The rows are in its arrays."""
    dataset, data, classifier = settings.dataset, Path(settings.paths.data), classifier or Classifier()
    if dataset.format != "nli":
        raise SettingsError(f"{dataset.name} has no hypotheses; hard pairs are of sets such as snli and multinli")
    published = published_file(dataset, data)
    beside = file_of("train", dataset, data) if published is None else File(HARD, HARD, published, dataset.labels)
    tested = file_of("test", dataset, data)
    known, test = labelled_examples(beside), labelled_examples(tested)
    origin, ways = ("derived", flatten(classifier)) if published is None else ("published", {})
    chosen = {"subset": HARD, "origin": origin, "dataset.name": dataset.name, **ways}
    fingerprint = digest([beside.source.sha256, tested.source.sha256])
    identity, store = digest([chosen, versions.SUBSET, fingerprint]), Store(Path(settings.paths.records))
    if (record := store.get(identity)) is not None:
        return record
    rows, metrics = (
        derive_rows(classifier, known, test) if published is None else (published_rows(published, known, test), {})
    )
    used = {beside.split: known, "test": test}
    record = Record(
        id=identity,
        kind="subset",
        status="done",
        settings=chosen,
        versions={"subset": versions.SUBSET},
        data={
            "fingerprint": fingerprint,
            "splits": {
                split: {"labelled": len(pairs), "sha256": file.source.sha256}
                for (split, pairs), file in zip(used.items(), (beside, tested), strict=True)
            },
            "expected": {"splits": {split: dataset.expected[split] for split in used if split in dataset.expected}},
        },
        seed=0,
        metrics={**metrics, f"test/{HARD}": len(rows), "test/easy": len(test) - len(rows)},
        environment=environment.describe(),
        finished=now(),
    )
    store.put(record, {"rows": rows})
    return record


def published_file(dataset: Dataset, data: Path) -> Source | None:
    """The official list, if there is one and it is here."""
    here = dataset.hard and any((data / f"{dataset.hard}{suffix}").is_file() for suffix in ("", ".xz"))
    return find_source(data, dataset.hard) if here else None


def file_of(split: str, dataset: Dataset, data: Path) -> File:
    """The official file of one split; others need not be here."""
    (file,) = dataset_files(replace(dataset, files={split: dataset.files[split]}), data)
    return file


def labelled_examples(file: File) -> list[Example]:
    found = [example for example in READERS["nli"](file.source, file.labels) if example.label is not None]
    if not found:
        raise DataError(f"{file.source}: holds no labelled example")
    return found


def derive_rows(
    classifier: Classifier, train: Sequence[Example], test: Sequence[Example]
) -> tuple[np.ndarray, dict[str, float]]:
    """The rows that the classifier labels wrongly, and how often it is right."""
    model = classifier.fit(*hypotheses_and_labels(train))
    wrong = {name: wrong_labels(model, pairs) for name, pairs in (("train", train), ("test", test))}
    metrics = {f"{name}/accuracy": 100 * float(1 - wrong_N.mean()) for name, wrong_N in wrong.items()}
    return np.array([pair.row for pair in test])[wrong["test"]], metrics


def wrong_labels(model: Any, pairs: Sequence[Example]) -> np.ndarray:
    """(N,) whether a pair is labelled wrongly by its hypothesis alone."""
    hypotheses, labels = hypotheses_and_labels(pairs)
    return np.asarray(model.predict(hypotheses)) != np.asarray(labels)


def hypotheses_and_labels(pairs: Sequence[Example]) -> tuple[list[str], list[str]]:
    """Hypotheses, and their labels."""
    return [pair.sentences[1] for pair in pairs], [str(pair.label) for pair in pairs]


def published_rows(published: Source, pairs: Sequence[Example], test: Sequence[Example]) -> np.ndarray:
    """The rows of the test file with the published pairs: by pairID, or by text and label where that is missing."""
    named = all(pair.name is not None for pair in (*pairs, *test))

    def key(pair: Example) -> object:
        return pair.name if named else (pair.sentences, pair.label)

    rows: dict[object, list[int]] = {}
    for pair in test:
        rows.setdefault(key(pair), []).append(pair.row)
    for pair in pairs:
        if key(pair) not in rows:
            raise published.error(pair.row + 1, "this pair is not in the test set, and all hard pairs are")
    return np.unique([row for pair in pairs for row in rows[key(pair)]])
