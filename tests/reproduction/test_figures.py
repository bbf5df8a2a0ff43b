"""Figures from made-up records: what is drawn, what the captions say, and what is left out."""

import dataclasses

import numpy as np
import pytest
from reproduction.made_up import finished_run

from attest.config.compose import compose
from attest.inference.attention_maps import SentenceMaps, attention_id
from attest.reproduction.figures.accuracy_curves import (
    AccuracyCurves,
    Curve,
    accuracy_by_length,
    bin_labels,
    standard_errors,
)
from attest.reproduction.figures.attention_measures import with_root_mean_squares, word_group_means
from attest.reproduction.figures.content import AttentionContent, figure_content
from attest.reproduction.figures.majority_baseline import majority_accuracy
from attest.reproduction.load import figures_in, records_in
from attest.reproduction.pages.captions import majority_captions
from attest.reproduction.pages.figures import figure_pages
from attest.reproduction.pages.markdown_parts import escape_markdown
from attest.reproduction.specs.figure import load_figure
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.build import build
from attest.reproduction.tables.item_errors import ItemPredictions
from attest.runs.store import Store

TABLES = {name: load_table(name) for name in ("disan/table1", "disan/table2")}


@pytest.fixture
def store(home):
    return Store(home / "results/local/records")


def trained(store, table, row, *overrides, predictions=None, scale="paper", finished="2026-01-01T00:00:00Z"):
    """A run of a table's row, in the store."""
    settings = compose([*TABLES[table].base, *TABLES[table].rows[row].set, f"scale={scale}", *overrides])
    record = finished_run(settings, "f1", finished=finished)
    store.put(record, predictions)
    return record


def said(right, lengths=(3, 6, 6, 40)):
    """Predictions of four sentences, of which some are right."""
    gold, wrong = np.array([0, 1, 2, 3], np.int16), np.array([not hit for hit in right])
    return {"labels": gold, "predictions": gold + wrong, "lengths": np.array(lengths, np.int16)[:, None]}


def attended(store, run, picture, *, unknown=()):
    """What a run with two features saw in the sentences of a figure."""
    rng, arrays, sentences = np.random.default_rng(0), {}, []
    for number, text in enumerate(picture.texts):
        words = text.lower().split()
        sentences.append({"text": text, "tokens": words, "unknown": list(unknown)})
        for direction in ("0_forward", "1_backward"):
            arrays[f"{number}.attention_{direction}"] = rng.random((len(words), len(words)))
            arrays[f"{number}.gate_{direction}"] = rng.random(len(words))
        arrays[f"{number}.source2token"] = rng.random((len(words), 5))
    record = dataclasses.replace(
        run, id=attention_id(run.id, picture.texts), kind="attention", parents=(run.id,),
        data={"fingerprint": "f1", "sentences": sentences},
    )  # fmt: skip
    store.put(record, arrays)
    return record


def content(name, store, scale="paper"):
    picture = load_figure(name)
    records = records_in([store.folder.parent])
    table = build(TABLES[picture.table], scale, records)
    return figure_content(picture, table, records_in([store.folder.parent], "attention"), [store])


def caption(name, store, scale="paper"):
    records = records_in([store.folder.parent])
    tables = [build(spec, scale, records) for spec in TABLES.values()]
    text = figure_pages(figures_in([store.folder.parent], tables))["disan/figures.md"]
    number = name.removeprefix("disan/figure")
    return text.partition(f"Figure {number}: ")[2].partition("\n## ")[0]


def test_accuracy_by_length_by_hand():
    accuracy_B, counts_B = accuracy_by_length(said([True, True, False, True], lengths=(3, 6, 6, 40)), [2, 5, 10, 38])
    np.testing.assert_array_equal(accuracy_B, [100, 50, np.nan, 100])
    assert counts_B.tolist() == [1, 2, 0, 1]
    shorter, counts_B = accuracy_by_length(said([True] * 4), [5, 38])  # the sentence of 3 words is in no bin
    assert (shorter.tolist(), counts_B.tolist()) == ([100, 100], [2, 1])
    assert bin_labels([2, 5, 6, 38]) == ["2–4", "5", "6–37", "≥38"]
    assert bin_labels([1, 6, 8], "mean") == ["1–<6", "6–<8", "≥8"], "a mean length of 5.5 has a place"


