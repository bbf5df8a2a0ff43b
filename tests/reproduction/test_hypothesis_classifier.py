import pytest

from attest.errors import DataError
from attest.reproduction.tables.hypothesis_classifier import HypothesisClassifier


@pytest.mark.parametrize(
    ("hypotheses", "labels", "reason"),
    [(["a b", "a c"], ["x", "x"], "at least 2 classes"), (["a", "b"], ["x", "y"], "no terms remain")],
)
def test_too_few_examples_for_a_classifier(hypotheses, labels, reason):
    with pytest.raises(DataError, match=f"no classifier of the hypotheses can be fitted to these examples: .*{reason}"):
        HypothesisClassifier().fit(hypotheses, labels)
