"""STS 2014: the cosine of two sentence vectors beside what people say, set by set.

Legend: N pairs, W features.
"""

from collections.abc import Mapping

import numpy as np

from attest.runs.metrics import pearson, spearman


def cosines(u_NW: np.ndarray, v_NW: np.ndarray) -> np.ndarray:
    """(N,) A zero vector is like no other."""
    u_NW, v_NW = u_NW.astype(np.float64), v_NW.astype(np.float64)
    lengths_N = np.linalg.norm(u_NW, axis=1) * np.linalg.norm(v_NW, axis=1)
    return np.divide((u_NW * v_NW).sum(1), lengths_N, out=np.zeros(len(u_NW)), where=lengths_N > 0)


def correlations(said: Mapping[str, np.ndarray], gold: Mapping[str, np.ndarray]) -> dict[str, float]:
    """Pearson's and Spearman's coefficient of each set, their mean, and their mean weighted by the size of the set."""
    sizes = [len(gold[name]) for name in gold]
    found: dict[str, float] = {}
    for measure, function in (("pearson", pearson), ("spearman", spearman)):
        of_set = {name: function(said[name], gold[name]) for name in gold}
        found[f"{measure}/mean"] = float(np.mean(list(of_set.values())))
        found[f"{measure}/weighted"] = float(np.average(list(of_set.values()), weights=sizes))
        found |= {f"{measure}/{name}": value for name, value in of_set.items()}
    return found
