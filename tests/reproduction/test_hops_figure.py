"""The maps of a structured encoder as pictures: a line for each hop shown, and one for all."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from attest.inference.attention_maps import SentenceMaps
from attest.reproduction.figures.attention_measures import hop_overlap
from attest.reproduction.figures.content import AttentionContent, ComparedAttention
from attest.reproduction.figures.draw import draw_figure
from attest.reproduction.figures.hops import HOPS, hop_strips
from attest.reproduction.pages.captions import CAPTIONS
from attest.reproduction.pages.figure_contents import render_content
from attest.reproduction.pages.figures import render_words_page
from attest.reproduction.specs.figure import load_figure


def test_strips_by_hand():
    hops_RT = np.array([[1.0, 0.0], [0.5, 0.5]])
    assert hop_strips(hops_RT).tolist() == [[1.0, 0.0], [0.5, 0.5], [0.75, 0.25]]
    assert len(hop_strips(np.ones((30, 2)) / 2)) == HOPS + 1
    assert hop_strips(hops_RT, 0).tolist() == [[0.75, 0.25]]


def test_the_overlap_of_hops_by_hand():
    """The pairs of three hops have 0.5, 0.0 and 0.5 of their attention in common."""
    hops_RT = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    assert hop_overlap(hops_RT) == pytest.approx(1 / 3)
    assert hop_overlap(hops_RT[:1]) == 1.0
    assert hop_overlap(np.full((30, 4), 0.25)) == pytest.approx(1.0)


def attended(picture, maps_of):
    """A run of each row of a figure, whose maps (T, R) of a sentence `maps_of` returns from its number of words."""
    record = SimpleNamespace(id="x", settings={"dataset.name": "yelp", "scale": "paper"}, seed=1, fingerprint="f",
                             uncommitted=False)  # fmt: skip
    words_of = {text: tuple(text.split()) for text in picture.texts}
    rows = [
        AttentionContent(
            record,  # type: ignore[arg-type]
            record,  # type: ignore[arg-type]
            f"Title of {row}",
            (),
            tuple(SentenceMaps(text, words, (), {"hops": maps_of(len(words))}) for text, words in words_of.items()),
            picture.legend[row],
        )
        for row in picture.rows
    ]
    return ComparedAttention(tuple(rows), ())


@pytest.mark.parametrize("name", ["ssa/figure3", "ssa/figure4"])
def test_the_same_maps_give_the_same_picture(name, tmp_path):
    picture, random = load_figure(name), np.random.default_rng(0)
    content = attended(picture, lambda words: random.dirichlet(np.ones(words), 30).T)
    sentence = content.rows[1].sentences[0]
    assert sentence.word_weights["hops"].sum() == pytest.approx(1)
    for file in ("one.svg", "two.svg"):
        draw_figure(picture, content, tmp_path / file)
    drawn = (tmp_path / "one.svg").read_text()
    assert drawn == (tmp_path / "two.svg").read_text()
    assert ("hop 6" in drawn) == (picture.hops == "each")
    assert "hop 7" not in drawn
    assert drawn.count(">without the penalty<") == drawn.count(">with the penalty<") == len(picture.texts)
    assert ">1.00<" in drawn, "all pictures of hops have one scale of colours"
    assert "share of the attention" in drawn
    for row in content.rows:
        overall = row.sentences[0].word_weights["hops"].max()
        assert f">{overall:.2f}<" in drawn, "the overall attention of each row has its values"
    assert drawn.count(f">{sentence.words[-1]}<") == 1, "the words stand once, below the rows"
    assert picture.shows in CAPTIONS


def test_a_figure_of_one_row_names_its_strip_and_tells_which_rows_it_lacks(tmp_path):
    picture = load_figure("ssa/figure4")
    whole = attended(picture, lambda words: np.full((words, 2), 1 / words))
    content = ComparedAttention(whole.rows[:1], ("Title of with_penalty",))
    draw_figure(picture, content, tmp_path / "a.svg")
    assert ">all hops<" in (tmp_path / "a.svg").read_text()
    lines = list(render_content(picture, content))
    assert "- Not shown, without a record of attention: Title of with_penalty." in lines


def test_the_caption_states_the_overlap_of_each_row():
    def maps(words):
        maps_TR = np.zeros((words, 2))
        maps_TR[0] = 0.25
        maps_TR[1], maps_TR[2] = (0.75, 0.0), (0.0, 0.75)
        return maps_TR

    picture = load_figure("ssa/figure3")
    content, words = attended(picture, maps), "- Of their attention, any two of the 2 hops have 25.0%"
    (line,) = [line for line in render_content(picture, content) if line.startswith(words)]
    assert line.startswith(f"{words} without the penalty and 25.0% with the penalty in common (the mean over pairs")
    alone = ComparedAttention(content.rows[:1], ())
    assert any(line.startswith(f"{words} in common") for line in render_content(picture, alone))


def test_the_page_of_words_names_the_row_of_each_sentence():
    picture = load_figure("ssa/figure4")
    content = attended(picture, lambda words: np.full((words, 2), 1 / words))
    headings = re.findall("<h2>(.*)</h2>", render_words_page(picture, content))
    assert headings == [f"Sentence {number}, {way} the penalty" for number in (1, 2) for way in ("without", "with")]
