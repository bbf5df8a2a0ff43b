"""Write the table of a sweep and its chart, and say where they are."""

from collections.abc import Callable
from pathlib import Path

from attest.reproduction.figures.matplotlib_check import is_matplotlib_installed
from attest.reproduction.figures.pictures import PICTURE_SUFFIXES
from attest.reproduction.pages.sweeps import render_files
from attest.reproduction.tables.sweeps import SweepTable
from attest.system.files import remove_partials, write_text


def write_sweep(table: SweepTable, folder: Path, command: str, chart: str = "chart") -> str:
    """Write the table of a sweep into a folder, with the named chart if matplotlib is installed.

    `command` is what makes the table, and `chart` is "chart" for the figures along the axes or "curves" for the dev
    curves over one another. Return a line that names the files.
    """
    measured = any(row.summary(f"test/{row.measure}") for row in table.rows)
    pictures = PICTURE_SUFFIXES if measured and is_matplotlib_installed() else ()
    texts = render_files(table, command, f"{chart}.{pictures[0]}" if pictures else "")
    for suffix, text in texts.items():
        write_text(folder / f"table.{suffix}", text)
    for suffix in pictures:
        chart_drawers()[chart](table, folder / f"{chart}.{suffix}")
    remove_partials(folder)
    names = [*(f"table.{suffix}" for suffix in texts), *(f"{chart}.{suffix}" for suffix in pictures)]
    advice = (
        ""
        if pictures or not measured
        else "; no chart, since matplotlib is not installed (pip install 'attest[figures]')"
    )
    return f"wrote {', '.join(names)} in {folder}{advice}"


def chart_drawers() -> dict[str, Callable[[SweepTable, Path], None]]:
    """Return the functions that draw a chart into a file, by the name of the chart."""
    from attest.reproduction.figures import sweeps  # imported here, since it needs matplotlib

    return {"chart": sweeps.draw_sweep, "curves": sweeps.draw_run_curves}
