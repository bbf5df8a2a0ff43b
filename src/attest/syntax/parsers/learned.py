"""A parser that was trained by `attest parser train`: scores of spans, and the tree that they make likeliest.

Legend: B sentences, F features of a word, K borders between words.
"""

import logging
from collections.abc import Iterator, Sequence
from itertools import pairwise

import torch

from attest.syntax.parsers.base import Parser
from attest.syntax.parsers.chart import likeliest_tree
from attest.syntax.parsers.span_scorer import SpanScorer
from attest.syntax.parsers.word_features import feature_rows
from attest.syntax.trees import Span

LONGEST = 200
"""Words that are parsed together. Work grows with the third power of that number, memory with the second."""
SPANS = 2**16
"""Of all sentences that are parsed together, counted with their padding."""

log = logging.getLogger(__name__)


class LearnedParser(Parser):
    """Sentences of over LONGEST words are cut into pieces of that many; the pieces are parsed by themselves and put
    together to the right."""

    def __init__(self, scorer: SpanScorer, identity: str) -> None:
        self.scorer, self.identity = scorer, identity

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
        if long := sum(len(sentence) > LONGEST for sentence in sentences):
            log.warning("%d of %d sentences have over %d words: parsed in pieces", long, len(sentences), LONGEST)
        borders = [[*range(0, len(sentence), LONGEST), len(sentence)] for sentence in sentences]
        pieces = [
            sentence[start:end]
            for sentence, places in zip(sentences, borders, strict=True)
            for start, end in pairwise(places)
        ]
        parsed = iter(self.parse_short(pieces))
        found: list[list[Span]] = []
        for places in borders:
            spans = [(start, places[-1]) for start in places[:-2]]  # what holds several pieces
            for shift, _ in pairwise(places):
                spans += [(start + shift, end + shift) for start, end in next(parsed)]
            found.append(spans)
        return found

    @torch.no_grad()
    def parse_short(self, sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
        was_training, device = self.scorer.training, next(self.scorer.parameters()).device
        self.scorer.eval()
        found: list[list[Span]] = [[] for _ in sentences]
        for places in length_batches([len(sentence) for sentence in sentences]):
            rows_BTF = torch.from_numpy(feature_rows([sentences[place] for place in places], self.scorer.rows))
            length_B = torch.tensor([len(sentences[place]) for place in places])
            chart_BKK = likeliest_tree(self.scorer(rows_BTF.to(device), length_B), length_B.to(device))
            for row, start, end in chart_BKK.nonzero().tolist():
                found[places[row]].append((start, end))
        self.scorer.train(was_training)
        return found


def length_batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places of sentences of two words and more, those of like length together, as many as SPANS allows."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if lengths[place] > 1:
            if batch and (len(batch) + 1) * (lengths[place] + 1) ** 2 > SPANS:
                yield batch
                batch = []
            batch.append(place)
    if batch:
        yield batch
