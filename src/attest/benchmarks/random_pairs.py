"""Random sentence pairs whose lengths are distributed as those of SNLI, so that benchmarks need no data."""

import numpy as np

from attest.data.splits.split import FIRST_WORD, Ragged, Split

PREMISE, HYPOTHESIS = (14.1, 6.1), (8.3, 3.2)
"""The mean and the standard deviation of the number of words in SNLI's premises and hypotheses (Bowman et al. 2015)."""
LONGEST = 62
"""The largest number of words in a random sentence."""


def random_split(examples: int, words: int, seed: int = 0) -> Split:
    """Return a split of random pairs over a vocabulary of `words` words, with three classes."""
    rng = np.random.default_rng(seed)
    sentences = tuple(random_sentences(rng, examples, words, *shape) for shape in (PREMISE, HYPOTHESIS))
    zeros = np.zeros(examples, np.int64)
    return Split(sentences, rng.integers(0, 3, examples), zeros, zeros.astype(np.int16))


def random_sentences(rng: np.random.Generator, number: int, words: int, mean: float, deviation: float) -> Ragged:
    """Return random sentences with log-normal lengths and words that follow Zipf's law."""
    sigma = np.sqrt(np.log1p((deviation / mean) ** 2))
    lengths = np.rint(rng.lognormal(np.log(mean) - sigma**2 / 2, sigma, number)).clip(1, LONGEST).astype(int)
    chances = 1 / (np.arange(words) + 2.7)
    tokens = rng.choice(words, lengths.sum(), p=chances / chances.sum()) + FIRST_WORD
    return Ragged(tokens.astype(np.int32), np.concatenate([[0], np.cumsum(lengths)]))
