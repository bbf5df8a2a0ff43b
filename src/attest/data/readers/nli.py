"""SNLI 1.0 and MultiNLI 1.0: sentence pairs as JSON lines (Bowman et al. 2015, Williams et al. 2018)."""

from collections.abc import Collection, Iterator
from typing import Any

from attest.data.files import Source
from attest.data.readers.example import Example
from attest.data.readers.json_lines import check_surrogates, json_object
from attest.syntax.trees import binarise, from_labelled, to_brackets

NO_LABEL = "-"
"""The official label of pairs whose annotators did not agree."""


def read_nli(source: Source, labels: Collection[str] | None) -> Iterator[Example]:
    """Yield every row of the file, including rows without a label. Trees, genre and pairID are optional fields.

    If `labels` is None, the labels of the file are ignored, as official test sets hide theirs.
    """
    for number, line in source.lines():
        row = json_object(source, number, line, "gold_label, sentence1 and sentence2")
        label = text_field(source, number, row, "gold_label")
        if labels is None:
            label = NO_LABEL
        elif label != NO_LABEL and label not in labels:
            raise source.error(number, f"gold_label {label!r} is not one of {', '.join(labels)}, {NO_LABEL}")
        trees = [sentence_trees(source, number, row, sentence) for sentence in ("sentence1", "sentence2")]
        yield Example(
            row=number - 1,
            label=None if label == NO_LABEL else label,
            sentences=(text_field(source, number, row, "sentence1"), text_field(source, number, row, "sentence2")),
            parses=tuple(binary for binary, _ in trees),
            labelled_parses=tuple(labelled for _, labelled in trees),
            genre=text_field(source, number, row, "genre", optional=True),
            name=text_field(source, number, row, "pairID", optional=True),
        )


def sentence_trees(source: Source, number: int, row: dict[str, Any], sentence: str) -> tuple[str | None, str | None]:
    """Return the binary tree of a sentence and its tree with labels, each None if the row has none.

    If a row has only the tree with labels, the binary tree is made from it.
    """
    binary = text_field(source, number, row, f"{sentence}_binary_parse", optional=True)
    labelled = text_field(source, number, row, f"{sentence}_parse", optional=True)
    if binary is None and labelled:
        try:
            binary = to_brackets(binarise(from_labelled(labelled)))
        except ValueError as error:
            raise source.error(number, f"field '{sentence}_parse': {error}") from error
    return binary, labelled


def text_field(source: Source, number: int, row: dict[str, Any], key: str, *, optional: bool = False) -> Any:
    """Return the text of field `key`, or None if the field is optional and missing."""
    if key not in row:
        if optional:
            return None
        raise source.error(number, f"field {key!r} is missing")
    value = row[key]
    if not isinstance(value, str):
        raise source.error(number, f"field {key!r} is {value!r}, not text")
    return check_surrogates(source, number, value)
