"""attest encode, predict: the vectors or labels that a finished run gives the sentences of a file."""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from numpy.lib.format import write_array_header_1_0

from attest.data.files import Source
from attest.errors import SettingsError
from attest.runs.progress import observe_work
from attest.system.files import atomic_path

if TYPE_CHECKING:
    from attest.inference.sentence_files import SentenceFile
    from attest.inference.streams import Survey
    from attest.inference.trained_run import TrainedRun

STANDARD_INPUT = "-"


def encode(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Write the sentence vectors (sentences, width) of a file, in the order of its lines, as a .npy file."""
    from attest.inference.streams import results

    with opened(parsed, overrides, sides=1) as (trained, file, counts):
        shape = (counts.examples, trained.module.encoder.width)
        with atomic_path(Path(parsed.to)) as temporary, temporary.open("wb") as output:
            write_array_header_1_0(output, {"descr": "<f4", "fortran_order": False, "shape": shape})
            with observe_work(f"encode {trained.record.id}", counts.examples) as (bar,):
                for done, vectors in results(file, counts.examples, lambda rows: trained.encode([s for (s,) in rows])):
                    output.write(vectors.astype("<f4").tobytes())
                    bar.step(done)
    print(f"{parsed.to}: {shape[0]:,} vectors of {shape[1]:,} numbers")


def predict(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Print the label and the probabilities of each example of a file as columns separated by tabs, or write them."""
    with opened(parsed, overrides) as (trained, file, counts):
        if parsed.to is None:
            return write_predictions(trained, file, counts, sys.stdout)
        with atomic_path(Path(parsed.to)) as temporary, temporary.open("w", encoding="utf-8") as output:
            write_predictions(trained, file, counts, output)
    print(f"{parsed.to}: {counts.examples:,} predictions")
    return None


def write_predictions(trained: "TrainedRun", file: "SentenceFile", counts: "Survey", output: TextIO) -> None:
    """Write a line with the names of the columns, then a line for each example: its label and its probabilities."""
    from attest.inference.streams import results

    names = trained.predict([])
    print("\t".join(["label", *names.classes] if names.classes else ["score"]), file=output)
    with observe_work(f"predict {trained.record.id}", counts.examples) as (bar,):
        for done, predictions in results(file, counts.examples, lambda rows: trained.predict(as_examples(rows))):
            for label, row in zip(predictions.labels, predictions.probabilities.tolist(), strict=True):
                cells = [str(label), *(f"{p:.4f}" for p in row)] if names.classes else [f"{label:.4f}"]
                print("\t".join(cells), file=output)
            bar.step(done)


def as_examples(rows: Sequence[tuple[str, ...]]) -> Sequence[str | tuple[str, ...]]:
    """Return examples as `TrainedRun.predict` takes them: a single sentence is no tuple."""
    return [row[0] if len(row) == 1 else row for row in rows]


@contextmanager
def opened(
    parsed: argparse.Namespace, overrides: list[str], sides: int | None = None
) -> Iterator[tuple["TrainedRun", "SentenceFile", "Survey"]]:
    """Yield the run, the file of its examples, and what a first reading found in it, which is also printed.

    An example has `sides` sentences, by default as many as in training. Standard input and pipes are copied to a
    temporary file, since it is read twice.
    """
    from attest.inference.opening import open_leniently
    from attest.inference.sentence_files import sentence_file
    from attest.inference.streams import survey

    trained = open_leniently(parsed.run, overrides)
    sides = sides or trained.sides
    form = parsed.format
    with tempfile.TemporaryDirectory() as folder:
        path = Path(parsed.file)
        if parsed.file == STANDARD_INPUT or path.is_fifo():
            if parsed.file == STANDARD_INPUT and sys.stdin.isatty():
                raise SettingsError(f"{STANDARD_INPUT}: standard input is a terminal; pipe sentences into the command")
            with path.open("rb") if path.is_fifo() else nullcontext(sys.stdin.buffer) as stream:
                path, form = Path(folder) / "standard input", form or ("txt" if sides == 1 else "tsv")
                with path.open("wb") as copy:
                    shutil.copyfileobj(stream, copy)
        file = sentence_file(Source(path), form, sides)
        counts = survey(trained, file)
        if counts.unknown:
            print(
                f"{counts.unknown:,} of {counts.words:,} words are unknown to the run and have no vector, the most "
                f"frequent {', '.join(map(repr, counts.most_frequent))}",
                file=sys.stderr,
            )
        yield trained, file, counts
