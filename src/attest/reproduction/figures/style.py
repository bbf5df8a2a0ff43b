"""The style of all pictures; equal content gives equal files."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib
from cycler import cycler
from matplotlib.figure import Figure

from attest.system.files import atomic_path

BLUE, ORANGE, GREEN, VERMILION, PINK, SKY, GREY = (
    "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#7F7F7F"
)  # fmt: skip
"""The colours of Okabe and Ito, which readers with any kind of colour blindness can tell apart, and a grey."""
CYCLE = (BLUE, VERMILION, GREEN, ORANGE, PINK, SKY, GREY)
"""The colours of things without a colour of their own, in their order."""
COLOURS = {
    **{"disan": BLUE, "bilstm": VERMILION, "s2t": ORANGE, "multi_head": GREEN, "additive": PINK, "no_directions": SKY},
    **{"DiSAN": BLUE, "multi-head": GREEN, "PSAN": VERMILION},
    **{"plain": GREY, "eager": GREY, "naive": GREY, "padded fp32": GREY, "one after another": GREY},
    **{"fp32": BLUE, "kernel": BLUE, "fast": BLUE, "packed fp32": BLUE, "side by side": BLUE},
    **{"bf16": VERMILION, "packed bf16": VERMILION, "padded bf16": PINK, "fp32, by length": GREEN},
    **{"floor fp32": SKY, "floor bf16": ORANGE, "plain, memory kept": GREEN},
}
"""A row of a table, an encoder or a variant of a benchmark -> its colour, the same in all pictures."""

WIDTH, WIDE = 5.2, 6.2
"""The inches of the width of a chart, and of one with many labels: narrow, so that its type can be read in a column."""
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "attest",
    "svg.fonttype": "none",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.prop_cycle": cycler(color=CYCLE),
    "grid.alpha": 0.25,
    "savefig.dpi": 150,
    "text.parse_math": False,  # names and settings may have two dollar signs
}


def colours_of(names: Sequence[str]) -> dict[str, str]:
    """Return the colour of each name: its own (see `COLOURS`), or the next of the cycle that is still free."""
    own = {name: COLOURS[name] for name in names if name in COLOURS}
    free = [colour for colour in CYCLE if colour not in own.values()] or list(CYCLE)
    others = [name for name in dict.fromkeys(names) if name not in own]
    return own | {name: free[place % len(free)] for place, name in enumerate(others)}


@contextmanager
def canvas(
    path: Path, width: float, height: float, style: Mapping[Any, Any] | None = None, *, title: str = "", text: str = ""
) -> Iterator[Figure]:
    """Yield a figure of the given size in inches, and write it to `path` in the format of its suffix.

    `title` is the title of the file, and `text` the description of an SVG file, for readers who do not see the picture.
    matplotlib's setting svg.id, if there is one, is the description of a PNG file (see `picture_fingerprint`).
    """
    with matplotlib.rc_context({**STYLE, **(style or {})}):
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure
        suffix, mark = path.suffix.removeprefix("."), matplotlib.rcParams["svg.id"]
        metadata = {"Title": title, "Description": mark if suffix == "png" else text}
        metadata = {key: value for key, value in metadata.items() if value}
        metadata |= {"Date": None} if suffix == "svg" else {}
        with atomic_path(path) as temporary:
            figure.savefig(temporary, format=suffix, metadata=metadata)
