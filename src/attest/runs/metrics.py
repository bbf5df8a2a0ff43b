"""How closely two rows of numbers go together.

Legend: N examples.
"""

import numpy as np


def pearson(first_N: np.ndarray, second_N: np.ndarray) -> float:
    """Pearson's r, and 0 where one side does not vary."""
    if np.ptp(first_N) == 0 or np.ptp(second_N) == 0:
        return 0.0
    return float(np.corrcoef(first_N, second_N)[0, 1])


def spearman(first_N: np.ndarray, second_N: np.ndarray) -> float:
    """Pearson's r of ranks, where equals share theirs."""
    from scipy import stats  # here, so that reading a table does not load it: that takes longer than the reading

    return pearson(stats.rankdata(first_N), stats.rankdata(second_N))
