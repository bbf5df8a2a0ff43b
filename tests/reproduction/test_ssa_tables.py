"""The tables of SSA: the paper's figures, our counts beside them, and how the two protocols differ."""

import pytest

from attest.config.compose import compose
from attest.config.flat import flatten
from attest.reproduction.pages.table_page import render_table
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.build import build
from attest.reproduction.tables.cells import cells
from attest.reproduction.tables.model_sizes import model_size, parameter_count

OTHER = 962_400 + 350 * 600 + 30 * 350
"""Of Yelp and Age: LSTMs over 100 numbers a word, and the attention."""
OF_SNLI = 1_442_400 + 94_500 + 21_600_000


def printed(name, columns):
    return {row: [each.paper[column].value for column in columns] for row, each in load_table(name).rows.items()}


def test_the_papers_figures():
    assert list(printed("ssa/table1", ["yelp", "age"]).values())[:3] == [[61.99, 77.40], [62.05, 78.15], [64.21, 80.45]]
    assert list(printed("ssa/table2", ["test"]).values())[:8] == [
        [80.6],
        [83.3],
        [82.1],
        [83.2],
        [83.4],
        [81.4],
        [84.6],
        [84.4],
    ]
    assert printed("ssa/table3", ["yelp", "age"]) == {
        "with_penalty": [64.21, 80.45],
        "mean_penalty": [64.21, 80.45],
        "without_penalty": [61.74, 79.27],
    }
    assert printed("ssa/table4", ["hidden", "softmax", "other", "total", "test"]) == {
        "yelp": [54, 15_000, 1.3, 55.3, 64.21],
        "yelp_pruned": [2.7, 52_500, 1.3, 4.1, 63.86],
        "age": [72, 20_000, 1.3, 73.2, 80.45],
        "age_pruned": [0.822, 63_750, 1.3, 2.1, 77.32],
        "snli": [72, 12_000, 22.9, 95.0, 84.43],
        "snli_pruned": [5.6, 45_000, 22.9, 28.6, 83.16],
    }


def test_our_sizes_of_table_4():
    found = {
        cell.row: [model_size(cell.settings, f"size/{part}") for part in ("hidden", "softmax", "other", "total")]
        for cell in cells(load_table("ssa/table4"), "paper")
    }
    parts = {
        "yelp": (54_003_000, 15_005, OTHER),
        "yelp_pruned": (2_890_500, 52_500, OTHER),
        "age": (72_004_000, 20_005, OTHER),
        "age_pruned": (822_750, 63_750, OTHER),
        "snli": (72_004_000, 12_003, OF_SNLI),
        "snli_pruned": (5_595_000, 45_000, OF_SNLI),
    }
    assert found == {row: [*three, sum(three)] for row, three in parts.items()}


def test_the_authors_protocol_has_the_size_of_their_log():
    assert parameter_count(compose(["scale=paper", "experiment=ssa/authors/snli"])) == 95_153_083


def test_sizes_are_shown_without_runs_and_data_that_is_gone_is_named():
    text = render_table(build(load_table("ssa/table4"), "paper", []))
    assert "| Age, pruned, p=25, q=20 | 0.823 | 0.822 | 63,750 | 63,750 | 1.18 | 1.3 | 2.07 | 2.1 |" in text
    for row in ("Age, original, 4000 units", "Age, pruned, p=25, q=20"):
        assert f"\n| {row} | data unavailable |\n" in text
    assert "data unavailable" not in render_table(build(load_table("ssa/table4"), "mini", []))


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("snli", {"dropout": (0.0, 0.5), "penalty": (0.3, 0.1), "penalty_form": ("norm", "mean"), "lr": (0.01, 0.01)}),
        ("yelp", {"dropout": (0.5, 0.3), "penalty": (1.0, 1.0), "penalty_form": ("norm", "mean"), "lr": (0.06, 0.001)}),
        ("age", {"dropout": (0.5, 0.3), "penalty": (1.0, 1.0), "penalty_form": ("norm", "mean"), "lr": (0.06, 0.001)}),
    ],
)
def test_where_text_and_code_differ(name, wanted):
    text, code = (flatten(compose(["scale=paper", f"experiment=ssa/{way}{name}"])) for way in ("", "authors/"))
    keys = {
        "dropout": "head.dropout",
        "penalty": "model.penalty",
        "penalty_form": "model.penalty_form",
        "lr": "optimizer.lr",
    }
    assert {short: (text[key], code[key]) for short, key in keys.items()} == wanted
    assert (text["protocol.batches"], code["protocol.batches"]) == (
        "unsorted" if name == "snli" else "by_length",
        "in_order",
    )
    # What is clipped: the norm that the text speaks of, or each number, as in the code.
    held = [(way["protocol.max_grad_norm"], way["model.clip"]) for way in (text, code)]
    assert held == ([(None, None)] * 2 if name == "snli" else [(0.5, None), (None, 0.5)])
    assert (text["model.biases"], code["model.biases"]) == (False, True)
    assert (text["protocol.observe_test"], code["protocol.observe_test"]) == (False, True)


def test_runs_of_table_3_with_the_penalty_are_those_of_table_1():
    of = {
        name: {(cell.row, cell.panel.name): cell.id for cell in cells(load_table(name), "paper")}
        for name in ("ssa/table1", "ssa/table3")
    }
    for column in ("yelp", "age"):
        assert of["ssa/table1"]["structured", column] == of["ssa/table3"]["with_penalty", column]
