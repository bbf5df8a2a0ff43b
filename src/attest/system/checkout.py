"""The state of the git checkout that the code of a run comes from: its commit, and whether it has changes."""

import subprocess
from pathlib import Path
from typing import Any

CODE = (":(top)", ":(top,exclude)results", ":(top,exclude)*.md")
"""The files of the checkout that figures may follow from, as git names them; a run itself writes results and pages."""


def checkout_state() -> dict[str, Any]:
    """Return the commit of the git checkout that this code runs from and whether it has uncommitted changes, or an
    empty mapping if the code is installed.

    Changes of files that are no CODE do not count.
    """
    ours = git("ls-files", "--error-unmatch", Path(__file__).name) is not None
    head = git("rev-parse", "HEAD") if ours else None
    if head is None:
        return {}
    changes = git("status", "--porcelain", "--", *CODE)
    return {"commit": head, "uncommitted_changes": bool(changes)}


def is_same_code(first: str, second: str) -> bool:
    """Return whether two commits of the checkout differ in no file of CODE; False if it does not have both."""
    return git("diff", "--quiet", first, second, "--", *CODE) is not None


def git(*arguments: str) -> str | None:
    """Return what git prints when it is called in the folder of this code, or None if it fails or is missing."""
    command = ["git", "-C", str(Path(__file__).parent), *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None
