"""The decimals of the figures that a paper prints: a number that is read from YAML has lost the zeros at its end."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attest.config.yaml_files import read_texts, read_yaml

NUMBER = re.compile(r"[-+]?\d+(?:\.(\d*))?")
"""The pattern of a number without an exponent; its group holds the decimals."""


def read_with_decimals(path: Path) -> dict[str, Any]:
    """Return the keys and values of the file of a table, with the number of decimals of each printed figure.

    Mistakes in the file are left as they are, for those who check it.
    """
    data, texts = read_yaml(path), read_texts(path)
    if not isinstance(data.get("rows"), Mapping):
        return data
    return {**data, "rows": {name: with_decimals(row, below(texts, "rows", name))
                             for name, row in data["rows"].items()}}  # fmt: skip


def with_decimals(row: Any, texts: Any) -> Any:
    """Return a row with the number of decimals of each figure whose value is a number and that states no other number
    of decimals; `texts` is the row as it is written."""
    if not isinstance(row, Mapping) or not isinstance(row.get("paper"), Mapping):
        return row
    figures = dict(row["paper"])
    for column, figure in figures.items():
        number = NUMBER.fullmatch(str(below(texts, "paper", column, "value")))
        if number and isinstance(figure, Mapping):
            figures[column] = {"decimals": len(number[1] or ""), **figure}
    return {**row, "paper": figures}


def below(texts: Any, *keys: object) -> Any:
    """Return what stands below some keys of nested mappings; None if a key is missing, as below one that YAML merges
    into another."""
    for key in keys:
        texts = texts.get(str(key)) if isinstance(texts, Mapping) else None
    return texts
