"""The style of all pictures; equal content gives equal files."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from attest.system.files import atomic_path

STYLE: dict[Any, Any] = {
    "svg.hashsalt": "attest",
    "svg.fonttype": "none",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "savefig.dpi": 150,
    "text.parse_math": False,  # names and settings may have two dollar signs
}


@contextmanager
def canvas(path: Path, width: float, height: float, style: Mapping[Any, Any] | None = None) -> Iterator[Figure]:
    """Yield a figure of the given size in inches, and write it to `path` in the format of its suffix.

    matplotlib's setting svg.id, if there is one, becomes the description of a PNG file (see `picture_mark`).
    """
    with matplotlib.rc_context({**STYLE, **(style or {})}):
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure
        suffix, mark = path.suffix.removeprefix("."), matplotlib.rcParams["svg.id"]
        metadata = {"Description": mark} if suffix == "png" and mark else {"Date": None}
        with atomic_path(path) as temporary:
            figure.savefig(temporary, format=suffix, metadata=metadata)
