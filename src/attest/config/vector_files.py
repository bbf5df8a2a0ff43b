"""The description of a file of word vectors: the number of its rows, its licence and reference, and its download.

The choices in conf/vectors/ describe one file each. `vectors.file=...` exchanges the file alone, which would leave the
description of the chosen one beside another file.
"""

from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from attest.config.own_folders import choices
from attest.config.yaml_files import read_yaml
from attest.errors import SettingsError

UNDESCRIBED: dict[str, Any] = {"expected": None, "licence": "", "reference": "", "archive": None}
"""The description of a file of which nothing is known, by the names of the settings of word vectors."""


def describe_file(vectors: Any) -> Any:
    """Return composed settings of word vectors, a dict, with the description of their own file.

    What a choice says of another file is replaced by what is known of this one. The rest was typed, and stays. Settings
    without the name of a file are returned as they are, for the check of types to refuse.
    """
    if not isinstance(vectors, dict) or not isinstance(vectors.get("file"), str):
        return vectors
    known = descriptions(tuple(choices("vectors").values()))
    own = known.get(vectors["file"], UNDESCRIBED)
    others = [description for file, description in known.items() if file != vectors["file"]]
    foreign = {key for key in UNDESCRIBED if any(vectors.get(key) == other[key] for other in others)}
    return vectors | {key: own[key] for key in foreign}


@cache
def descriptions(choices_of_vectors: tuple[Path, ...]) -> dict[str, dict[str, Any]]:
    """Return what each choice, given by its path, says of its file, by the name of that file.

    Values that refer to other settings are known only where the choice is composed, and left out.
    """
    found: dict[str, dict[str, Any]] = {}
    for path in choices_of_vectors:
        with suppress(SettingsError):  # a broken file is reported where it is chosen
            plain = {key: value for key, value in read_yaml(path).items() if "${" not in str(value)}
            if isinstance(file := plain.get("file"), str):
                found.setdefault(file, {key: plain.get(key, UNDESCRIBED[key]) for key in UNDESCRIBED})
    return found
