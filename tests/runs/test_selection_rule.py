"""The rule that selected the weights names its measure, and the measure is read back."""

import pytest

from attest.runs.selection_rule import measure_of_rule, selection_rule


@pytest.mark.parametrize("measure", ["accuracy", "pearson", "f1", "my/measure"])
def test_the_measure_of_a_rule_is_read_back(measure):
    assert measure_of_rule(selection_rule(measure)) == measure


def test_another_sentence_names_no_measure():
    assert measure_of_rule("the last step") is None
