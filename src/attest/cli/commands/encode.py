"""attest encode, predict: the vectors or labels that a finished run gives the sentences of a file."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.format import write_array_header_1_0

from attest.cli.example_files import announced_counts, check_ending, check_not_input, readable_twice
from attest.data.files.source import Source
from attest.reproduction.plurals import pluralize
from attest.runs.progress import observe_work
from attest.system.resumable import resumable_file

if TYPE_CHECKING:
    from attest.data.readers import Example
    from attest.inference.predictions import Predictions
    from attest.inference.sentence_files import SentenceFile
    from attest.inference.streams import FileCounts
    from attest.inference.trained_run import TrainedRun


def encode(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Write the sentence vectors (sentences, width) of a file, in the order of its lines, as a .npy file.

    The same command continues where it was stopped or killed.
    """
    from attest.inference.streams import results

    check_ending(parsed.to, "encode writes NumPy's format", ".npy")
    check_not_input(parsed.to, parsed.file)
    with opened(parsed, overrides, sides=1) as (trained, file, counts):
        shape = (counts.examples, trained.task.encoder.width)
        header = BytesIO()
        write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": shape})
        with (
            resumable_file(Path(parsed.to), identity(parsed, trained, file, counts)) as output,
            observe_work(f"encode {trained.record.id}", counts.examples) as (bar,),
        ):
            start = announce_start(output.done, counts.examples)

            def vectors_of(run: "TrainedRun", rows: Sequence["Example"]) -> np.ndarray:
                return run.encode([row.sentences[0] for row in rows], precision=parsed.precision)

            for done, vectors in results(trained, file, counts.examples, vectors_of, start):
                prefix = header.getvalue() if output.done == 0 else b""
                output.append(prefix + vectors.astype("<f4", copy=False).tobytes(), done)
                bar.step(done)
    print(f"{parsed.to}: {pluralize(shape[0], 'vector')} of {shape[1]:,} numbers")


def predict(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Print the label and the probabilities of each example of a file as columns separated by tabs, or write them.

    If they are written, the same command continues where it was stopped or killed.
    """
    from attest.inference.streams import results

    check_ending(parsed.to, "predict writes columns separated by tabs", ".tsv", ".txt")
    if parsed.to is not None:
        check_not_input(parsed.to, parsed.file)
    with opened(parsed, overrides) as (trained, file, counts), ExitStack() as stack:
        output = None
        if parsed.to is not None:
            to = resumable_file(Path(parsed.to), identity(parsed, trained, file, counts))
            output = stack.enter_context(to)
        (bar,) = stack.enter_context(observe_work(f"predict {trained.record.id}", counts.examples))
        start = announce_start(output.done, counts.examples) if output else 0
        head = "" if start else f"{header_line(trained.predict([]))}\n"

        def predictions_of(run: "TrainedRun", rows: Sequence["Example"]) -> "Predictions":
            return run.predict(as_examples(rows), precision=parsed.precision)

        for done, predictions in results(trained, file, counts.examples, predictions_of, start):
            text = head + "".join(f"{line}\n" for line in prediction_lines(predictions))
            if output:
                output.append(text.encode(), done)
            else:
                print(text, end="")
            head = ""
            bar.step(done)
    if parsed.to is not None:
        print(f"{parsed.to}: {pluralize(counts.examples, 'prediction')}")


def header_line(predictions: "Predictions") -> str:
    """Return the names of the columns."""
    return "\t".join(["label", *predictions.classes] if predictions.classes else ["score"])


def prediction_lines(predictions: "Predictions") -> Iterator[str]:
    """Yield a line for each example: its label and the probability of each class, or its score."""
    for label, row in zip(predictions.labels, predictions.probabilities.tolist(), strict=True):
        yield "\t".join([str(label), *(f"{p:.4f}" for p in row)] if predictions.classes else [f"{label:.4f}"])


def identity(parsed: argparse.Namespace, trained: "TrainedRun", file: "SentenceFile", counts: "FileCounts") -> str:
    """Return a text that is the same for the same results: the run, the file, its format, its words, the precision."""
    from attest.inference.streams import WINDOW

    return repr((parsed.command, trained.record.id, file.source.sha256, file.form, counts, parsed.precision, WINDOW))


def announce_start(done: int, examples: int) -> int:
    """Say on standard error that earlier work is continued, if there is any, and return the number of its examples."""
    if done:
        print(f"continued after {done:,} of {examples:,} examples", file=sys.stderr, flush=True)
    return done


def as_examples(rows: Sequence["Example"]) -> Sequence[str | tuple[str, ...]]:
    """Return examples as `TrainedRun.predict` takes them: a single sentence is no tuple."""
    return [row.sentences[0] if len(row.sentences) == 1 else row.sentences for row in rows]


@contextmanager
def opened(
    parsed: argparse.Namespace, overrides: list[str], sides: int | None = None
) -> Iterator[tuple["TrainedRun", "SentenceFile", "FileCounts"]]:
    """Yield the run, the file of its examples, and what a first reading found in it, which is also printed.

    An example has `sides` sentences, by default as many as in training.
    """
    from attest.inference.opening import open_run
    from attest.inference.sentence_files import sentence_file
    from attest.system.devices import warn_if_slow

    trained = open_run(parsed.run, overrides, new_words="optional")
    warn_if_slow(parsed.precision, "cpu", "--precision fp32")
    sides = sides or trained.sides
    with readable_twice(parsed.file, "sentences") as path:
        of_stream = None if path == Path(parsed.file) else ("txt" if sides == 1 else "tsv")
        file = sentence_file(Source(path, own=True), parsed.format or of_stream, sides)
        yield trained, file, announced_counts(trained, file)
