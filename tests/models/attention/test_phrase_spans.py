"""Phrases: where they begin, in sentences of several lengths, in packed and in padded rows."""

import pytest
import torch

from attest.models.attention import Layout
from attest.models.attention.phrase_spans import PhraseSpans

MASK = torch.tensor([[True, True, True], [False, False, False], [True, False, False]])
PHRASES = torch.tensor([[2, 3, 0], [1, 1, 1], [0, 1, 1]])
"""The second phrase of level 1 begins at the word 1 of the first sentence; bits at padding mean nothing."""


def test_spans_of_packed_rows():
    spans = PhraseSpans(Layout(MASK, packed=True, phrases_BT=PHRASES), 1)
    assert spans.starts_N.tolist() == [True, True, False, True]
    assert spans.phrase_N.tolist() == [0, 1, 1, 2]
    assert (spans.first_P.tolist(), spans.length_P.tolist()) == ([0, 1, 3], [1, 2, 1])
    assert [x.tolist() for x in spans.key_range()] == [[0, 1, 1, 0], [1, 3, 3, 1]]


@pytest.mark.parametrize("settings", [{"packed": False}, {"packed": True, "multiple": 3}], ids=str)
def test_rows_without_a_word_begin_no_phrase_and_attend_to_nothing(settings):
    spans = PhraseSpans(layout := Layout(MASK, phrases_BT=PHRASES, **settings), 1)
    assert spans.length_P.tolist() == [1, 2, 1]
    assert not spans.starts_N[~layout.real_N].any()
    assert not torch.stack(spans.key_range())[:, ~layout.real_N].any()


@pytest.mark.parametrize("phrases", [None, PHRASES], ids=["without phrases", "with phrases"])
def test_at_level_0_sentences_are_phrases(phrases):
    spans = PhraseSpans(Layout(MASK, packed=True, phrases_BT=phrases), 0)
    assert (spans.first_P.tolist(), spans.length_P.tolist()) == ([0, 3], [3, 1])


def test_levels_that_a_batch_does_not_have_are_refused():
    layout = Layout(MASK, packed=True)
    with pytest.raises(ValueError, match="the sentences come without phrases, which this encoder needs; pass phrases"):
        PhraseSpans(layout, 1)
    with pytest.raises(ValueError, match="level is -1; use 0 for whole sentences"):
        PhraseSpans(layout, -1)


def test_bits_of_phrases_hold_the_level_that_is_asked_for():
    mask, phrases = torch.ones(1, 2, dtype=torch.bool), torch.tensor([[255, 129]], dtype=torch.uint8)
    layout = Layout(mask, packed=True, phrases_BT=phrases)
    assert [PhraseSpans(layout, level).starts_N[1].item() for level in (1, 2, 8)] == [True, False, True]
    with pytest.raises(ValueError, match=r"phrases are torch.uint8, whose 8 bits hold no level 9; use a type with"):
        PhraseSpans(layout, 9)
    wider = Layout(mask, packed=True, phrases_BT=phrases.short())
    assert PhraseSpans(wider, 9).starts_N.tolist() == [True, False]
