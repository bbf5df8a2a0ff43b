"""The folders of the current user in which programs keep data and caches, by the conventions of each system."""

import os
import sys
from pathlib import Path
from typing import Literal

Kind = Literal["data", "cache"]
XDG = {"data": ("XDG_DATA_HOME", ".local/share"), "cache": ("XDG_CACHE_HOME", ".cache")}
MACOS = {"data": "Library/Application Support", "cache": "Library/Caches"}


def user_folder(kind: Kind, name: str = "attest", system: str = sys.platform) -> Path:
    """Return the folder for a program's data or cache: XDG's on Linux, in Library on macOS.

    As XDG's specification demands, a relative path in one of its variables counts as unset.
    """
    if system == "darwin":
        return Path.home() / MACOS[kind] / name
    variable, usual = XDG[kind]
    named = Path(os.environ.get(variable, ""))
    return (named if named.is_absolute() else Path.home() / usual) / name
