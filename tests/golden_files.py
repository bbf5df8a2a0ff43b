"""Golden files hold what the code gave when somebody last looked at it."""

from collections.abc import Callable
from pathlib import Path

import pytest


def golden_text(path: Path, make: Callable[[], str]) -> str:
    """Return the text of a golden file. If it is missing, write what `make` returns, and fail the test."""
    if not path.is_file():
        path.write_text(make(), encoding="utf-8")
        pytest.fail(f"{path.name} was not there and has been written; look at it and run again")
    return path.read_text(encoding="utf-8")
