"""attest figures: the papers' figures, and the charts of benchmarks."""

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

from attest.benchmarks.spec import BENCHMARKS
from attest.cli.local_tables import at_paper_scale
from attest.config.paths import tracked_results
from attest.config.yaml_files import check_name
from attest.errors import SettingsError
from attest.reproduction.figures.content import PaperFigure
from attest.reproduction.figures.matplotlib_check import check_matplotlib
from attest.reproduction.figures.pictures import PICTURE_SUFFIXES
from attest.reproduction.load import figures_in, newest_benchmarks, tables_in
from attest.reproduction.pages.benchmarks import has_chart
from attest.reproduction.pages.figures import figure_pages
from attest.reproduction.pages.missing_figures import explain_missing
from attest.reproduction.specs.figure import figure_names, load_figure
from attest.runs.known_stores import scale_and_results
from attest.system.files import write_text

CHARTS = f"{BENCHMARKS}/"
"""The beginning of the names of benchmarks' charts, as in benchmarks/step."""


def figures(parsed: argparse.Namespace, overrides: list[str]) -> int:
    """Draw the named figures and charts of benchmarks, or all, from the tracked records or, if scale= or paths. is set,
    from local records.

    Return 1 if a figure that is named is not drawn.
    """
    charts = [name.removeprefix(CHARTS) for name in parsed.names if name.startswith(CHARTS)]
    names = [load_figure(name).name for name in parsed.names if not name.startswith(CHARTS)]
    if not parsed.names:
        names = figure_names(own=bool(overrides))
    for name in () if overrides else names:
        if name not in figure_names(own=False):
            raise SettingsError(f"{name}: yours, so it is drawn from local records; add scale=paper or scale=mini")
    scale, folders = scale_and_results(at_paper_scale(overrides)) if overrides else ("paper", [tracked_results()])
    print(f"figures at scale={scale}")
    if charts or not parsed.names:
        draw_charts(charts, folders[0])
    drawn = draw_figures(names, scale, folders) if names else []
    return int(bool(parsed.names) and len(drawn) < len({*names}))


def draw_charts(names: Sequence[str], results: Path) -> None:
    """Draw the charts of the named benchmarks, or of all, from their newest records in a results folder."""
    check_matplotlib()
    from attest.reproduction.figures.benchmarks import draw_benchmark

    measured = {
        benchmark.name: (benchmark, record) for benchmark, record in newest_benchmarks(results) if has_chart(record)
    }
    for name in names:
        check_name(name, list(measured), f"no benchmark of this name has a chart in {results}")
    for benchmark, record in (measured[name] for name in names or measured):
        for suffix in PICTURE_SUFFIXES:
            path = results / f"{CHARTS}{benchmark.name}.{suffix}"
            draw_benchmark(benchmark, record, path)
            print(f"wrote {path}")


def draw_figures(names: Sequence[str], scale: str, folders: Sequence[Path]) -> list[str]:
    """Write the pictures of the figures `names`, and the pages of their papers, into the first results folder.

    Return the names of the figures that are drawn; print how to draw the others.
    """
    check_matplotlib()
    from attest.reproduction.figures.draw import draw_figure

    figures = figures_at(names, scale, folders)
    texts = figure_pages(figures)
    for name, text in texts.items():
        write_text(folders[0] / name, text)
    for figure in figures:
        if figure.spec.name in names and figure.content is None:
            text = f"{figure.spec.name}: {explain_missing(figure.spec, figure.table)}"
            print(re.sub(r"[.,:] (?=`)", "\n  ", text))  # each command begins a line
        elif figure.spec.name in names and figure.content is not None:
            for suffix in PICTURE_SUFFIXES:
                path = folders[0] / f"{figure.spec.name}.{suffix}"
                draw_figure(figure.spec, figure.content, path)
                print(f"wrote {path}")
            if (words := f"{figure.spec.name}.html") in texts:
                print(f"wrote {folders[0] / words}")
    return [figure.spec.name for figure in figures if figure.spec.name in names and figure.content is not None]


def figures_at(names: Sequence[str], scale: str, folders: Sequence[Path]) -> list[PaperFigure]:
    """Return every figure of the papers that the figures `names` are from, with its content from the records in the
    folders; the content is None if runs are missing."""
    own, papers = folders[0] != tracked_results(), {load_figure(name).paper for name in names}
    pictures = [picture for picture in map(load_figure, figure_names(own=own)) if picture.paper in papers]
    tables = tables_in(folders, dict.fromkeys(picture.table for picture in pictures), scale, tracked_results())
    return [figure for figure in figures_in(folders, tables, own=own) if figure.spec.paper in papers]
