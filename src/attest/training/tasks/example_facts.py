"""The facts about test examples that are stored beside a record, with the predictions."""

import numpy as np

from attest.data.splits.split import Split


def example_facts(split: Split) -> dict[str, np.ndarray]:
    """Return the facts by which tables select test examples, as arrays by name.

    rows: the row of each example in the official file. lengths: the number of words of each sentence. same_bag, for
    pairs only: whether both sentences consist of the same words in any order.
    """
    known = {"rows": np.asarray(split.rows), "lengths": split.sentence_lengths().astype(np.int16)}
    return {**known, "same_bag": split.same_bags()} if len(split.sentences) == 2 else known
