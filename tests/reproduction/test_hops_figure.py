"""The maps of a structured encoder as pictures: a line for each hop shown, and one for all."""

from types import SimpleNamespace

import numpy as np
import pytest

from attest.inference.attention_maps import SentenceMaps
from attest.reproduction.figures.captions import CAPTIONS
from attest.reproduction.figures.content import Attended
from attest.reproduction.figures.draw import HOPS, draw_figure, hop_strips
from attest.reproduction.specs.figure import load


def test_strips_by_hand():
    hops_RT = np.array([[1.0, 0.0], [0.5, 0.5]])
    assert hop_strips(hops_RT).tolist() == [[1.0, 0.0], [0.5, 0.5], [0.75, 0.25]]
    assert len(hop_strips(np.ones((30, 2)) / 2)) == HOPS + 1


@pytest.mark.parametrize("name", ["ssa/figure2", "ssa/figure3_with", "ssa/figure4_without"])
def test_the_same_maps_give_the_same_picture(name, tmp_path):
    picture = load(name)
    random = np.random.default_rng(0)
    sentences = []
    for text in picture.texts:
        words = tuple(text.split())
        maps_TR = random.random((len(words), 30))
        sentences.append(SentenceMaps(text, words, (), {"hops": maps_TR / maps_TR.sum(0)}))
    assert sentences[0].word_weights["hops"].sum() == pytest.approx(1)
    record = SimpleNamespace(id="x")
    content = Attended(record, record, "", (), tuple(sentences))  # type: ignore[arg-type]
    for file in ("one.svg", "two.svg"):
        draw_figure(picture, content, tmp_path / file)
    drawn = (tmp_path / "one.svg").read_text()
    assert drawn == (tmp_path / "two.svg").read_text()
    assert "hop 6" in drawn
    assert "hop 7" not in drawn
    assert all(word in drawn for word in sentences[0].words)
    assert picture.shows in CAPTIONS
