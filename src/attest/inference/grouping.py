"""The column of a file of labelled examples by whose values an evaluation is split, such as the genre of MultiNLI."""

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from attest.data.readers.columns import COLUMN_READERS
from attest.errors import SettingsError
from attest.inference.labelled_files import OTHER_FORMAT, LabelledFile

BY = "--by"
"""The option that names the column."""
NUMBER = re.compile(r"-?[0-9]{1,18}(\.[0-9]+)?")


@dataclass(frozen=True, eq=False)
class Grouping:
    """A column of a file, and its value for each example."""

    column: str
    """The column by its name, or by its number from 1, as a user typed it."""
    value_of_line: Mapping[int, str]
    """The line of an example in the file -> its value."""

    def places(self, lines: Iterable[int]) -> dict[str, list[int]]:
        """Return the places of the examples of some lines by value; the values are sorted, numbers by their size."""
        places: dict[str, list[int]] = defaultdict(list)
        for place, line in enumerate(lines):
            places[self.value_of_line[line]].append(place)
        return {value: places[value] for value in sorted(places, key=sort_key)}


def read_grouping(file: LabelledFile, column: str) -> Grouping:
    """Return the grouping of a file's examples by a column that a user typed, which may be any column of the file.

    Raise SettingsError if the format has no columns with names, and DataError if the file has no such column.
    """
    dataset = file.settings.dataset
    form = "jsonl" if dataset.format == "nli" else dataset.format
    if form not in COLUMN_READERS:
        raise SettingsError(
            f"{BY} {column}: files like those of {dataset.name} have no columns with names; {OTHER_FORMAT}"
        )
    for _ in file.examples():  # if the file has another format, the error says what to type
        break
    name: str | int = column
    if any(isinstance(other, int) for other in dataset.columns.values()):
        if not re.fullmatch("[1-9][0-9]{0,3}", column):
            raise SettingsError(f"{BY} {column}: the other columns are numbers; type the number of this one as well")
        name = int(column)
    # The role "label" accepts text, numbers, true and false, as the values of any column may be.
    records = COLUMN_READERS[form](file.source, {"label": name})
    return Grouping(column, {line: sys.intern(texts["label"]) for line, texts in records})


def sort_key(value: str) -> tuple[bool, float, str]:
    """Return what a value is sorted by: numbers come first, by their size."""
    is_number = NUMBER.fullmatch(value) is not None
    return not is_number, float(value) if is_number else 0.0, value
