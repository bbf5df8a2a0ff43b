"""Every figure in reproduce/: readable, and about rows that are run."""

import pytest

from attest.config.paths import shipped_folder
from attest.errors import SettingsError
from attest.reproduction.specs.figure import figure_names, load_figure, read_figure
from attest.reproduction.specs.table import table_names


def test_the_figures_of_disan():
    found = [name for name in figure_names() if name.startswith("disan/")]
    assert found == [*(f"disan/figure{number}" for number in (5, 6, 7, 8)), "disan/figure_sizes"]
    assert [load_figure(name).shows for name in found] == [
        "lengths", "attention", "gates", "source2token", "sizes",
    ]  # fmt: skip
    assert not [name for name in table_names() if "figure" in name]


def test_the_figures_of_ssa():
    found = {name: load_figure(name) for name in figure_names() if name.startswith("ssa/")}
    assert {name: picture.shows for name, picture in found.items() if picture.shows != "hops"} == {
        "ssa/figure5a": "epochs", "ssa/figure5b": "epochs",
    }  # fmt: skip
    assert {(picture.table, picture.column) for picture in found.values()} == {
        ("ssa/recipe", "test"), ("ssa/hops", "age"), ("ssa/hops", "snli"),
    }  # fmt: skip
    assert [found[f"ssa/figure{number}"].rows for number in (3, 4)] == [("without_penalty", "with_penalty")] * 2


def test_every_figure_that_can_be_drawn_has_a_text_for_readers_who_do_not_see_it():
    assert [name for name in figure_names(own=False) if not load_figure(name).alt] == ["ssa/figure5a"]  # without data


def test_figures_6_and_7_show_the_same_sentences():
    assert load_figure("disan/figure6").texts == load_figure("disan/figure7").texts
    assert len(load_figure("disan/figure8").texts) == 4


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("figure5", "shows: lengths", "shows: length", "shows: 'length' is not one of .* Did you mean lengths"),
        (
            "figure5",
            "bins: [1, 5",
            "bins: [5, 1",
            "bins: list the smallest number of words of each bin",
        ),
        ("figure5", "[disan,", "[disam,", "disam: disan/table2 has no such row. Did you mean disan"),
        ("figure5", "[disan,", "[rntn,", "rows: rntn is only cited in disan/table2"),
        ("figure5", "disan/table2", "disan/tabel2", "disan/tabel2: there is no such table"),
        ("figure5", "shows: lengths", "shows: epochs", "column: a figure of epochs shows the runs of one column"),
        ("figure5", "rows:", "column: trec\nrows:", "column: trec is none of "),
        ("figure5", "[disan, bilstm]", "[disan, s2]", "emphasis: s2 is none of the rows shown: disan, no_directions"),
        ("figure_sizes", "disan/table1/test", "disan/table1/tset", "printed: disan/table1 has no column 'tset'"),
        ("figure6", "sentences:", "sentence:", "sentence: unknown setting. Did you mean sentences"),
        ("figure7", "shows: gates", "shows: attention", "stop_words: they apply to figures of gates"),
        (
            "figure6",
            "shows: attention",
            "shows: source2token",
            "pairs: a figure of source2token needs pairs",
        ),
        (
            "figure7",
            "shows: gates",
            "features: length\nshows: gates",
            "features: length applies to figures of attention",
        ),
        ("figure8", "shows: source2token", "shows: gates", "sentences: a figure of gates needs sentences"),
        ("figure8", "word: light", "word: dark", "pairs: expected two sentences that hold the word 'dark'"),
    ],
)
def test_mistakes_in_a_figure_name_the_file(tmp_path, name, old, new, message):
    text = (shipped_folder("reproduce") / f"disan/{name}.yaml").read_text()
    assert old in text
    path = tmp_path / "figure.yaml"
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(SettingsError, match=r"figure.yaml.*" + message):
        read_figure(path, "x")


def test_a_misspelt_figure_is_named():
    with pytest.raises(SettingsError, match="disan/figure66: there is no such figure. Did you mean disan/figure6"):
        load_figure("disan/figure66")
