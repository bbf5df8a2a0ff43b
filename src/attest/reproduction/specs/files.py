"""The files of reproduce/: a folder for each paper, and in it a file for each table, figure and search.

The name of a file says what it holds: `figure*.yaml` a figure, `search_*.yaml` a random search, `open_choices.yaml`
what the text leaves open, and every other file a table.
"""

from pathlib import Path
from typing import Literal

from attest.config.paths import shipped_folder
from attest.config.yaml_files import check_name, yaml_names

Kind = Literal["table", "figure", "search", "open choices"]

BENCHMARKS = "benchmarks"
"""The one folder of reproduce/ that is not a paper's."""
SEARCH_PREFIX = "search_"
"""The beginning of the name of a search's file. Commands leave it out: dam/ngram is dam/search_ngram.yaml."""
OPEN_CHOICES = "open_choices"


def kind(file: str) -> Kind:
    """Return what a file of a paper holds, by its name without folder and suffix."""
    if file.startswith("figure"):
        return "figure"
    if file.startswith(SEARCH_PREFIX):
        return "search"
    return "open choices" if file == OPEN_CHOICES else "table"


def names(wanted: Kind) -> list[str]:
    """Return the names of all files of a kind as commands take them: disan/table1, or dam for a paper's choices."""
    return sorted(paths(wanted))


def path_of(name: str, wanted: Kind, unknown: str) -> Path:
    """Return the path of a file; raise SettingsError, with `unknown` in its text, if no file has that name."""
    known = paths(wanted)
    check_name(name, sorted(known), unknown)
    return known[name]


def paths(wanted: Kind) -> dict[str, Path]:
    """Return the path of each file of a kind under the name that commands take."""
    folder, paths_by_name = shipped_folder("reproduce"), {}
    for full in yaml_names(folder):
        paper, _, file = full.partition("/")
        if paper != BENCHMARKS and kind(file) == wanted:
            name = paper if wanted == "open choices" else f"{paper}/{file.removeprefix(SEARCH_PREFIX)}"
            paths_by_name[name] = folder / f"{full}.yaml"
    return paths_by_name
