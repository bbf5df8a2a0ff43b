"""The content of a figure: its runs, and the numbers that are drawn."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from attest.inference.attention_maps import SentenceMaps, attention_id, sentence_maps
from attest.reproduction.figures.accuracy_curves import AccuracyCurves, row_curve
from attest.reproduction.figures.majority_baseline import majority_accuracy
from attest.reproduction.figures.rows import figure_rows, figure_runs
from attest.reproduction.figures.size_curves import SizeCurves, size_curves
from attest.reproduction.pages.uncommitted import id_with_status
from attest.reproduction.specs.figure import FigureSpec
from attest.reproduction.tables.table import Table
from attest.runs.records import Record
from attest.runs.store import Store, first_arrays

ACCURACY = "test/accuracy"
"""The metric of curves by length and by epoch."""


@dataclass(frozen=True, eq=False)
class AttentionContent:
    """The attention of one run to the words of the figure's sentences."""

    record: Record
    """The record of the attention maps."""
    run: Record
    """The record of the run whose attention it is."""
    title: str
    """The title of the run's row."""
    deviations: tuple[str, ...]
    sentences: tuple[SentenceMaps, ...]
    label: str = ""
    """The name of the row in the picture."""

    @property
    def ids(self) -> list[str]:
        """The ids of the records that the figure is drawn from."""
        return [self.run.id, self.record.id]

    def describe_run(self, mark: str = "") -> str:
        """Return a sentence that names the run, its row, data and record of attention; `mark` is put around each id."""
        settings = self.run.settings
        run, record = id_with_status(self.run, mark), id_with_status(self.record, mark)
        scale = "" if settings["scale"] == "paper" else f" at scale {settings['scale']}"
        where = f"on {settings['dataset.name']}{scale}, data {mark}{self.run.fingerprint}{mark}"
        return f"Run {run} ({self.title}, seed {self.run.seed}) {where}; its attention: record {record}."


@dataclass(frozen=True, eq=False)
class ComparedAttention:
    """The attention of a run of each row to the same sentences."""

    rows: tuple[AttentionContent, ...]
    missing: tuple[str, ...]
    """The titles of the rows without a record of attention."""

    @property
    def ids(self) -> list[str]:
        """The ids of the records that the figure is drawn from."""
        return [identity for row in self.rows for identity in row.ids]


Content = AccuracyCurves | SizeCurves | AttentionContent | ComparedAttention


@dataclass(frozen=True, eq=False)
class PaperFigure:
    """A figure of a paper, the table that its runs belong to, and its content, None if there is nothing to draw."""

    spec: FigureSpec
    table: Table
    content: Content | None


def figure_content(
    spec: FigureSpec, table: Table, attention: Iterable[Record], stores: Sequence[Store]
) -> Content | None:
    """Return what the records have for a figure, or None if there is nothing to draw."""
    if spec.shows in ("lengths", "epochs"):
        rows = figure_rows(spec, table)
        curves = [curve for row, result in rows if (curve := row_curve(spec, row, result, stores)) is not None]
        runs = [run for curve in curves for run in curve.runs]
        return AccuracyCurves(tuple(curves), majority_accuracy(table, runs, ACCURACY)) if runs else None
    if spec.shows == "sizes":
        return size_curves(spec, table)
    known = {record.id: record for record in attention}
    if spec.shows == "hops":
        return compared_attention(spec, table, known, stores)
    return first_attention(spec, table, known, stores)


def compared_attention(
    spec: FigureSpec, table: Table, known: Mapping[str, Record], stores: Sequence[Store]
) -> ComparedAttention | None:
    """Return the attention of a run of each row of a figure, or None if no row has a record of it."""
    contents = {row: first_attention(replace(spec, rows=[row]), table, known, stores) for row in spec.rows}
    found = tuple(content for content in contents.values() if content is not None)
    missing = tuple(table.spec.rows[row].title for row, content in contents.items() if content is None)
    return ComparedAttention(found, missing) if found else None


def first_attention(
    spec: FigureSpec, table: Table, known: Mapping[str, Record], stores: Sequence[Store]
) -> AttentionContent | None:
    """Return the attention of the first run of a figure that has a record of it, or None."""
    for row, group, run in figure_runs(spec, table):
        record = known.get(attention_id(run.id, spec.texts))
        arrays = first_arrays(record.id, stores) if record else None
        if record and arrays is not None:
            label, maps = spec.legend.get(row.name, row.spec.title), tuple(sentence_maps(record, arrays))
            return AttentionContent(record, run, row.spec.title, group.deviations, maps, label)
    return None
