"""Where things are: the files that travel with the package, and the folder that everything is written below."""

import os
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
CHECKOUT = PACKAGE.parents[1]
TRACKED = "results"
"""The folder, below home, whose records and tables are tracked."""


def shipped_folder(name: str) -> Path:
    """`conf` or `reproduce`: inside the installed package, or at the top of a checkout."""
    inside = PACKAGE / name
    return inside if inside.is_dir() else CHECKOUT / name


def home() -> Path:
    """ATTEST_HOME, or the checkout that this code runs from, or the current folder."""
    if "ATTEST_HOME" in os.environ:
        return Path(os.environ["ATTEST_HOME"]).resolve()
    return CHECKOUT if (CHECKOUT / "conf" / "config.yaml").is_file() else Path.cwd()


def tracked_results() -> Path:
    return home() / TRACKED
