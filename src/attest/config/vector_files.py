"""The description of a file of word vectors: the number of its rows, its licence and reference, and its download.

The choices in conf/vectors/ describe one file each. `vectors.file=...` exchanges the file alone, which would leave the
description of the chosen one beside another file.
"""

from collections.abc import Collection
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from attest.config.own_folders import choices
from attest.config.yaml_files import read_yaml
from attest.errors import SettingsError

NO_FILE = "none"
"""The value of vectors.file for which there is no file, and the name of the choice that has it."""
UNDESCRIBED: dict[str, Any] = {"expected": None, "licence": "", "reference": "", "archive": None}
"""The description of a file of which nothing is known, by the names of the settings of word vectors."""


def with_file_description(vectors: Any, typed: Collection[str]) -> Any:
    """Return composed settings of word vectors, a dict, with the description of their own file.

    `typed` holds the dotted keys that overrides set. If the file is one of them, the rest of the description is what is
    known of this file, except for what is typed too. Settings without the name of a file are returned as they are, for
    the check of types to refuse.
    """
    if "vectors.file" not in typed or not isinstance(vectors, dict) or not isinstance(vectors.get("file"), str):
        return vectors
    own = descriptions(tuple(choices("vectors").values())).get(vectors["file"], UNDESCRIBED)
    kept = {key.split(".")[1] for key in typed if key.startswith("vectors.")}
    return vectors | {key: value for key, value in own.items() if key not in kept}


@cache
def descriptions(choices_of_vectors: tuple[Path, ...]) -> dict[str, dict[str, Any]]:
    """Return what each choice, given by its path, says of its file, by the name of that file.

    Values that refer to other settings are known only where the choice is composed, and left out.
    """
    by_file: dict[str, dict[str, Any]] = {}
    for path in choices_of_vectors:
        with suppress(SettingsError):  # a broken file is reported where it is chosen
            plain = {key: value for key, value in read_yaml(path).items() if "${" not in str(value)}
            if isinstance(file := plain.get("file"), str):
                by_file.setdefault(file, {key: plain.get(key, UNDESCRIBED[key]) for key in UNDESCRIBED})
    return by_file
