"""attest evaluate: how well a finished run does on the labelled examples of a file."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from attest.cli.commands.encode import header_line, prediction_lines
from attest.cli.example_files import announced_counts, check_ending, check_not_input, readable_twice
from attest.reproduction.plurals import pluralize
from attest.runs.progress import observe_work
from attest.system.files import write_text

if TYPE_CHECKING:
    from attest.inference.evaluation import Evaluation


def evaluate(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Print the metrics of a run on the labelled examples of a file, and write its predictions if asked to."""
    from attest.inference import evaluation
    from attest.inference.grouping import read_grouping
    from attest.inference.labelled_files import labelled_file
    from attest.inference.opening import open_run
    from attest.reproduction.pages.terminal.evaluation import render_evaluation
    from attest.system.devices import warn_if_slow

    if parsed.to is not None:
        check_ending(parsed.to, "evaluate writes columns separated by tabs", ".tsv", ".txt")
        check_not_input(parsed.to, parsed.file)
    run = open_run(parsed.run, overrides)
    warn_if_slow(parsed.precision, "cpu", "--precision fp32")
    with readable_twice(parsed.file, "labelled examples") as path:
        file = labelled_file(run, path, parsed.format, parsed.columns, parsed.labels)
        grouping = None if parsed.by is None else read_grouping(file, parsed.by)
        counts = announced_counts(run, file)
        with observe_work(f"evaluate {run.record.id}", counts.examples) as observers:
            result = evaluation.evaluate(run, file, counts.examples, parsed.precision, observers, grouping)
    print(render_evaluation(result, run.record, parsed.file, file.source.sha256))
    if parsed.to is not None:
        write_text(Path(parsed.to), "".join(f"{line}\n" for line in result_lines(result)))
        print(f"\n{parsed.to}: {pluralize(len(result.lines_N), 'prediction')}")


def result_lines(result: "Evaluation") -> Iterator[str]:
    """Yield the names of the columns, then a line for each labelled example: its line in the file, its label or score,
    what `attest predict` writes, and its value in the column by which the examples are grouped, if there is one."""
    grouping = result.grouping
    yield "\t".join(["line", "gold", header_line(result.predictions), *([grouping.column] if grouping else [])])
    numbers = result.gold_N.tolist() if result.labels is None else result.label_numbers_N.tolist()
    names = result.labels.names if result.labels else ()
    for line, number, predicted in zip(
        result.lines_N.tolist(), numbers, prediction_lines(result.predictions), strict=True
    ):
        gold = names[number] if names else f"{number:g}"
        value = [" ".join(grouping.value_of_line[line].split())] if grouping else []
        yield "\t".join([str(line), gold, predicted, *value])
