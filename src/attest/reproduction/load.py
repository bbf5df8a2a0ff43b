"""Tables, figures and benchmarks, read from the records of results folders."""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from attest.benchmarks import spec as benchmarks
from attest.benchmarks.spec import Benchmark
from attest.reproduction.figures.content import PaperFigure, figure_content
from attest.reproduction.specs.added_rows import with_rows
from attest.reproduction.specs.figure import at_scale, figure_names, load_figure
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.build import build
from attest.reproduction.tables.item_errors import predictions_behind
from attest.reproduction.tables.matching import RecordIndex
from attest.reproduction.tables.subsets import with_subsets
from attest.reproduction.tables.table import Table
from attest.runs.known_stores import all_records
from attest.runs.records import Record
from attest.runs.store import Store

TABLE_KINDS = ("train", "transfer", "bench")
"""The kinds of records that figures of tables come from."""


def records_in(folders: Sequence[Path], *kinds: str) -> list[Record]:
    """Return the records of the given kinds, or of training runs if no kind is given, in several results folders.

    If two folders hold a record with the same id, a finished one counts, else that of the earlier folder. Accuracy on
    subsets of the test set is added to the metrics of training runs.
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

    `tracked` is the folder of the tracked records, whose groups of runs are shown before others; None: no group is
    preferred for being tracked. `added` names rows that are added to each table (see
    attest.reproduction.specs.added_rows).
    """
    records = records_in(folders, *TABLE_KINDS, "subset")
    subsets = [record for record in records if record.kind == "subset"]
    stores = stores_in(folders)
    lookup = partial(predictions_behind, subsets=subsets, stores=stores)
    index = RecordIndex(records)
    tracked_ids = frozenset(path.stem for path in (tracked / "records").glob("*.json")) if tracked else frozenset()
    return [build(with_rows(load_table(name), added), scale, index, lookup, tracked_ids) for name in table_names]


def figures_in(folders: Sequence[Path], tables: Iterable[Table], *, own: bool = True) -> list[PaperFigure]:
    """Return every figure whose table is among `tables`, each with the content that the records of several folders have
    for it. Without `own`, only figures of papers are returned."""
    by_name = {table.spec.name: table for table in tables}
    attention, stores = records_in(folders, "attention"), stores_in(folders)
    specs = [spec for spec in map(load_figure, figure_names(own=own)) if spec.table in by_name]
    return [
        PaperFigure(at_scale(spec, table.scale), table, figure_content(spec, table, attention, stores))
        for spec in specs
        for table in [by_name[spec.table]]
    ]


def newest_benchmarks(results: Path) -> list[tuple[Benchmark, Record]]:
    """Return each benchmark with the record of its newest measurement; benchmarks that were never measured are left
    out."""
    newest: dict[str, Record] = {}
    for record in sorted(records_in([results], "bench"), key=lambda record: record.finished):
        newest[record.settings["benchmark"]] = record
    return [(benchmarks.load_benchmark(name), newest[name]) for name in benchmarks.benchmark_names() if name in newest]
