"""All tables, and pages of figures, from records alone."""

import re
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from attest.benchmarks import spec as benchmarks
from attest.benchmarks.spec import Benchmark
from attest.reproduction.figures.captions import pages
from attest.reproduction.figures.content import Shown, behind
from attest.reproduction.pages import benchmarks as report
from attest.reproduction.pages import csv_latex, markdown, overview, parsers, transfer
from attest.reproduction.pages.readme import summary
from attest.reproduction.specs import figure as pictures
from attest.reproduction.specs.table import load, names
from attest.reproduction.tables.build import Table, build
from attest.reproduction.tables.item_errors import predictions_behind
from attest.reproduction.tables.subsets import with_subsets
from attest.runs.records import Record, Store
from attest.system.files import atomic_path, remove_partials, write_text

PAGES: dict[str, tuple[str, Callable[[Iterable[Record]], str]]] = {
    transfer.NAME: ("transfer", transfer.markdown),
    parsers.NAME: ("parser", parsers.markdown),
}
"""Name of a page -> the kind of its records, and who writes it."""
FORMATS: dict[str, Callable[[Table], str]] = {
    "md": markdown.markdown,
    "csv": csv_latex.render_csv,
    "tex": csv_latex.latex,
}


OF_TABLES = ("train", "transfer", "bench")
"""The kinds of records that tables show."""


def records_in(folders: Sequence[Path], *kinds: str) -> list[Record]:
    """The records of some kinds, of training if none is named, in several stores, each once; earlier stores count
    first. Runs come with their views."""
    found: dict[str, Record] = {}
    for folder in folders:
        for record in Store(folder / "records"):
            found.setdefault(record.id, record)
    chosen = [record for record in found.values() if record.kind in (kinds or ("train",))]
    if not any(record.kind == "train" for record in chosen):
        return chosen
    subsets = [record for record in found.values() if record.kind == "subset"]
    return list(with_subsets(chosen, subsets, stores_in(folders)))


def stores_in(folders: Sequence[Path]) -> list[Store]:
    return [Store(folder / "records") for folder in folders]


def tables_in(folders: Sequence[Path], wanted: Iterable[str], scale: str) -> list[Table]:
    """The tables of some names, from several stores."""
    records = records_in(folders, *OF_TABLES, "subset")
    subsets = [record for record in records if record.kind == "subset"]
    said = partial(predictions_behind, subsets=subsets, stores=stores_in(folders))
    return [build(load(name), scale, records, said) for name in wanted]


def files_of(table: Table) -> dict[str, str]:
    """Name below the results folder -> content, for every format."""
    return {f"{table.spec.name}.{suffix}": write(table) for suffix, write in FORMATS.items()}


def write_table(table: Table, results: Path) -> list[Path]:
    paths = []
    for name, content in files_of(table).items():
        write_text(results / name, content)
        paths.append(results / name)
    for folder in {path.parent for path in paths}:
        remove_partials(folder)
    return paths


def publish(table: Table, results: Path, tracked: Path) -> list[str]:
    """Copy the records behind `table`, shown or listed, from one results folder to another; the ids copied."""
    parts = [result for line in table.lines for result in line.panels]
    ids = [identity for result in parts for identity in (*result.ids, *(one.id for one in result.transfers))]
    return copy(ids, results, tracked)


def copy(ids: Iterable[str], results: Path, tracked: Path) -> list[str]:
    """The ids copied: these, and what they were made from, such as the parser behind the phrases of a run."""
    store, copied = Store(results / "records"), []
    for identity in with_parents(ids, store):
        for suffix in (".npz", ".json"):
            source, target = results / "records" / f"{identity}{suffix}", tracked / "records" / f"{identity}{suffix}"
            if source.is_file() and not target.is_file():
                with atomic_path(target) as temporary:
                    shutil.copyfile(source, temporary)
                if suffix == ".json":
                    copied.append(identity)
    return copied


def with_parents(ids: Iterable[str], store: Store) -> list[str]:
    """Each id once, then the ids that their records name as parents, and theirs."""
    found = list(dict.fromkeys(ids))
    for identity in found:  # which grows on the way
        record = store.get(identity)
        found += [parent for parent in (record.parents if record is not None else ()) if parent not in found]
    return found


def collate(results: Path) -> list[Path]:
    """Write every table of scale paper from the records in `results`; returns the files that changed."""
    return [path for path, content in expected_files(results).items() if update(path, content)]


def differences(results: Path) -> list[Path]:
    """The files of `results` that are not what its records say."""
    return [path for path, content in expected_files(results).items() if not same(path, content)]


def expected_files(results: Path) -> dict[Path, str]:
    """Every table in every format, every other page, and the README beside the results with its tables filled in."""
    tables, benchmarked = tables_in([results], names(), "paper"), measured(results)
    files = {results / name: content for table in tables for name, content in files_of(table).items()}
    drawn = pages(figures_in([results], tables))
    files |= {results / name: text for name, text in drawn.items()}
    files[results / "benchmarks.md"] = report.markdown(benchmarked)
    files |= {results / f"{name}.md": write(records_in([results], kind)) for name, (kind, write) in PAGES.items()}
    other_pages = [*drawn, *(f"{name}.md" for name in PAGES), "benchmarks.md"]
    files[results / "README.md"] = overview.markdown(tables, other_pages)
    readme = results.parent / "README.md"
    if readme.is_file():
        summaries = {f"table {table.spec.name}": summary(table) for table in tables}
        for benchmark, record in benchmarked:
            summaries[f"benchmark {benchmark.name}"] = "\n".join(report.table(benchmark, record)) + "\n"
        files[readme] = filled(readme.read_text(encoding="utf-8"), summaries)
    return files


def figures_in(folders: Sequence[Path], tables: Iterable[Table]) -> list[Shown]:
    """Every figure that belongs to one of `tables`, with what the records of several stores have to show."""
    by_name = {table.spec.name: table for table in tables}
    attention, stores = records_in(folders, "attention"), stores_in(folders)
    chosen = [picture for picture in map(pictures.load, pictures.names()) if picture.table in by_name]
    return [
        Shown(picture, by_name[picture.table], behind(picture, by_name[picture.table], attention, stores))
        for picture in chosen
    ]


def measured(results: Path) -> list[tuple[Benchmark, Record]]:
    """Every benchmark with the record of its newest measurement, if there is one."""
    newest: dict[str, Record] = {}
    for record in sorted(records_in([results], "bench"), key=lambda record: record.finished):
        newest[record.settings["benchmark"]] = record
    return [(benchmarks.load(name), newest[name]) for name in benchmarks.names() if name in newest]


def filled(text: str, summaries: Mapping[str, str]) -> str:
    """The text with a summary between the marks <!-- NAME --> and <!-- end --> of each that it names."""
    for name, text_of in summaries.items():
        start, end = re.escape(f"<!-- {name} -->"), re.escape("<!-- end -->")
        text = re.sub(f"({start}\n).*?({end})", lambda m, s=text_of: m[1] + s + m[2], text, flags=re.DOTALL)
    return text


def same(path: Path, content: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == content


def update(path: Path, content: str) -> bool:
    if same(path, content):
        return False
    write_text(path, content)
    return True
