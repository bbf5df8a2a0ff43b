"""The maps of a structured encoder as pictures: a line for each hop shown, and one for all."""

from types import SimpleNamespace

import numpy as np
import pytest

from attest.inference.attention_maps import SentenceMaps
from attest.reproduction.figures.attention_measures import hop_overlap
from attest.reproduction.figures.content import AttentionContent
from attest.reproduction.figures.draw import draw_figure
from attest.reproduction.figures.strips import HOPS, hop_strips
from attest.reproduction.pages.figure_contents import render_content
from attest.reproduction.pages.figures import CAPTIONS
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


@pytest.mark.parametrize("name", ["ssa/figure2", "ssa/figure3_with", "ssa/figure4_without"])
def test_the_same_maps_give_the_same_picture(name, tmp_path):
    picture = load_figure(name)
    random = np.random.default_rng(0)
    sentences = []
    for text in picture.texts:
        words = tuple(text.split())
        maps_TR = random.random((len(words), 30))
        sentences.append(SentenceMaps(text, words, (), {"hops": maps_TR / maps_TR.sum(0)}))
    assert sentences[0].word_weights["hops"].sum() == pytest.approx(1)
    record = SimpleNamespace(id="x")
    content = AttentionContent(record, record, "", (), tuple(sentences))  # type: ignore[arg-type]
    for file in ("one.svg", "two.svg"):
        draw_figure(picture, content, tmp_path / file)
    drawn = (tmp_path / "one.svg").read_text()
    assert drawn == (tmp_path / "two.svg").read_text()
    assert ("hop 6" in drawn) == (picture.hops == "each")
    assert "hop 7" not in drawn
    assert ">1.00<" in drawn, "all pictures of hops have one scale of colours"
    assert "share of the attention" in drawn
    overall = sentences[0].word_weights["hops"].max()
    assert f">{overall:.2f}<" in drawn, "the overall attention has its values"
    assert all(word in drawn for word in sentences[0].words)
    assert picture.shows in CAPTIONS


def test_the_caption_states_the_overlap():
    picture = load_figure("ssa/figure3_with")
    text = picture.texts[0]
    words = tuple(text.split())
    maps_TR = np.zeros((len(words), 2))
    maps_TR[0] = 0.25
    maps_TR[1], maps_TR[2] = (0.75, 0.0), (0.0, 0.75)
    record = SimpleNamespace(id="x", settings={"dataset.name": "yelp"}, seed=1, uncommitted=False)
    content = AttentionContent(record, record, "", (), (SentenceMaps(text, words, (), {"hops": maps_TR}),))  # type: ignore[arg-type]
    object.__setattr__(content, "describe_run", lambda quote="": "the run")
    lines = list(render_content(picture, content))
    assert any("Any two of the 2 hops have 25.0% of their attention in common" in line for line in lines)
