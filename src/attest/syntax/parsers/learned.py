"""A parser trained by `attest parser train`: it scores spans and returns the likeliest tree.

Legend: B sentences, F features of a word, K borders between words.
"""

import logging
from collections.abc import Iterator, Sequence
from itertools import pairwise

import torch

from attest.models.modes import evaluating
from attest.syntax.parsers.base import Parser
from attest.syntax.parsers.chart import likeliest_tree
from attest.syntax.parsers.span_scorer import SpanScorer
from attest.syntax.parsers.word_features import feature_rows
from attest.syntax.trees import Span

MAX_PIECE_WORDS = 200
"""The largest number of words that are parsed as a whole: time grows with its cube, memory with its square."""
MAX_BATCH_SPANS = 2**16
"""The largest number of spans in a batch of sentences, including those of padding."""

log = logging.getLogger(__name__)


class LearnedParser(Parser):
    """A parser that scores spans with a trained `SpanScorer`.

    A sentence of more than MAX_PIECE_WORDS words is cut into pieces of that length. The pieces are parsed separately,
    and their trees are joined into a right-branching tree.
    """

    def __init__(self, scorer: SpanScorer, identity: str) -> None:
        self.scorer, self.identity = scorer, identity

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
        if long := sum(len(sentence) > MAX_PIECE_WORDS for sentence in sentences):
            log.warning(
                "%d of %d sentences have over %d words and are parsed in pieces", long, len(sentences), MAX_PIECE_WORDS
            )
        borders = [[*range(0, len(sentence), MAX_PIECE_WORDS), len(sentence)] for sentence in sentences]
        pieces = [
            sentence[start:end]
            for sentence, cuts in zip(sentences, borders, strict=True)
            for start, end in pairwise(cuts)
        ]
        piece_spans = iter(self.parse_short(pieces))
        parsed: list[list[Span]] = []
        for cuts in borders:
            spans = [(start, cuts[-1]) for start in cuts[:-2]]  # nodes over more than one piece
            for shift, _ in pairwise(cuts):
                spans += [(start + shift, end + shift) for start, end in next(piece_spans)]
            parsed.append(spans)
        return parsed

    def parse_short(self, sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
        """Return the inner nodes of the likeliest tree of each sentence; none may have over MAX_PIECE_WORDS words.

        Trees are found by gradients, so inference mode, in which a caller may be, is left.
        """
        device = next(self.scorer.parameters()).device
        parsed: list[list[Span]] = [[] for _ in sentences]
        with torch.inference_mode(False), torch.no_grad(), evaluating(self.scorer):
            for batch in length_batches([len(sentence) for sentence in sentences]):
                rows_BTF = torch.from_numpy(feature_rows([sentences[i] for i in batch], self.scorer.rows))
                length_B = torch.tensor([len(sentences[i]) for i in batch])
                chart_BKK = likeliest_tree(self.scorer(rows_BTF.to(device), length_B), length_B.to(device))
                for row, start, end in chart_BKK.nonzero().tolist():
                    parsed[batch[row]].append((start, end))
        return parsed


def length_batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield batches of the indices of sentences with two or more words, short sentences first."""
    batch: list[int] = []
    for i in sorted(range(len(lengths)), key=lengths.__getitem__):
        if lengths[i] > 1:
            if batch and (len(batch) + 1) * (lengths[i] + 1) ** 2 > MAX_BATCH_SPANS:
                yield batch
                batch = []
            batch.append(i)
    if batch:
        yield batch
