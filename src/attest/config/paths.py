"""Locations: the files that are shipped with the package, and the folder below which all output is written."""

import os
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
CHECKOUT = PACKAGE.parents[1]
TRACKED = "results"
"""The name of the folder in the home folder whose records and tables are tracked by git."""


def shipped_folder(name: str) -> Path:
    """Return the path of the folder `conf` or `reproduce`: in the installed package, or else in the checkout."""
    inside = PACKAGE / name
    return inside if inside.is_dir() else CHECKOUT / name


def home() -> Path:
    """Return the home folder: ATTEST_HOME if it is set, else the checkout of this code, else the current folder."""
    if "ATTEST_HOME" in os.environ:
        return Path(os.environ["ATTEST_HOME"]).resolve()
    return CHECKOUT if (CHECKOUT / "conf" / "config.yaml").is_file() else Path.cwd()


def tracked_results() -> Path:
    return home() / TRACKED
