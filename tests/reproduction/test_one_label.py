"""Runs that give every test item the same label are named."""

import numpy as np
import pytest
from reproduction.made_up import SPEC, data, record

from attest.reproduction.pages.table_page import render_table
from attest.reproduction.tables.build import build
from attest.reproduction.tables.item_errors import ItemPredictions
from attest.reproduction.tables.one_label import gives_one_label

GOLD = np.array([0, 0, 0, 1, 1, 2, 2, 2])


def run(accuracy):
    facts = data()
    facts["splits"]["test"]["labels"] = {"a": 3, "b": 2, "c": 3}
    return record("disan", test=accuracy, data=facts)


def predictions(predicted):
    return lambda record, metric: ItemPredictions(np.arange(8), GOLD, np.array(predicted))


@pytest.mark.parametrize(
    ("accuracy", "predicted", "found"),
    [
        (25.0, [1] * 8, True),
        (25.00000037, [1] * 8, True),  # rounded to fp32
        (25.0, [0, 0, 1, 2, 2, 0, 0, 0], False),  # the share of a label by chance
        (50.0, [0, 0, 0, 1, 0, 0, 0, 0], False),
    ],
)
def test_one_label(accuracy, predicted, found):
    assert gives_one_label(run(accuracy), predictions(predicted)) == found


def test_without_stored_predictions_nothing_is_said():
    assert not gives_one_label(run(25.0), lambda record, metric: None)
    assert not gives_one_label(record("disan"), predictions([1] * 8))


def test_the_page_names_the_run():
    made = run(25.0)
    text = render_table(build(SPEC, "paper", [made], predictions([1] * 8)))
    assert f"- These runs give every test item the same label, so that their accuracy is its share: {made.id} (" in text
