"""Predictions for a test set whose labels are hidden, in the form in which MultiNLI's were handed in.

The file is official JSON lines; what is written is pairID,gold_label, one line a pair, in the order of the file.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from attest.data.readers import Source
from attest.data.readers.nli import read_nli
from attest.data.split import Split
from attest.data.text.tokens import tokenise
from attest.errors import SettingsError
from attest.inference.trained_run import Trained
from attest.training.evaluation import outputs_of

HEADER = "pairID,gold_label"


def submission(trained: Trained, path: Path) -> Iterator[str]:
    """The lines of the file to hand in."""
    settings = trained.settings
    if settings.task != "classification" or len(trained.corpus.splits["test"].sentences) != 2:
        raise SettingsError(f"{trained.record.id}: this run says nothing of the relation between two sentences")
    source = Source(path)
    pairs = list(read_nli(source, None))
    names = [pair.name for pair in pairs]
    if None in names:
        raise source.error(names.index(None) + 1, "field 'pairID' is missing, and a submission is by pairID")
    sides = [(pair.sentences[side], pair.parses[side]) for side in (0, 1) for pair in pairs]
    labelled = [pair.labelled_parses[side] if pair.labelled_parses else None for side in (0, 1) for pair in pairs]
    words = [tokenise(sentence, parse, settings.text) for sentence, parse in sides]
    together = trained.divided(trained.numbered(words), words, [parse for _, parse in sides], labelled)
    first, second = (together.select(which) for which in np.split(np.arange(2 * len(pairs)), 2))
    outputs_NC = outputs_of(
        trained.module, Split.from_sentences(first, second), settings.protocol.evaluation_batch_size
    )
    yield HEADER
    for name, label in zip(names, np.asarray(outputs_NC).argmax(-1), strict=True):
        yield f"{name},{settings.dataset.labels[label]}"
