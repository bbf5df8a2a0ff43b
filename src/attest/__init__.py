"""Attest reproduces four papers on attention-based sentence encoders as experiments to run, check and extend."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attest.inference.trained_run import TrainedRun

__version__ = "0.1.0"


def load(run: str | PathLike[str], overrides: Sequence[str] = ()) -> TrainedRun:
    """Return a finished run, whose `encode`, `predict` and `attend` take sentences.

    `run` is the id of the run or the beginning of it, or the run's folder, also one that was moved from another
    machine. `overrides` may change settings that ids do not hash, as in ["paths.data=FOLDER"]. Words that the run has
    not met get their vectors from the run's file of word vectors; if it is missing, they count as unknown words. Raise
    RecordError or StorageError if there is no such run, or its files are damaged or of another version.

        >>> run = attest.load("runs/c59f3a4f9192")
        >>> sentences = ["A man runs .", "Two dogs sleep ."]
        >>> vectors = run.encode(sentences)  # an array (2, W)
        >>> predictions = run.predict([("A man runs .", "A person moves .")])
        >>> predictions.classes
        ('entailment', 'neutral', 'contradiction')
        >>> maps = run.attend("A man runs .")  # attention maps by name, such as (4, 4) for four words
        >>> maps["source2token"].shape == (4, vectors.shape[1])
        True
    """
    from attest.inference.opening import open_run  # imported here, so that `import attest` is quick

    return open_run(run, overrides, new_words="optional")
