"""The files that `attest collate` writes, each computed from records alone, and the tables of
docs/reference/settings.md, computed from the schema of settings."""

from collections.abc import Callable
from pathlib import Path

from attest.benchmarks.spec import BENCHMARKS
from attest.reproduction.figures.pictures import PICTURE_SUFFIXES, is_drawn_from
from attest.reproduction.load import figures_in, newest_benchmarks, records_in, tables_in
from attest.reproduction.pages import parsers, transfer
from attest.reproduction.pages.benchmarks import render_benchmark_table, render_benchmarks_page
from attest.reproduction.pages.csv_latex import render_csv, render_latex
from attest.reproduction.pages.figures import figure_pages
from attest.reproduction.pages.hours import render_hours
from attest.reproduction.pages.overview import render_findings, render_overview
from attest.reproduction.pages.readme_summary import render_summary
from attest.reproduction.pages.settings import render_settings
from attest.reproduction.pages.table_page import render_table
from attest.reproduction.placeholders import fill_placeholders
from attest.reproduction.specs.figure import figure_names, load_figure
from attest.reproduction.specs.table import table_names
from attest.reproduction.tables.table import Table
from attest.system.files import remove_partials, write_text

PAGES = {transfer.NAME: ("transfer",), parsers.NAME: ("parser", "parser_test")}
"""The name of a page -> the kind of its records."""
RENDERERS: dict[str, Callable[[Table], str]] = {
    "md": render_table,
    "csv": render_csv,
    "tex": render_latex,
}
"""The suffix of a table's file -> the function that returns its text."""


def table_files(table: Table) -> dict[str, str]:
    """Return the content of a table in every format, by its path below the results folder."""
    return {f"{table.spec.name}.{suffix}": render(table) for suffix, render in RENDERERS.items()}


def write_table(table: Table, results: Path) -> list[Path]:
    """Write a table in every format into a results folder; return the paths."""
    paths = []
    for name, content in table_files(table).items():
        write_text(results / name, content)
        paths.append(results / name)
    for folder in {path.parent for path in paths}:
        remove_partials(folder)
    return paths


def write_results(results: Path) -> list[Path]:
    """Write every generated file that is missing or outdated; return the paths of those that were written."""
    return [path for path, content in expected_files(results).items() if write_if_changed(path, content)]


def outdated_files(results: Path) -> list[Path]:
    """Return the files that `attest collate` would write: those that are missing or have another content."""
    return [path for path, content in expected_files(results).items() if not is_current(path, content)]


def outdated_pictures(results: Path) -> list[tuple[str, Path]]:
    """Return the pictures of `results` that were drawn from other records than its pages name.

    Each has the names behind `attest figures` that draw it again.
    """
    tables = tables_in([results], {load_figure(name).table for name in figure_names(own=False)}, "paper")
    drawn = [
        *(
            (figure.spec.name, figure.content.ids)
            for figure in figures_in([results], tables, own=False)
            if figure.content
        ),
        *((f"{BENCHMARKS}/{benchmark.name}", [record.id]) for benchmark, record in newest_benchmarks(results)),
    ]
    paths = [(name, results / f"{name}.{suffix}", ids) for name, ids in drawn for suffix in PICTURE_SUFFIXES]
    return [(name, path) for name, path, ids in paths if path.is_file() and not is_drawn_from(path, ids)]


def expected_files(results: Path) -> dict[Path, str]:
    """Return the content of every table, page and figure page, and of the README and the page of settings beside
    `results` with their tables filled in."""
    tables = tables_in([results], table_names(own=False), "paper")
    benchmarks_measured = newest_benchmarks(results)
    files = {results / name: content for table in tables for name, content in table_files(table).items()}
    figure_files = figure_pages(figures_in([results], tables, own=False))
    files |= {results / name: text for name, text in figure_files.items()}
    files[results / "benchmarks.md"] = render_benchmarks_page(benchmarks_measured)
    transfers, parser_runs = (records_in([results], *PAGES[name]) for name in (transfer.NAME, parsers.NAME))
    files[results / f"{transfer.NAME}.md"] = transfer.render_transfer_page(transfers, tables)
    files[results / f"{parsers.NAME}.md"] = parsers.render_parsers_page(parser_runs)
    files[results / "hours.md"] = render_hours(tables)
    other_pages = [*figure_files, *(f"{name}.md" for name in PAGES), "benchmarks.md", "hours.md"]
    files[results / "README.md"] = render_overview(tables, other_pages)
    readme = results.parent / "README.md"
    if readme.is_file():
        summaries = {f"table {table.spec.name}": render_summary(table) for table in tables}
        summaries["findings"] = render_findings(tables)
        for benchmark, record in benchmarks_measured:
            summaries[f"benchmark {benchmark.name}"] = "\n".join(render_benchmark_table(benchmark, record)) + "\n"
        files[readme] = fill_placeholders(readme.read_text(encoding="utf-8"), summaries)
    reference = results.parent / "docs" / "reference" / "settings.md"
    if reference.is_file():
        files[reference] = fill_placeholders(reference.read_text(encoding="utf-8"), {"settings": render_settings()})
    return files


def is_current(path: Path, content: str) -> bool:
    """Return whether the file exists and has this content."""
    return path.is_file() and path.read_bytes() == content.encode()


def write_if_changed(path: Path, content: str) -> bool:
    """Write the file unless it has this content already; return whether it was written."""
    if is_current(path, content):
        return False
    write_text(path, content)
    return True