def test_the_standard_error_of_a_bin_by_hand():
    """100 sqrt(0.8 (1 - 0.8) / 100) = 4 points; none without examples."""
    runs_RC, counts_C = np.array([[80.0, np.nan]] * 2), np.array([100, 0])
    errors_C = standard_errors([Curve("a", "A", (), 0, (), runs_RC, counts_C)])
    np.testing.assert_allclose(errors_C, [4.0, np.nan])


def test_a_pair_is_as_long_as_its_longer_sentence_or_as_their_mean():
    pairs = {"lengths": np.array([[3, 9], [8, 2]]), "predictions": np.array([0, 1]), "labels": np.array([0, 0])}
    for length, (bins, expected) in {"longest": ([8, 9], [0, 100]), "mean": ([5, 6], [0, 100])}.items():
        accuracy_B, counts_B = accuracy_by_length(pairs, bins, length)
        assert (accuracy_B.tolist(), counts_B.tolist()) == (expected, [1, 1])


def test_lengths_are_a_view_over_the_runs_that_a_table_shows(store):
    for seed, right in ((1, [True] * 4), (2, [True, False, False, True])):
        trained(store, "disan/table2", "disan", f"seed={seed}", predictions=said(right))
    old = said([True] * 4)
    del old["lengths"]
    trained(store, "disan/table2", "disan", "seed=3", predictions=old)
    trained(store, "disan/table2", "disan", "seed=4")  # its predictions were lost
    trained(store, "disan/table2", "s2t", "seed=1", predictions=old)
    trained(store, "disan/table2", "bilstm", "protocol.steps=100", predictions=said([False] * 4))
    found = content("disan/figure5", store)
    assert isinstance(found, AccuracyCurves)
    first, bilstm, s2t = found.curves
    assert [len(curve.runs) for curve in found.curves] == [2, 1, 0]
    assert (first.left_out, s2t.left_out) == (2, 1)
    assert first.accuracy_RC[:, 1].tolist() == [100, 0]
    assert bilstm.deviations == ("protocol.steps 100 instead of 120,000",)
    text = caption("disan/figure5", store)
    runs = ", ".join(f"`{run.id}`" for run in first.runs)
    assert f"- DiSAN: 2 runs on sst, data `f1`: {runs}; 2 runs left out, without predictions" in text
    assert "- Word embedding with s2t self-attention: 1 run left out, without predictions" in text
    assert (
        "- Deviations from the paper (Bi-LSTM with s2t self-attention): protocol.steps 100 instead of 120,000\n" in text
    )
    assert "Tai, Socher, and Manning 2015" in text
    head = "| Words | Examples | DiSAN, accuracy (%) | Bi-LSTM with s2t self-attention, accuracy (%) | Standard error |"
    assert head in text
    assert " | 50.0 | 0.0 |" in text, "the mean of the two runs of DiSAN in the second bin"


def test_attention_is_that_of_the_newest_run_of_the_least_deviating(store):
    picture = load_figure("disan/figure6")
    short = trained(store, "disan/table1", "disan", "protocol.steps=9", finished="2026-03-01T00:00:00Z")
    runs = [trained(store, "disan/table1", "disan", f"seed={n}", finished=f"2026-02-0{n}T00:00:00Z") for n in (1, 2)]
    another = trained(store, "disan/table1", "s2t", finished="2026-04-01T00:00:00Z")
    for expected in (short, *runs):
        attended(store, expected, picture)
        attended(store, another, picture)  # its row is not the figure's
        found = content("disan/figure6", store)
        assert isinstance(found, AttentionContent)
        assert found.run == expected
    assert found.ids == [runs[1].id, attention_id(runs[1].id, picture.texts)]
    assert content("disan/figure7", store).record == found.record  # the same sentences
    assert content("disan/figure8", store) is None
    store.arrays_path(found.record.id).unlink()
    assert content("disan/figure6", store).run == runs[0]


def test_a_caption_names_run_data_and_deviations(store):
    run = trained(store, "disan/table1", "disan", "seed=3", "protocol.steps=9")
    record = attended(store, run, load_figure("disan/figure8"), unknown=["<b>", "a|b"])
    text = caption("disan/figure8", store)
    assert f"- Run `{run.id}` (Directional self-attention network (DiSAN), seed 3) on snli, data `f1`; " in text
    assert (
        f"its attention: record `{record.id}`.\n- Deviations from the paper: protocol.steps 9 instead of 400,000\n"
        in text
    )
    assert '"light": the two vectors have a correlation of ' in text
    assert "Words without a vector: \\<b\\>, a\\|b." in text
    assert "![Two pairs of colour strips; the two" in text
    finding, reading, runs = (text.index(part) for part in ("As a yardstick", "- The weights of one word", "<details>"))
    assert finding < reading < runs, "the finding comes first, and the runs are folded"
    assert escape_markdown("[x](y) `z` *a*") == "\\[x\\](y) \\`z\\` \\*a\\*"


