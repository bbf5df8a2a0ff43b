"""The state of the git checkout that the code of a run comes from: its commit, and whether it has changes."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def checkout_state() -> dict[str, Any]:
    """Return the commit of the git checkout that this code runs from and whether it has uncommitted changes, or an
    empty mapping if the code is installed.

    Changes of results and of Markdown do not count: a run writes them itself, and no figure follows from them.
    """

    def git(*arguments: str) -> str | None:
        command = ["git", "-C", str(Path(__file__).parent), *arguments]
        try:
            return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()
        except (OSError, subprocess.SubprocessError):
            return None

    ours = git("ls-files", "--error-unmatch", Path(__file__).name) is not None
    head = git("rev-parse", "HEAD") if ours else None
    if head is None:
        return {}
    changes = git("status", "--porcelain", "--", ":(top)", ":(top,exclude)results", ":(top,exclude)*.md")
    return {"commit": head, "uncommitted_changes": bool(changes)}


def state_of_parts(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the state of the checkout over all parts of a run that was interrupted: that of the last part, marked as
    uncommitted if that of any part was."""
    last = dict(parts[-1])
    if any(part.get("uncommitted_changes") for part in parts):
        last["uncommitted_changes"] = True
    return last
