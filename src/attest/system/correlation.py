"""Correlation coefficients of two arrays of numbers.

Legend: N examples.
"""

import numpy as np


def pearson(first_N: np.ndarray, second_N: np.ndarray) -> float:
    """Return Pearson's r, or 0 if one of the arrays is constant."""
    if np.ptp(first_N) == 0 or np.ptp(second_N) == 0:
        return 0.0
    return float(np.corrcoef(first_N, second_N)[0, 1])


def spearman(first_N: np.ndarray, second_N: np.ndarray) -> float:
    """Return Spearman's rank correlation, in which equal values get their mean rank, or 0 if an array is constant."""
    from scipy import stats  # imported here because loading it takes longer than reading a table

    return pearson(stats.rankdata(first_N), stats.rankdata(second_N))
