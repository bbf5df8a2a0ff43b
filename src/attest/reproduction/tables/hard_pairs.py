"""Hard test pairs: those whose label cannot be predicted from the hypothesis alone (Gururangan et al. 2018).

Published pairs are a file beside the test set. Without one they are derived: a classifier that sees nothing but
hypotheses learns from the training set, and the test pairs that it labels wrongly are hard. Either way they are kept as
rows of the test file, so that the accuracy on them follows from the predictions of any run.
"""

import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from attest.config.flat import flatten
from attest.config.settings import Dataset, Settings
from attest.data.dataset import File, dataset_files, hard_file
from attest.data.readers import READERS, Example
from attest.data.text.tokens import treebank_tokens
from attest.errors import DataError, SettingsError
from attest.reproduction.specs.metric_names import HARD
from attest.runs import versions
from attest.runs.identity import digest
from attest.runs.records import Record, utc_now
from attest.runs.store import Store
from attest.system import environment

TOLERANCE = 1e-6
"""The tolerance at which the fit by Newton's method ends.

scikit-learn's default solver, lbfgs, ends sooner: the labels of tens of SNLI's test pairs would depend on rounding."""
MOST_ITERATIONS = 1000


@dataclass(frozen=True, kw_only=True)
class Classifier:
    """A logistic regression on the counts of word n-grams of a hypothesis, tokenised by treebank rules in lower case.

    Its settings were fixed beforehand and are not tuned: selecting them by test pairs would select what is hard.
    """

    longest: int = 2
    """The largest number of words in an n-gram."""
    least: int = 2
    """The smallest number of training hypotheses in which an n-gram occurs; rarer n-grams are ignored."""
    strength: float = 1.0
    """The inverse of the strength of regularisation: scikit-learn's C."""

    def fit(self, hypotheses: Sequence[str], labels: Sequence[str]) -> Any:
        """Return a fitted pipeline of scikit-learn that predicts the label of a hypothesis.

        Raise SettingsError without scikit-learn, and DataError if the fit does not converge.
        """
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
            except ValueError as error:  # such as one class alone, or no words that occur often enough
                reason = " ".join(str(error).split())
                raise DataError(f"no classifier of the hypotheses can be fitted to these examples: {reason}") from error


def find_hard(settings: Settings, classifier: Classifier | None = None) -> Record:
    """Return the record of the hard test pairs of a data set, stored or new; its arrays hold their rows.

    Raise SettingsError if the data set has no hypotheses.
    """
    dataset, data, classifier = settings.dataset, Path(settings.paths.data), classifier or Classifier()
    if dataset.format != "nli":
        raise SettingsError(f"{dataset.name} has no hypotheses; hard pairs are of sets such as snli and multinli")
    published = hard_file(dataset, data)
    beside = file_of("train", dataset, data) if published is None else published
    tested = file_of("test", dataset, data)
    known, test = labelled_examples(beside), labelled_examples(tested)
    origin, ways = ("derived", flatten(classifier)) if published is None else ("published", {})
    chosen = {"subset": HARD, "origin": origin, "dataset.name": dataset.name, **ways}
    fingerprint = digest([beside.source.sha256, tested.source.sha256])
    identity, store = digest([chosen, versions.SUBSET, fingerprint]), Store(Path(settings.paths.records))
    if (record := store.get(identity)) is not None:
        return record
    if published is None:
        rows, metrics = derive_rows(classifier, known, test)
    else:
        rows, metrics = published_rows(known, test, partial=len(test) < dataset.expected.get("test", 0)), {}
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
        finished=utc_now(),
    )
    store.put(record, {"rows": rows})
    return record


def file_of(split: str, dataset: Dataset, data: Path) -> File:
    """Return the official file of one split, whether or not those of other splits are in the data folder."""
    (file,) = dataset_files(replace(dataset, files={split: dataset.files[split]}), data)
    return file


def labelled_examples(file: File) -> list[Example]:
    """Return the examples of a file that have a label; raise DataError if there are none."""
    examples = [example for example in READERS["nli"](file.source, file.labels) if example.label is not None]
    if not examples:
        raise DataError(f"{file.source}: holds no labelled example")
    return examples


def derive_rows(
    classifier: Classifier, train: Sequence[Example], test: Sequence[Example]
) -> tuple[np.ndarray, dict[str, float]]:
    """Return the rows of the test pairs that the classifier labels wrongly, and its accuracy on train and test."""
    model = classifier.fit(*hypotheses_and_labels(train))
    wrong = {name: wrong_labels(model, pairs) for name, pairs in (("train", train), ("test", test))}
    metrics = {f"{name}/accuracy": 100 * float(1 - wrong_N.mean()) for name, wrong_N in wrong.items()}
    return np.array([pair.row for pair in test])[wrong["test"]], metrics


def wrong_labels(model: Any, pairs: Sequence[Example]) -> np.ndarray:
    """Return (N,) whether the classifier labels each pair wrongly."""
    hypotheses, labels = hypotheses_and_labels(pairs)
    return np.asarray(model.predict(hypotheses)) != np.asarray(labels)


def hypotheses_and_labels(pairs: Sequence[Example]) -> tuple[list[str], list[str]]:
    """Return the hypotheses of the pairs, and their labels."""
    return [pair.sentences[1] for pair in pairs], [str(pair.label) for pair in pairs]


def published_rows(pairs: Sequence[Example], test: Sequence[Example], *, partial: bool) -> np.ndarray:
    """Return the rows of the test file that hold the published pairs.

    They are found by pairID or, if any pair has none, by text and label; a text that is not there, by its letters and
    digits, since some copies are tokenised. Raise DataError for a published pair that is not in the test set, unless
    the test set is `partial`.
    """
    keys: tuple[Callable[[Example], object], ...] = (exact_text, letters_and_digits)
    if all(pair.name is not None for pair in (*pairs, *test)):
        keys = (lambda pair: pair.name,)
    found: list[int] = []
    left = list(pairs)
    for key in keys:
        rows: dict[object, list[int]] = {}
        for pair in test if left else ():
            rows.setdefault(key(pair), []).append(pair.row)
        found += [row for pair in left for row in rows.get(key(pair), ())]
        left = [pair for pair in left if key(pair) not in rows]
    if left and not (partial and found):
        raise left[0].error("this pair is not in the test set, and all hard pairs are")
    return np.unique(found)


def exact_text(pair: Example) -> object:
    """Return the sentences of a pair, and its label."""
    return pair.sentences, pair.label


def letters_and_digits(pair: Example) -> object:
    """Return the letters and digits of the sentences of a pair in lower case, and its label."""
    return tuple(re.sub(r"[\W_]+", "", text.lower()) for text in pair.sentences), pair.label
