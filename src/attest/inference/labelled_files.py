"""Files of labelled examples for a finished run: in the format of the run's own data set, or with named columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any, cast

from attest.config.settings import Dataset, Settings
from attest.data.dataset import FOLDERS, SplitFile, read_examples, tree_files
from attest.data.files.source import Source
from attest.data.mini.provide import provide_data
from attest.data.readers import COMPANIONS, ENCODINGS, Example, Parses
from attest.data.readers.columns import COLUMN_READERS, HIGHEST_GRADE
from attest.errors import DataError, SettingsError
from attest.inference.file_columns import COLUMNS, file_columns, needed_roles
from attest.inference.gold_labels import LABELS, GoldLabels, parse_gold_labels
from attest.inference.sentence_files import ending
from attest.inference.trained_run import TrainedRun

WITHOUT_LABELS = ("lines", FOLDERS)
"""The formats of data sets whose files have no labels, since each label has files of its own."""
WITH_NAMED_LABELS = ("nli", *COLUMN_READERS)
"""The formats whose labels are texts of any kind, so that a file may have other labels than the run."""
OTHER_FORMAT = "give a file of columns, and add --format tsv, csv or jsonl if its name has another ending"
"""The end of an error about what files of a run's own format do not have."""
READ_AS = "test"
"""The name of the split as which a file is read. Of a file with a column of splits, only the rows of this split
count."""


class AnyLabel(tuple[str, ...]):
    """Labels for a reader that is to accept every label, since `GoldLabels` checks them."""

    def __contains__(self, text: object) -> bool:
        return True


@dataclass(frozen=True)
class LabelledFile:
    """A file of labelled examples that can be read several times."""

    source: Source
    settings: Settings
    """The settings of the run, with the format and the columns of the file."""
    labels: Sequence[str]
    """The labels that the reader accepts."""
    gold: GoldLabels | None
    """The labels that the file may hold; None if its examples have scores."""
    parses: Parses | None
    """The trees that the run's data set has in files of their own."""
    advice: str
    """The end of an error: the options to type if the file has another format."""

    def examples(self) -> Iterator[Example]:
        """Yield the examples of the file, also those without a label.

        Raise DataError for a malformed line and for an unknown label; if not even the first line can be read, the error
        says how to name another format.
        """
        for _ in self.source.lines():  # raises the error of a damaged file without advice about formats
            break
        first = True
        try:
            for example in read_examples(
                self.settings, SplitFile(READ_AS, READ_AS, self.source, self.labels), self.parses
            ):
                first = False
                self.gold_value(example)
                yield example
        except DataError as error:
            if not first:
                raise
            raise DataError(f"{error}; {self.advice}") from error

    def gold_value(self, example: Example) -> float | None:
        """Return the score of an example, or the number of its label; None if it has none.

        Raise DataError for an unknown label.
        """
        return example.score if self.gold is None else self.gold.number(example)


def labelled_file(
    run: TrainedRun, path: Path, form: str | None, columns: str | None, labels: str | None
) -> LabelledFile:
    """Return a file of labelled examples for a run.

    It has the format of the run's data set, unless `form` or `columns` is given, or its name ends in .tsv, .csv or
    .jsonl and the files of the data set have another ending. `columns` and `labels` are what a user typed (see
    `file_columns` and `parse_gold_labels`). Raise SettingsError if they are wrong, if the format has no labels, or if
    the run has no classifier.
    """
    run.check_head()
    dataset, scored, end = run.settings.dataset, run.settings.predicts_scores, ending(path)
    if scored and labels:
        raise SettingsError(f"{LABELS}: {run.record.id} predicts scores, which have no labels; leave it out")
    gold = None if scored else parse_gold_labels(labels, dataset.labels)
    roles = needed_roles(run.sides, scored=scored)
    if form is None and columns is None and (end == dataset_ending(dataset) or end not in COLUMN_READERS):
        check_dataset_format(dataset, path, labels)
        source = Source(path, encoding=ENCODINGS.get(dataset.format, "utf-8"))
        source.companions = COMPANIONS.get(dataset.format, "")
        held, columns_typed = "scores" if scored else "labels", columns_option(end, roles)
        advice = (
            f"it was read like the files of {dataset.name}, which hold {held}; for other columns, add {columns_typed}; "
            "for sentences alone, type `attest predict`"
        )
        trees = dataset_trees(run.settings)
        return LabelledFile(source, run.settings, accepted_labels(dataset, scored), gold, trees, advice)
    form = form or end
    if form not in COLUMN_READERS:
        raise SettingsError(f"{path}: cannot tell its format; add --format {' or '.join(COLUMN_READERS)}")
    file_dataset = replace(dataset, format=cast("Any", form), columns=file_columns(dataset, roles, form, columns))
    advice = f"for other columns, add {columns_option(form, roles)}"
    if form != "jsonl":
        advice += ", with numbers from 1 in place of names if the first line holds none"
    settings = replace(run.settings, dataset=file_dataset)
    return LabelledFile(Source(path, own=True), settings, accepted_labels(file_dataset, scored), gold, None, advice)


def columns_option(form: str, roles: Sequence[str]) -> str:
    """Return the options that name the columns of a file, and its format if its name does not say it."""
    named = "" if form in COLUMN_READERS else f"--format {' or '.join(COLUMN_READERS)}, and "
    return f"{named}{COLUMNS} {','.join(f'{role}=NAME' for role in roles)}"


def dataset_ending(dataset: Dataset) -> str:
    """Return the ending of the names of a data set's own files, or its format if no file is known."""
    return ending(PurePath(dataset.paths[0])) if dataset.paths else dataset.format


def check_dataset_format(dataset: Dataset, path: Path, labels: str | None) -> None:
    """Raise SettingsError if files of a data set hold no labels, or if `labels` is given and they hold only its own."""
    if dataset.format in WITHOUT_LABELS:
        raise SettingsError(f"{path}: files like those of {dataset.name} hold no labels; {OTHER_FORMAT}")
    if labels and dataset.format not in WITH_NAMED_LABELS:
        raise SettingsError(
            f"{LABELS} {labels}: files like those of {dataset.name} have no other labels; {OTHER_FORMAT}"
        )


def accepted_labels(dataset: Dataset, scored: bool) -> Sequence[str]:
    """Return the labels that the reader may accept.

    Any label is accepted if `GoldLabels` checks them. Otherwise, the names of the grades are accepted if rows have a
    score and no label, and else the labels of the data set.
    """
    if dataset.format == "nli" or "label" in dataset.columns:
        return AnyLabel()
    if dataset.format in COLUMN_READERS and scored:
        return [str(grade) for grade in range(HIGHEST_GRADE + 1 - dataset.grades, HIGHEST_GRADE + 1)]
    return dataset.labels


def dataset_trees(settings: Settings) -> Parses | None:
    """Return the trees that the run's data set has in files of their own; None if it has none or needs none."""
    if settings.text.tokens != "parse" or not settings.dataset.parses:
        return None
    provide_data(settings)
    return Parses(tree_files(settings))
