"""Locations: the files that are shipped with the package, and the folder below which all output is written."""

import os
from pathlib import Path

from attest.errors import SettingsError
from attest.system.user_folders import user_folder

PACKAGE = Path(__file__).parents[1]
CHECKOUT = PACKAGE.parents[1]
HOME_VARIABLE = "ATTEST_HOME"
"""The environment variable that names the folder below which all output is written."""
DATA_VARIABLE = "ATTEST_DATA"
"""The environment variable that names the folder of the official files."""
OWN_FOLDERS_VARIABLE = "ATTEST_PATH"
"""The environment variable that names folders of the user's own, separated as in PATH."""
TRACKED = "results"
"""The name of the folder in the home folder whose records and tables are tracked by git."""


def shipped_folder(name: str) -> Path:
    """Return the path of the folder `conf` or `reproduce`: in the installed package, or else in the checkout."""
    inside = PACKAGE / name
    return inside if inside.is_dir() else CHECKOUT / name


def working_folder() -> str:
    """Return the working folder; raise SettingsError if it has been deleted."""
    try:
        return os.getcwd()
    except FileNotFoundError as error:
        raise SettingsError("the working folder no longer exists; change to another one with cd") from error


def home() -> Path:
    """Return the home folder: ATTEST_HOME if it is set, else the checkout of this code, else the user's data folder.

    An empty ATTEST_HOME counts as unset.
    """
    if named := os.environ.get(HOME_VARIABLE):
        return Path(os.path.expanduser(named)).resolve()
    return user_folder("data") if is_installed() else CHECKOUT


def is_installed() -> bool:
    """Return whether this code is an installed package, and not that of a checkout."""
    return not (CHECKOUT / "conf" / "config.yaml").is_file()


def data_folder(below: str) -> str:
    """Return the folder of the official files: ATTEST_DATA if it is set and not empty, else data/ in the home folder
    `below`."""
    return os.path.expanduser(os.environ.get(DATA_VARIABLE) or f"{below}/data")


def cache_folder(below: Path | None = None) -> Path:
    """Return the folder of prepared data: in the home folder `below`, by default `home()`.

    For the user's data folder it is the user's cache folder, which systems clean up and leave out of backups.
    """
    folder = below or home()
    return user_folder("cache") if is_installed() and folder == user_folder("data") else folder / "cache"


def first_use_notice() -> str:
    """Return a sentence that says where output goes, if that is the user's data folder and it is still missing; else
    an empty string."""
    folder = home()
    if os.environ.get(HOME_VARIABLE) or not is_installed() or folder.exists():
        return ""
    return (
        f"runs, records and data go to {folder}, caches to {cache_folder()}; set ATTEST_HOME to a folder of your "
        "choice to have all of them there"
    )


def tracked_results() -> Path:
    """Return the folder of the tracked results in the home folder."""
    return home() / TRACKED


def results_of_checkout() -> Path | None:
    """Return the folder of the results that the checkout of this code tracks, or None for an installed package."""
    return None if is_installed() else CHECKOUT / TRACKED
