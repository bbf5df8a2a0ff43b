"""Sentence pairs in the JSON lines of SNLI 1.0 and MultiNLI 1.0 (Bowman et al. 2015, Williams et al. 2018)."""

from collections.abc import Collection, Iterator
from typing import Any

from attest.data.files import Source
from attest.data.readers.example import Example
from attest.data.readers.json_lines import check_surrogates, json_object
from attest.syntax.trees import binarise, from_labelled, to_brackets

NO_LABEL = "-"
"""The official mark of pairs whose annotators did not agree."""


def read_nli(source: Source, labels: Collection[str] | None) -> Iterator[Example]:
    """Every row of the file, also those without a label. Parses, genre and pairID are optional, the rest is not.

    Without `labels`, whatever stands in their place counts as none: official test sets hide theirs.
    """
    for number, line in source.lines():
        row = json_object(source, number, line, "gold_label, sentence1 and sentence2")
        label = text_field(source, number, row, "gold_label")
        if labels is None:
            label = NO_LABEL
        elif label != NO_LABEL and label not in labels:
            raise source.error(number, f"gold_label {label!r} is none of {', '.join(labels)} or {NO_LABEL}")
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
    """Of one sentence the binary tree, and the one in the form of the Penn Treebank; where a row has only the second,
    the first is made of it."""
    binary = text_field(source, number, row, f"{sentence}_binary_parse", optional=True)
    labelled = text_field(source, number, row, f"{sentence}_parse", optional=True)
    if binary is None and labelled:
        try:
            binary = to_brackets(binarise(from_labelled(labelled)))
        except ValueError as error:
            raise source.error(number, f"field '{sentence}_parse': {error}") from error
    return binary, labelled


def text_field(source: Source, number: int, row: dict[str, Any], key: str, *, optional: bool = False) -> Any:
    """The text under `key`; None for an optional key that is not there."""
    if key not in row:
        if optional:
            return None
        raise source.error(number, f"field {key!r} is missing")
    value = row[key]
    if not isinstance(value, str):
        raise source.error(number, f"field {key!r} is {value!r}, not text")
    return check_surrogates(source, number, value)
