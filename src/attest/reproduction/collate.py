"""The files of a results folder (tables, pages, the README's tables), each a function of the records alone, and the
tables of docs/reference/settings.md."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from attest.benchmarks import spec as benchmarks
from attest.benchmarks.spec import BENCHMARKS, Benchmark
from attest.reproduction.figures.content import PaperFigure, figure_content
from attest.reproduction.figures.pictures import PICTURE_SUFFIXES, is_drawn_from
from attest.reproduction.marks import fill_marks
from attest.reproduction.pages import parsers, transfer
from attest.reproduction.pages.benchmarks import render_benchmark_table, render_benchmarks_page
from attest.reproduction.pages.csv_latex import render_csv, render_latex
from attest.reproduction.pages.figures import figure_pages
from attest.reproduction.pages.hours import render_hours
from attest.reproduction.pages.markdown import render_table
from attest.reproduction.pages.overview import render_findings, render_overview
from attest.reproduction.pages.readme import render_summary
from attest.reproduction.pages.settings import render_settings
from attest.reproduction.specs.added_rows import with_rows
from attest.reproduction.specs.figure import at_scale, figure_names, load_figure
from attest.reproduction.specs.table import load_table, table_names
from attest.reproduction.tables.build import build
from attest.reproduction.tables.item_errors import predictions_behind
from attest.reproduction.tables.matching import RecordIndex
from attest.reproduction.tables.subsets import with_subsets
from attest.reproduction.tables.table import Table
from attest.runs.known_stores import all_records
from attest.runs.records import Record
from attest.runs.store import Store
from attest.system.files import remove_partials, write_text

PAGES = {transfer.NAME: ("transfer",), parsers.NAME: ("parser", "parser_test")}
"""The name of a page -> the kind of its records."""
WRITERS: dict[str, Callable[[Table], str]] = {
    "md": render_table,
    "csv": render_csv,
    "tex": render_latex,
}
"""The suffix of a table's file -> the function that writes its content."""
TABLE_KINDS = ("train", "transfer", "bench")
"""The kinds of records that figures of tables come from."""


def records_in(folders: Sequence[Path], *kinds: str) -> list[Record]:
    """Return the records of the given kinds, or of training runs if no kind is given, in several results folders.

    If two folders hold a record with the same id, that of the earlier folder counts. Accuracy on subsets of the test
    set is added to the metrics of training runs.
    """
    known = all_records(stores_in(folders))
    records = [record for record in known if record.kind in (kinds or ("train",))]
    if not any(record.kind == "train" for record in records):
        return records
    subsets = [record for record in known if record.kind == "subset"]
    return list(with_subsets(records, subsets, stores_in(folders)))


def stores_in(folders: Sequence[Path]) -> list[Store]:
    """Return the store of records of each results folder."""
    return [Store(folder / "records") for folder in folders]


def tables_in(
    folders: Sequence[Path], table_names: Iterable[str], scale: str, tracked: Path | None = None, added: str = ""
) -> list[Table]:
    """Return the named tables at a scale, built from the records of several results folders.

    `tracked` is the folder of the tracked records; None if this makes no difference. `added` names rows that are
    added to each table (see attest.reproduction.specs.added_rows).
    """
    records = records_in(folders, *TABLE_KINDS, "subset")
    subsets = [record for record in records if record.kind == "subset"]
    stores = stores_in(folders)
    lookup = partial(predictions_behind, subsets=subsets, stores=stores)
    index = RecordIndex(records)
    tracked_ids = frozenset(path.stem for path in (tracked / "records").glob("*.json")) if tracked else frozenset()
    return [build(with_rows(load_table(name), added), scale, index, lookup, tracked_ids) for name in table_names]


def table_files(table: Table) -> dict[str, str]:
    """Return the content of a table in every format, by its path below the results folder."""
    return {f"{table.spec.name}.{suffix}": write(table) for suffix, write in WRITERS.items()}


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
    """Write every file that is computed from the records in `results`; return the paths of those that changed."""
    return [path for path, content in expected_files(results).items() if write_if_changed(path, content)]


def outdated_files(results: Path) -> list[Path]:
    """Return the files of `results` that are missing or differ from what its records say."""
    return [path for path, content in expected_files(results).items() if not is_current(path, content)]


def outdated_pictures(results: Path) -> list[tuple[str, Path]]:
    """Return the pictures of `results` that were drawn from other records than its pages name.

    Each has the names behind `attest figures` that draw it anew.
    """
    tables = tables_in([results], {load_figure(name).table for name in figure_names(own=False)}, "paper")
    drawn = [
        *((each.picture.name, each.content.ids) for each in figures_in([results], tables, own=False) if each.content),
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
        files[readme] = fill_marks(readme.read_text(encoding="utf-8"), summaries)
    reference = results.parent / "docs" / "reference" / "settings.md"
    if reference.is_file():
        files[reference] = fill_marks(reference.read_text(encoding="utf-8"), {"settings": render_settings()})
    return files


def figures_in(folders: Sequence[Path], tables: Iterable[Table], *, own: bool = True) -> list[PaperFigure]:
    """Return every figure whose table is among `tables`, each with the content that the records of several folders have
    for it. Without `own`, only figures of papers are returned."""
    by_name = {table.spec.name: table for table in tables}
    attention, stores = records_in(folders, "attention"), stores_in(folders)
    pictures = [picture for picture in map(load_figure, figure_names(own=own)) if picture.table in by_name]
    return [
        PaperFigure(at_scale(picture, table.scale), table, figure_content(picture, table, attention, stores))
        for picture in pictures
        for table in [by_name[picture.table]]
    ]


def newest_benchmarks(results: Path) -> list[tuple[Benchmark, Record]]:
    """Return each benchmark with the record of its newest measurement; benchmarks that were never measured are left
    out."""
    newest: dict[str, Record] = {}
    for record in sorted(records_in([results], "bench"), key=lambda record: record.finished):
        newest[record.settings["benchmark"]] = record
    return [(benchmarks.load_benchmark(name), newest[name]) for name in benchmarks.benchmark_names() if name in newest]


def is_current(path: Path, content: str) -> bool:
    """Return whether the file exists and has this content."""
    return path.is_file() and path.read_bytes() == content.encode()


def write_if_changed(path: Path, content: str) -> bool:
    """Write the file unless it has this content already; return whether it was written."""
    if is_current(path, content):
        return False
    write_text(path, content)
    return True
