"""Sentence pairs of random words that are as long as SNLI's, so that timing needs no data."""

import numpy as np

from attest.data.split import FIRST_WORD, Ragged, Split

PREMISE, HYPOTHESIS = (14.1, 6.1), (8.3, 3.2)
"""Mean and standard deviation of the number of words, Bowman et al. 2015."""
LONGEST = 62


def split(examples: int, words: int, seed: int = 0) -> Split:
    rng = np.random.default_rng(seed)
    sentences = tuple(drawn(rng, examples, words, *shape) for shape in (PREMISE, HYPOTHESIS))
    nothing = np.zeros(examples, np.int64)
    return Split(sentences, rng.integers(0, 3, examples), nothing, nothing.astype(np.int16))


def drawn(rng: np.random.Generator, number: int, words: int, mean: float, deviation: float) -> Ragged:
    """Lengths are log-normal; words follow Zipf's law."""
    sigma = np.sqrt(np.log1p((deviation / mean) ** 2))
    lengths = np.rint(rng.lognormal(np.log(mean) - sigma**2 / 2, sigma, number)).clip(1, LONGEST).astype(int)
    chances = 1 / (np.arange(words) + 2.7)
    tokens = rng.choice(words, lengths.sum(), p=chances / chances.sum()) + FIRST_WORD
    return Ragged(tokens.astype(np.int32), np.concatenate([[0], np.cumsum(lengths)]))
