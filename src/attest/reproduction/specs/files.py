"""The files of reproduce/: a folder for each paper, and in it a file for each table, figure and search.

The name of a file says what it holds: `figure*.yaml` a figure, `search_*.yaml` a random search, `open_choices.yaml`
what the text leaves open, and every other file a table.
"""

from collections.abc import Collection
from pathlib import Path
from typing import Literal

from attest.benchmarks.spec import BENCHMARKS
from attest.config.own_folders import is_own, specifications
from attest.config.yaml_files import check_name
from attest.errors import SettingsError

Kind = Literal["table", "figure", "search", "open choices"]

SEARCH_PREFIX = "search_"
"""The beginning of the name of a search's file. Commands leave it out: dam/ngram is dam/search_ngram.yaml."""
OPEN_CHOICES = "open_choices"
COMMANDS: dict[Kind, str] = {"table": "attest show", "figure": "attest figures", "search": "attest tune"}
"""Kind -> the command that takes the name of such a file."""


def kind(file: str) -> Kind:
    """Return what a file of a paper holds, by its name without folder and suffix."""
    if file.startswith("figure"):
        return "figure"
    if file.startswith(SEARCH_PREFIX):
        return "search"
    return "open choices" if file == OPEN_CHOICES else "table"


def names(wanted: Kind, *, own: bool = True) -> list[str]:
    """Return the names of all files of a kind as commands take them: disan/table1, or dam for a paper's choices.

    Without `own`, files in folders of the user's own are left out: no tracked page shows them.
    """
    return sorted(name for name, path in paths(wanted).items() if own or not is_own(path))


def path_of(name: str, wanted: Kind, unknown: str) -> Path:
    """Return the path of a file; raise SettingsError, with `unknown` in its text, if no file has that name."""
    known = paths(wanted)
    for other, command in COMMANDS.items():
        if other != wanted and name not in known and name in paths(other):
            raise SettingsError(f"{name}: a {other}, and no {wanted}; type {command} {name}")
    check_file_name(name, known, unknown)
    return known[name]


def check_file_name(name: str, known: Collection[str], unknown: str) -> None:
    """Raise SettingsError, with `unknown` in its text, if no file has that name.

    If the name is that of a paper, or lacks its paper, the text lists the files that it may stand for.
    """
    possible = sorted(full for full in known if name in full.split("/"))
    if name not in known and len(possible) > 1:
        raise SettingsError(f"{name}: not the full name; type one of {', '.join(possible)}")
    check_name(name, sorted(known), unknown)


def paths(wanted: Kind) -> dict[str, Path]:
    """Return the path of each file of a kind under the name that commands take."""
    paths_by_name = {}
    for full, path in specifications().items():
        paper, _, file = full.partition("/")
        if not file:
            raise SettingsError(f"{path}:1: not in a folder of its own; move it to {path.parent / 'NAME' / path.name}")
        if paper != BENCHMARKS and kind(file) == wanted:
            name = paper if wanted == "open choices" else f"{paper}/{file.removeprefix(SEARCH_PREFIX)}"
            paths_by_name[name] = path
    return paths_by_name
