"""The figures of DiSAN's Tables 2 to 5, typed a second time, and the differences that its text names."""

import pytest

from attest.reproduction.specs.table import load_table

FIGURES = {
    "disan/table2": [
        [44.4], [45.7], [49.8], [51.0], [48.0], [51.2], [51.1], [50.6],
        [47.47], [48.87], [49.14], [49.95], [49.41], [51.72],
    ],
    "disan/table3": [[65.2, 64.759], [67.507, 67.248], [70.977, 71.402]],
    "disan/table4": [
        [0.8268, 0.7721, 0.3224],
        [0.8414, None, None],
        [(0.7923, 0.0070), (0.7319, 0.0071), (0.3822, 0.0137)],
        [(0.7900, 0.0042), (0.7304, 0.0042), (0.3848, 0.0042)],
        [(0.8582, 0.0038), (0.7966, 0.0053), (0.2734, 0.0108)],
        [(0.8676, 0.0030), (0.8083, 0.0042), (0.2532, 0.0052)],
        [(0.8695, 0.0012), (0.8139, 0.0012), (0.2879, 0.0036)],
    ],
    "disan/table5": [
        [79.9, 86.4, 91.3, 87.3],
        [81.3, 87.5, 93.6, 92.2],
        [None, None, None, 93.0],
        [(83.6, 1.6), (90.4, 0.7), (92.2, 1.2), (91.1, 1.0)],
        [(84.8, 1.3), (89.7, 1.1), (93.4, 0.8), (93.9, 0.6)],
        [(82.2, 2.2), (88.8, 1.2), (92.9, 0.7), (93.2, 0.5)],
        [(84.8, 2.0), (90.1, 0.4), (94.2, 0.6), (94.2, 0.1)],
    ],
}  # fmt: skip


def typed(figure):
    return figure.value if figure.sd is None else (figure.value, figure.sd)


@pytest.mark.parametrize("name", FIGURES)
def test_the_papers_figures(name):
    spec = load_table(name)
    found = {row: [typed(figures.paper[column]) for column in spec.columns if column in figures.paper]
             for row, figures in spec.rows.items()}  # fmt: skip
    assert found.pop("fast_disan") == []  # of a later paper, which prints none
    assert found.pop("disan_authors", found["disan"]) == found["disan"]  # one model of theirs, two protocols of ours
    assert list(found.values()) == FIGURES[name]


@pytest.mark.parametrize("name", FIGURES)
def test_means_are_those_with_a_deviation(name):
    for row in load_table(name).rows.values():
        assert all((figure.of == "mean") == (figure.sd is not None) for figure in row.paper.values())


def test_the_differences_that_the_text_names():
    """Section 5.2: "improves the last best accuracy (given by CNN-Tensor) by 0.52%" and so on."""
    rows = load_table("disan/table2").rows
    ours = rows["disan"].paper["test"].value or 0
    named = {"cnn_tensor": 0.52, "mv_rnn": 7.32, "rntn": 6.02, "tree_lstm": 0.72, "ncsl": 0.62, "lr_bilstm": 1.12}
    for row, difference in named.items():
        assert ours - (rows[row].paper["test"].value or 0) == pytest.approx(difference), row


def test_replicates_are_those_of_the_captions():
    relatedness, classification = load_table("disan/table4"), load_table("disan/table5")
    assert [(panel.replicates.axis, panel.replicates.n) for panel in relatedness.panels("paper")] == [("seed", 5)]
    assert {panel.name: (panel.replicates.axis, panel.replicates.n) for panel in classification.panels("paper")} == {
        "cr": ("fold", 10),
        "mpqa": ("fold", 10),
        "subj": ("fold", 10),
        "trec": ("seed", 5),
    }
