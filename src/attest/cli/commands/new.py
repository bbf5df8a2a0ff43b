"""attest new: write the shortest example of an encoder, a data set or a table of the user's own, with a test."""

import argparse
import keyword
import re
import shlex
from importlib.util import find_spec
from pathlib import Path
from string import Template

from attest.cli.templates import COMMANDS, FILES
from attest.config.own_folders import choices
from attest.config.paths import CHECKOUT
from attest.errors import SettingsError
from attest.system.files import write_text

GROUPS = {"encoder": "model", "dataset": "dataset"}
"""Kind -> the group of settings in which its name is a choice."""
NAME = re.compile("[a-z][a-z0-9_]*")


def new(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Write the files of an example into a folder of the user's own, and print the commands that use it."""
    folder = Path(parsed.config_dir or ".")
    check_folder(folder)
    check_new_name(parsed.kind, parsed.name)
    words = {
        "name": parsed.name,
        "Name": parsed.name.title().replace("_", ""),
        "folder": f"--config-dir {shlex.quote(str(folder))}",
    }
    files = {folder / fill(path, words): fill(text, words) for path, text in FILES[parsed.kind].items()}
    for path in files:
        if path.exists():
            raise SettingsError(f"{path}: the file exists already; choose another name, or delete it")
    for path, text in files.items():
        write_text(path, text)
        print(f"wrote {path}")
    print(f"try it with\n  python -m pytest {shlex.quote(str(folder / f'test_{parsed.name}.py'))}")
    for command in COMMANDS[parsed.kind]:
        print(f"  attest {fill(command, words)}")


def fill(text: str, words: dict[str, str]) -> str:
    """Return a template with its words filled in."""
    return Template(text).substitute(words)


def check_folder(folder: Path) -> None:
    """Raise SettingsError if the folder is the checkout, whose settings are those of papers."""
    if folder.resolve() == CHECKOUT:
        raise SettingsError(
            "attest new: this folder is the checkout of attest; name one of your own with --config-dir FOLDER"
        )


def check_new_name(kind: str, name: str) -> None:
    """Raise SettingsError if the name cannot be that of a module, or is taken."""
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise SettingsError(f"{name}: not a name of letters a to z, digits and _, as in attest new {kind} my_{kind}")
    if kind in GROUPS and name in choices(GROUPS[kind]):
        raise SettingsError(f"{name}: there is {GROUPS[kind]}={name} already; choose another name")
    if kind == "encoder" and find_spec(name) is not None:
        raise SettingsError(f"{name}: Python has a module of this name already; choose another name")
