"""A classifier that sees the hypothesis of a pair alone."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attest.data.readers import Example
from attest.data.text.tokens import treebank_tokens
from attest.errors import DataError, SettingsError

TOLERANCE = 1e-6
"""The tolerance at which the fit by Newton's method ends.

scikit-learn's default solver, lbfgs, ends sooner: the labels of tens of SNLI's test pairs would depend on rounding."""
MAX_ITERATIONS = 1000


@dataclass(frozen=True, kw_only=True)
class HypothesisClassifier:
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
            LogisticRegression(C=self.strength, solver="newton-cg", tol=TOLERANCE, max_iter=MAX_ITERATIONS),
        )
        with warnings.catch_warnings():
            warnings.simplefilter("error", ConvergenceWarning)
            try:
                return model.fit(list(hypotheses), list(labels))
            except ConvergenceWarning as error:
                raise DataError(
                    f"the classifier of hypotheses did not converge in {MAX_ITERATIONS:,} iterations; check that the "
                    "training file is complete"
                ) from error
            except ValueError as error:  # such as one class alone, or no words that occur often enough
                reason = " ".join(str(error).split())
                raise DataError(f"no classifier of the hypotheses can be fitted to these examples: {reason}") from error


def wrong_labels(model: Any, pairs: Sequence[Example]) -> np.ndarray:
    """Return (N,) whether the classifier labels each pair wrongly."""
    hypotheses, labels = hypotheses_and_labels(pairs)
    return np.asarray(model.predict(hypotheses)) != np.asarray(labels)


def hypotheses_and_labels(pairs: Sequence[Example]) -> tuple[list[str], list[str]]:
    """Return the hypotheses of the pairs, and their labels."""
    return [pair.sentences[1] for pair in pairs], [str(pair.label) for pair in pairs]
