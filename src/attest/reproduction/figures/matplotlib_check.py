"""Checks that matplotlib, an optional dependency, is installed, before a command draws pictures."""

import sys
from importlib.util import find_spec

from attest.errors import SettingsError


def is_matplotlib_installed() -> bool:
    """Return whether pictures can be drawn here. Matplotlib itself is not loaded."""
    return find_spec("matplotlib") is not None


def can_draw(pictures: str) -> bool:
    """Return whether matplotlib is installed; if it is not, say so and name what is left out."""
    if not is_matplotlib_installed():
        print(f"no {pictures}: matplotlib is not installed (pip install 'attest[figures]')", file=sys.stderr)
        return False
    return True


def check_matplotlib() -> None:
    """Raise SettingsError if matplotlib is not installed."""
    if not is_matplotlib_installed():
        raise SettingsError("pictures: matplotlib is not installed; type pip install 'attest[figures]'")