def test_a_figure_that_is_not_drawn_says_what_would_make_it(store):
    trains = "`attest reproduce disan/table1 scale=paper rows=disan` trains the runs, `attest attend RUN --figure"
    assert f"Not drawn yet: there are no runs of disan in disan/table1. {trains}" in caption("disan/figure6", store)
    assert "`attest reproduce disan/table2 scale=paper rows=disan,no_dir" in caption("disan/figure5", store)
    run = trained(store, "disan/table1", "disan")
    text = caption("disan/figure6", store)
    assert (
        f"`attest attend {run.id} --figure disan/figure6` records the attention of one of them, `attest publish" in text
    )
    assert "![" not in text


def test_scales_do_not_mix(store):
    attended(store, trained(store, "disan/table1", "disan", scale="mini"), load_figure("disan/figure6"))
    assert content("disan/figure6", store) is None
    assert isinstance(content("disan/figure6", store, "mini"), AttentionContent)
    assert "attest figures disan/figure8 scale=mini" in caption("disan/figure8", store, "mini")
    shown, at_paper = caption("disan/figure6", store, "mini"), load_figure("disan/figure6")
    assert f"![{at_paper.title}](" in shown
    assert at_paper.finding not in shown, "it is about runs at scale=paper"


@pytest.mark.parametrize("name", [f"disan/figure{number}" for number in (5, 6, 7, 8)])
def test_the_same_records_give_the_same_picture(name, store, tmp_path):
    draw = pytest.importorskip("attest.reproduction.figures.draw").draw_figure
    picture = load_figure(name)
    if picture.shows == "lengths":
        for seed in (1, 2):
            trained(store, "disan/table2", "disan", f"seed={seed}", predictions=said([True] * 4))
    else:
        attended(store, trained(store, "disan/table1", "disan"), picture)
    for file in ("a.svg", "b.svg", "c.png"):
        draw(picture, content(name, store), tmp_path / file)
    svg = (tmp_path / "a.svg").read_bytes()
    assert svg == (tmp_path / "b.svg").read_bytes()
    assert {"lengths": b"17\xe2\x80\x9320", "source2token": b"watch: Some boys"}.get(picture.shows, b"ducks") in svg
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")


def test_full_attention_is_1_in_root_mean_squares():
    maps = {"attention": np.array([[0, 1], [0.5, 0.5]]), "length_attention": np.array([[0, 7], [4.2, 5.6]])}
    (sentence,) = with_root_mean_squares([SentenceMaps("a b", ("a", "b"), (), maps)])  # of 49 features
    np.testing.assert_allclose(sentence.pair_weights["attention"], [[0, 1], [0.6, 0.8]])
    (lone,) = with_root_mean_squares([SentenceMaps("a", ("a",), (), {name: np.zeros((1, 1)) for name in maps})])
    assert lone.pair_weights["attention"] == 0


def test_the_axes_of_a_map_have_names(store, tmp_path):
    draw = pytest.importorskip("attest.reproduction.figures.draw").draw_figure
    attended(store, trained(store, "disan/table1", "disan"), load_figure("disan/figure6"))
    draw(load_figure("disan/figure6"), content("disan/figure6", store), tmp_path / "a.svg")
    svg = (tmp_path / "a.svg").read_text()
    assert (svg.count(">attends to<"), svg.count(">word<")) == (2, 2), "below the last line, and beside each"
    assert svg.count(">ducks<") == 3, "the words stand below each map, and beside the first of a line"
    assert ">two children are feeding some ducks at the edge of a lake<" in svg, "each line of maps has its sentence"


def test_cells_that_a_mask_forbids_are_not_those_of_little_attention(tmp_path):
    draw_sentence = pytest.importorskip("attest.reproduction.figures.heatmaps").draw_sentence
    for name, weights in {"masked": [[0.0, 1.0], [1.0, 0.0]], "open": [[0.5, 0.5], [0.5, 0.5]]}.items():
        draw_sentence(SentenceMaps("a b", ("a", "b"), (), {"attention": np.array(weights)}), tmp_path / "a.svg")
        assert (">not allowed by the mask<" in (tmp_path / "a.svg").read_text()) == (name == "masked")


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("disan/figure6", [">attention, mean over features,<"]),
        ("disan/figure7", [">mean over features<", ">stop words<", ">other words<"]),
        ("disan/figure8", [">weight of the word in a feature<", ">5 features; correlation of the two: "]),
    ],
)
def test_colour_bars_say_what_their_values_are(store, tmp_path, name, texts):
    draw = pytest.importorskip("attest.reproduction.figures.draw").draw_figure
    attended(store, trained(store, "disan/table1", "disan"), load_figure(name))
    draw(load_figure(name), content(name, store), tmp_path / "a.svg")
    assert all(text in (tmp_path / "a.svg").read_text() for text in texts)


