"""From words to trees, with weights that nobody trained."""

import logging

import pytest
import torch

from attest.syntax.parsers import learned
from attest.syntax.parsers.chart import likeliest_tree
from attest.syntax.parsers.learned import LearnedParser, length_batches
from attest.syntax.parsers.span_scorer import SpanScorer
from attest.syntax.parsers.word_features import feature_rows
from attest.syntax.trees import binarise, from_spans

WORDS = ["the", "tall", "goat", "and", "a", "quiet", "child", "wait", "by", "the", "old", "barn", "in", "the", "rain"]
SENTENCES = [WORDS[start : start + length] for start in range(3) for length in (0, 1, 2, 3, 7, 12)]


@pytest.fixture
def parser():
    return LearnedParser(SpanScorer(512, 8, 6, 5), "untrained")


def test_every_sentence_has_a_binary_tree(parser):
    for sentence, spans in zip(SENTENCES, parser.parse(SENTENCES), strict=True):
        tree = from_spans(sentence, spans)  # overlapping spans would be refused
        assert len(spans) == len(set(spans)) == max(0, len(sentence) - 1)
        assert binarise(tree) == tree


def test_trees_are_those_of_the_scores(parser):
    chart = likeliest_tree(
        parser.scorer.eval()(torch.from_numpy(feature_rows([WORDS], 512)), torch.tensor([len(WORDS)])).detach(),
        torch.tensor([len(WORDS)]),
    )
    assert sorted(parser.parse([WORDS])[0]) == [tuple(span) for span in chart[0].nonzero().tolist()]


def test_company_changes_no_tree(parser, monkeypatch):
    together = parser.parse(SENTENCES)
    assert [parser.parse([sentence])[0] for sentence in SENTENCES] == together
    monkeypatch.setattr(learned, "MAX_BATCH_SPANS", 100)
    assert parser.parse(SENTENCES) == together


def test_batches_hold_every_sentence_that_has_something_to_parse_once():
    lengths = [len(sentence) for sentence in SENTENCES]
    found = [place for batch in length_batches(lengths) for place in batch]
    assert sorted(found) == [place for place, length in enumerate(lengths) if length > 1]


def test_long_sentences_are_parsed_in_pieces_and_that_is_said(parser, monkeypatch, caplog):
    monkeypatch.setattr(learned, "MAX_PIECE_WORDS", 6)
    with caplog.at_level(logging.WARNING):
        (spans,) = parser.parse([WORDS])
    assert "1 of 1 sentences have over 6 words" in caplog.text
    assert binarise(from_spans(WORDS, spans)).spans == from_spans(WORDS, spans).spans
    assert {(0, 15), (6, 15), (0, 6), (6, 12), (12, 15)} <= set(spans)
    assert [span for span in spans if span[1] <= 6] == parser.parse([WORDS[:6]])[0]


def test_parsing_leaves_training_as_it_was(parser):
    parser.scorer.train()
    parser.parse(SENTENCES)
    assert parser.scorer.training
    assert not any(parameter.grad is not None for parameter in parser.scorer.parameters())


def test_inference_mode_changes_no_tree(parser):
    """Sentence Transformers encodes in inference mode, where torch takes no gradients."""
    trees = parser.parse(SENTENCES)
    with torch.inference_mode():
        assert parser.parse(SENTENCES) == trees
