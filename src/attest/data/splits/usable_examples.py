"""The examples of a split that are used: those with a label and, in a training set, without an overlong sentence."""

import math
from fractions import Fraction

import numpy as np

from attest.data.splits.provisional import NO_CLASS, ProvisionalSplit


def length_limit(examples: ProvisionalSplit, percentile: float) -> int | None:
    """Return the smallest length that `percentile` percent of all sentences do not exceed; None for 100 percent.

    Examples without a label count, as in the DiSAN authors' code, which measures before it drops any example.
    """
    if percentile >= 100 or not len(examples):
        return None
    lengths = np.sort(np.concatenate([sentences.lengths for sentences in examples.split.sentences]))
    number = math.ceil(Fraction(str(percentile)) * len(lengths) / 100)  # as floats, 99.9 / 100 is above 999 / 1000
    return int(lengths[number - 1])


def drop_unusable(examples: ProvisionalSplit, limit: int | None) -> ProvisionalSplit:
    """Return the examples that have a label and no sentence of more than `limit` tokens.

    Raise the first error in `examples.errors` whose example would be kept.
    """
    used = examples.split.labels != NO_CLASS
    if limit is not None:
        used &= examples.split.max_lengths() <= limit
    for place, error in examples.errors.items():
        if used[place]:
            raise error
    if used.all():
        return examples
    return ProvisionalSplit(
        examples.split.select(np.flatnonzero(used)), examples.has_parses[used], examples.cut_off[used]
    )
