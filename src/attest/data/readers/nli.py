"""SNLI 1.0 and MultiNLI 1.0: sentence pairs as JSON lines (Bowman et al. 2015, Williams et al. 2018)."""

from collections.abc import Collection, Iterator
from typing import Any

from attest.data.files.source import Source
from attest.data.readers.example import Example
from attest.data.readers.fields import not_one_of
from attest.data.readers.json_lines import json_object, text_field
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
            raise source.error(number, not_one_of("gold_label", label, [*labels, NO_LABEL]))
        trees = [sentence_trees(source, number, row, sentence) for sentence in ("sentence1", "sentence2")]
        yield Example(
            source,
            number,
            row=number - 1,
            label=None if label == NO_LABEL else label,
            sentences=(text_field(source, number, row, "sentence1"), text_field(source, number, row, "sentence2")),
            parses=tuple(binary for binary, _ in trees),
            labelled_parses=tuple(labelled for _, labelled in trees),
            genre=optional_field(source, number, row, "genre"),
            name=optional_field(source, number, row, "pairID"),
        )


def sentence_trees(source: Source, number: int, row: dict[str, Any], sentence: str) -> tuple[str | None, str | None]:
    """Return the binary tree of a sentence and its tree with labels, each None if its field is missing or empty.

    If a row has only the tree with labels, the binary tree is made from it.
    """
    trees = (optional_field(source, number, row, f"{sentence}{ending}") for ending in ("_binary_parse", "_parse"))
    binary, labelled = (tree if tree and tree.strip(" ") else None for tree in trees)
    if binary is None and labelled is not None:
        try:
            binary = to_brackets(binarise(from_labelled(labelled)))
        except ValueError as error:
            raise source.error(number, f"field '{sentence}_parse': {error}") from error
    return binary, labelled


def optional_field(source: Source, number: int, row: dict[str, Any], key: str) -> str | None:
    """Return the text of field `key`, or None if it is missing."""
    return text_field(source, number, row, key) if key in row else None
