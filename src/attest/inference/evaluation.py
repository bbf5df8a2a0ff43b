"""Evaluation of a finished run on the labelled examples of a file, by the metrics of its own task.

Legend: N examples with a label or score, C classes or grades.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import torch
from torch import Tensor

from attest.data.readers import Example
from attest.data.splits.split import Split
from attest.errors import DataError
from attest.inference.example_input import split_of_examples
from attest.inference.gold_labels import GoldLabels
from attest.inference.grouping import Grouping
from attest.inference.labelled_files import LabelledFile
from attest.inference.predictions import Predictions, predictions_of
from attest.inference.streams import results
from attest.inference.trained_run import TrainedRun
from attest.runs.observers import Observers
from attest.system.devices import NumberFormat
from attest.training.outputs import outputs_of_split

PREFIX = "file"
"""The name under which a task returns the metrics of the examples, in place of that of a split."""


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The predictions of a run for the labelled examples of a file, and its metrics."""

    examples: int
    """The number of examples in the file, with and without a label; in `by_value`, only of those with a label."""
    lines_N: np.ndarray
    """The line of each labelled example in the file."""
    labels: GoldLabels | None
    """The labels of the file; None if the examples have scores."""
    label_numbers_N: np.ndarray
    """The number of each example's label in the file; empty if the examples have scores."""
    gold_N: np.ndarray
    """The score of each example, or the number of the class that counts as right for it. If several classes do, it is
    the one that the run finds most probable."""
    predicted_N: np.ndarray
    """The predicted scores, or the numbers of the predicted classes."""
    predictions: Predictions
    metrics: Mapping[str, float]
    """The metrics of the run's task by their names, such as accuracy and loss."""
    grouping: Grouping | None = None
    """The column by whose values the examples are evaluated as well, if a user named one."""
    by_value: Mapping[str, "Evaluation"] = field(default_factory=dict)
    """The evaluation of the examples with each value of that column."""

    @property
    def unlabelled(self) -> int:
        """The number of examples without a label, which do not count."""
        return self.examples - len(self.lines_N)


@dataclass(frozen=True, eq=False)
class WindowOutputs:
    """The labelled examples among some of the file: their lines, their labels or scores, and the outputs of the run."""

    lines: Sequence[int]
    gold: Sequence[float]
    outputs_NC: Tensor | None
    """None if no example has a label."""


def evaluate(
    run: TrainedRun,
    file: LabelledFile,
    examples: int,
    precision: NumberFormat,
    observers: Observers = (),
    grouping: Grouping | None = None,
) -> Evaluation:
    """Return the evaluation of a run on a file of `examples` examples.

    The vectors of the file's new words must have been added to the run by `add_new_words`. With a grouping, the
    evaluation also holds that of the examples with each value. Raise DataError if no example has a label.
    """
    windows: list[WindowOutputs] = []
    for done, window in results(run, file, examples, partial(window_outputs, file, precision)):
        windows.append(window)
        for observer in observers:
            observer.step(done)
    outputs = [window.outputs_NC for window in windows if window.outputs_NC is not None]
    if not outputs:
        raise DataError(
            f"{file.source}: none of its {examples:,} examples has a label; name the column of the label with "
            "--columns label=NAME"
        )
    lines_N = np.array([line for window in windows for line in window.lines], np.int64)
    gold_N = np.array(
        [value for window in windows for value in window.gold], np.float64 if file.gold is None else np.int64
    )
    outputs_NC = torch.cat(outputs)
    by_value = {
        value: evaluation_of(run, file.gold, len(rows), lines_N[rows], gold_N[rows], outputs_NC[rows])
        for value, rows in (grouping.places(lines_N.tolist()) if grouping else {}).items()
    }
    result = evaluation_of(run, file.gold, examples, lines_N, gold_N, outputs_NC)
    return replace(result, grouping=grouping, by_value=by_value)


def window_outputs(
    file: LabelledFile, precision: NumberFormat, run: TrainedRun, examples: Sequence[Example]
) -> WindowOutputs:
    """Return the outputs of a run for those of the examples that have a label."""
    labelled = [(example, gold) for example in examples if (gold := file.gold_value(example)) is not None]
    if not labelled:
        return WindowOutputs((), (), None)
    split = split_of_examples(run, [example for example, _ in labelled])
    batch_size = run.settings.protocol.evaluation_batch_size
    outputs_NC = outputs_of_split(run.task, split, batch_size, number_format=precision)
    return WindowOutputs([example.line for example, _ in labelled], [gold for _, gold in labelled], outputs_NC)


def evaluation_of(
    run: TrainedRun,
    labels: GoldLabels | None,
    examples: int,
    lines_N: np.ndarray,
    given_N: np.ndarray,
    outputs_NC: Tensor,
) -> Evaluation:
    """Return the evaluation of the examples on `lines_N`.

    `given_N` holds the number of each example's label in the file or, if `labels` is None, its score.
    """
    unknown_N = np.full(len(lines_N), -1, np.int16)
    if labels is None:
        predictions = predictions_of(outputs_NC.numpy(), ())
        numbers_N, gold_N, predicted_N = np.empty(0, np.int64), given_N, np.array(predictions.labels)
        split = Split((), unknown_N, lines_N, unknown_N, scores=gold_N)
    else:
        predictions = predictions_of(outputs_NC.numpy(), run.settings.dataset.labels)
        numbers_N, predicted_N = given_N, outputs_NC.argmax(-1).numpy()
        wrong_NC = torch.from_numpy(~labels.right_GC[numbers_N])
        gold_N = outputs_NC.masked_fill(wrong_NC, -torch.inf).argmax(-1).numpy()
        split = Split((), gold_N, lines_N, unknown_N)
    metrics = run.task.metrics(PREFIX, outputs_NC, split)
    by_name = {name.removeprefix(f"{PREFIX}/"): value for name, value in metrics.items()}
    return Evaluation(examples, lines_N, labels, numbers_N, gold_N, predicted_N, predictions, by_name)
