"""Phrases as a corpus keeps them, read back."""

import numpy as np


def phrases_of(bits_T: np.ndarray, levels: int) -> list[list[tuple[int, int]]]:
    """The reverse of `attest.syntax.phrases.phrase_bits`."""
    found: list[list[tuple[int, int]]] = []
    for level in range(levels):
        starts = np.flatnonzero(bits_T >> level & 1).tolist()
        found.append(list(zip(starts, [*starts[1:], len(bits_T)], strict=True)))
    return found