def test_the_means_of_stop_words_by_hand():
    sentence = SentenceMaps("The dog is", ("The", "dog", "is"), (), {})
    gates_RT = np.array([[0.2, 0.9, 0.4]])
    assert word_group_means(sentence, gates_RT, ["the", "is"]) == pytest.approx(np.array([[0.3, 0.9]]))
    assert np.isnan(word_group_means(sentence, gates_RT, ["a"])).tolist() == [[True, False]]


def test_files_of_pictures_tell_their_title_and_content(store, tmp_path):
    draw = pytest.importorskip("attest.reproduction.figures.draw").draw_figure
    picture = load_figure("disan/figure8")
    attended(store, trained(store, "disan/table1", "disan"), picture)
    draw(picture, content("disan/figure8", store), tmp_path / "a.svg")
    svg = (tmp_path / "a.svg").read_text()
    assert f"<title>{picture.title}</title>" in svg
    assert f"<dc:description>{picture.alt}</dc:description>" in svg


@pytest.mark.parametrize("majority", [None, 20.0, 30.0])
def test_the_majority_baseline_is_drawn_if_it_is_near_the_lowest_accuracy(store, tmp_path, majority):
    draw = pytest.importorskip("attest.reproduction.figures.draw").draw_figure
    for seed, right in ((1, [True, True, False, True]), (2, [True, True, True, True])):
        trained(store, "disan/table2", "disan", f"seed={seed}", predictions=said(right, lengths=(3, 6, 6, 6)))
    found = content("disan/figure5", store)
    curve = dataclasses.replace(found.curves[0], accuracy_RC=np.full_like(found.curves[0].accuracy_RC, 35.0))
    found = dataclasses.replace(found, curves=(curve,), majority=majority)
    draw(load_figure("disan/figure5"), found, tmp_path / "a.svg")
    assert ("always the most frequent label (30.0%)" in (tmp_path / "a.svg").read_text()) == (majority == 30)
    captions = {None: [], 20.0: ["is right for 20.0%, below the picture."], 30.0: ["most frequent label, 30.0%."]}
    ends = captions[majority]
    assert all(text.endswith(end) for text, end in zip(majority_captions(found), ends, strict=True))


def test_the_majority_baseline_is_that_of_the_most_frequent_label(store):
    run = trained(store, "disan/table2", "disan")
    three, one = (ItemPredictions(np.arange(4), np.array(gold), np.zeros(4)) for gold in ([2, 2, 0, 2], [1, 2, 3, 4]))
    for predictions, share in ((three, 75.0), (one, 25.0), (None, None)):
        table = build(TABLES["disan/table2"], "paper", [run], lambda record, metric, found=predictions: found)
        assert majority_accuracy(table, [run], "test/accuracy") == share
        assert majority_accuracy(table, [run], "test/pearson") is None


def test_words_are_drawn_as_they_are(tmp_path):
    draw_sentence = pytest.importorskip("attest.reproduction.figures.heatmaps").draw_sentence
    words = ("$x$", "<script>", "a&b", "", "\x1b")
    maps = {"attention": np.eye(5), "additive": np.ones(5) / 5}
    for number, kept in enumerate((maps, {"additive": maps["additive"]})):
        draw_sentence(SentenceMaps("text", words, (), kept), tmp_path / f"{number}.svg")
        svg = (tmp_path / f"{number}.svg").read_text()
        assert ">$x$<" in svg
        assert "<script>" not in svg
        assert ">&lt;script&gt;<" in svg
        assert "\x1b" not in svg


def test_each_paper_has_a_page(store):
    attended(store, trained(store, "disan/table1", "disan"), load_figure("disan/figure6"))
    tables = [build(spec, "paper", records_in([store.folder.parent])) for spec in TABLES.values()]
    figures = figures_in([store.folder.parent], tables)
    assert [figure.content is None for figure in figures] == [True, False, False, True]
    assert list(figure_pages(figures)) == ["disan/figures.md"]
