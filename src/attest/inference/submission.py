"""Predicted labels of a test set whose labels are not published, in the format in which MultiNLI took submissions.

The input is a file of JSON lines in the format of MultiNLI. The output is CSV with the columns pairID and gold_label, a
line for each pair in the order of the input.
"""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from attest.data.readers import Source
from attest.data.readers.nli import read_nli
from attest.errors import DataError, SettingsError
from attest.inference.example_input import split_of_examples
from attest.inference.predictions import predictions_of
from attest.inference.trained_run import TrainedRun
from attest.training.outputs import outputs_of_split

HEADER = "pairID,gold_label"


def submission_lines(trained: TrainedRun, path: Path) -> Iterator[str]:
    """Yield the lines of a submission for the pairs of the file, the header first.

    Raise SettingsError if the run does not classify pairs, and DataError if there is no pair or one has no pairID.
    """
    settings = trained.settings
    if settings.predicts_scores or trained.sides != 2:
        raise SettingsError(f"{trained.record.id}: this run does not classify pairs of sentences; choose another run")
    trained.check_head()
    source = Source(path)
    pairs = list(read_nli(source, None))
    if not pairs:
        raise DataError(f"{path}: the file holds no pairs; name the file of the test set")
    names = [pair.name for pair in pairs]
    if None in names:
        raise pairs[names.index(None)].error("field 'pairID' is missing; a submission needs it for every pair")
    split = split_of_examples(trained, pairs)
    outputs_NC = outputs_of_split(trained.task, split, settings.protocol.evaluation_batch_size)
    yield HEADER
    for name, label in zip(names, predictions_of(outputs_NC.numpy(), settings.dataset.labels).labels, strict=True):
        yield csv_line(name, label)


def csv_line(*cells: object) -> str:
    """Return a line of CSV without its end; cells with commas or quotes are quoted."""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(cells)
    return text.getvalue()
