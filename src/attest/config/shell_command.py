"""Commands as a shell takes them, with the folders of the user's own that are in force."""

import os
import shlex

from attest.config.own_folders import own_folders
from attest.config.paths import OWN_FOLDERS_VARIABLE


def shell_command(name: str, *arguments: str) -> str:
    """Return a command of attest, quoted for a shell.

    One folder of the user's own is named by --config-dir; several, which that flag does not take, by ATTEST_PATH.
    """
    folders = [str(folder.path) for folder in own_folders() if folder.package is None]
    flag = ["--config-dir", *folders] if len(folders) == 1 else []
    variable = f"{OWN_FOLDERS_VARIABLE}={shlex.quote(os.pathsep.join(folders))} " if len(folders) > 1 else ""
    return variable + shlex.join(["attest", name, *flag, *arguments])
