"""The figures of a paper, read from `reproduce/PAPER/figure*.yaml`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from attest.config.schema import from_plain
from attest.config.yaml_files import locate_errors_in_file, read_yaml
from attest.errors import SettingsError
from attest.reproduction.specs import files
from attest.reproduction.specs.table import TableSpec, load_table

FigureKind = Literal["lengths", "epochs", "sizes", "attention", "gates", "source2token", "hops"]
"""The kinds of figures.

lengths: accuracy by words per sentence. epochs: test accuracy by epochs, of runs that evaluate on test while they
train. sizes: the table's columns by their protocol.examples. attention: the weight of each word in each other word,
for each block. gates: the gate of each word, for each block. source2token: the weights of one word's features in two
sentences. hops: the weights of words in each hop of a structured encoder, and their mean."""


FEATURES = {"mean": "mean over features", "length": "root mean square over features"}
"""The value of `FigureSpec.features` -> its words in captions and at colour bars."""
Length = Literal["longest", "mean"]
Hops = Literal["each", "overall"]


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two sentences that share a word."""

    word: str
    sentences: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class FigureSpec:
    """The specification of a figure of a paper."""

    name: str
    title: str
    reference: str
    source: str
    shows: FigureKind
    table: str
    rows: Sequence[str]
    """The rows of the table whose runs are shown."""
    column: str = ""
    """The column of the table whose runs are shown; empty: all columns."""
    bins: Sequence[int] = ()
    """The smallest number of words in each bin of sentence lengths."""
    length: Length = "longest"
    """The length of a pair: that of its longer sentence, or the mean of both."""
    features: Literal["mean", "length"] = "mean"
    """The number that is shown for the features of a weight: their mean, or their length (2-norm)."""
    hops: Hops = "each"
    """The content of a figure of hops: some hops and their mean, or the mean alone, the overall attention."""
    legend: Mapping[str, str] = field(default_factory=dict)
    """A row -> its name in the picture, if it is not the title of the row."""
    emphasis: Sequence[str] = ()
    """The rows in colour, the others being grey lines without bands; empty: all rows."""
    ordered: bool = False
    """True if the rows are steps of one quantity, so that their colours go from light to dark."""
    stop_words: Sequence[str] = ()
    """The words whose mean gate stands beside that of the other words, in a figure of gates; empty: no means."""
    printed: str = ""
    """The column, such as disan/table1/test, whose printed figures stand at the ends of continued curves."""
    sentences: Sequence[str] = ()
    pairs: Sequence[Pair] = ()
    finding: str = ""
    """The outcome: our figure beside what the paper says of its own."""
    alt: str = ""
    """The content of the picture in a sentence, for readers who do not see it."""
    notes: Sequence[str] = ()

    @property
    def texts(self) -> list[str]:
        """All sentences, in the order in which they are shown."""
        return [*self.sentences, *(sentence for pair in self.pairs for sentence in pair.sentences)]

    @property
    def paper(self) -> str:
        return self.name.partition("/")[0]


def figure_names(*, own: bool = True) -> list[str]:
    """Return the names of all figures, as disan/figure5; without `own`, only those of papers."""
    return files.names("figure", own=own)


def load_figure(name: str) -> FigureSpec:
    """Return a figure by its name; raise SettingsError if it does not exist or its file has mistakes."""
    return read_figure(files.path_of(name, "figure", "there is no such figure"), name)


def read_figure(path: Path, name: str) -> FigureSpec:
    """Return the figure that a file describes; raise SettingsError, with the file's name, for mistakes in it."""
    data = read_yaml(path)
    with locate_errors_in_file(path):
        spec = from_plain(FigureSpec, {"name": name, **data})
        check_figure(spec)
    return spec


def at_scale(spec: FigureSpec, scale: str) -> FigureSpec:
    """Return the figure as it is shown at a scale: its finding and `alt` are about runs at scale=paper alone."""
    return spec if scale == "paper" else replace(spec, finding="", alt="")


def check_figure(spec: FigureSpec) -> None:
    """Raise SettingsError if the figure names rows, columns or data that it cannot show."""
    table = load_table(spec.table)
    for row in spec.rows:
        if table.row(row).set is None:
            raise SettingsError(f"rows: {row} is only cited in {spec.table}, so there are no runs to show")
    if spec.column and spec.column not in table.columns:
        raise SettingsError(f"column: {spec.column} is none of {', '.join(table.columns)}")
    for key, rows in {"legend": spec.legend, "emphasis": spec.emphasis}.items():
        for row in rows:
            if row not in spec.rows:
                raise SettingsError(f"{key}: {row} is none of the rows shown: {', '.join(spec.rows)}")
    if spec.printed:
        name, _, column = spec.printed.rpartition("/")
        if column not in load_table(name).columns:
            raise SettingsError(f"printed: {name} has no column {column!r}; give one as disan/table1/test")
    check_data_of_kind(spec, table)
    if spec.features == "length" and spec.shows != "attention":
        raise SettingsError(
            f"features: length applies to figures of attention, and this one shows {spec.shows}; leave it out"
        )
    if spec.stop_words and spec.shows != "gates":
        raise SettingsError(
            f"stop_words: they apply to figures of gates, and this one shows {spec.shows}; leave them out"
        )
    for pair in spec.pairs:
        if len(pair.sentences) != 2 or not all(pair.word in text.lower().split() for text in pair.sentences):
            raise SettingsError(f"pairs: expected two sentences that hold the word {pair.word!r}")


def check_data_of_kind(spec: FigureSpec, table: TableSpec) -> None:
    """Raise SettingsError if the figure lacks the column, bins, sizes or sentences that a figure of its kind shows."""
    if spec.shows == "epochs":
        if not spec.column or spec.texts:
            raise SettingsError("column: a figure of epochs shows the runs of one column; name it, and no sentences")
    elif spec.shows == "lengths":
        if not spec.bins or list(spec.bins) != sorted(set(spec.bins)):
            raise SettingsError("bins: list the smallest number of words of each bin in rising order, as [1, 5, 9]")
    elif spec.shows == "sizes":
        if not any(text.startswith("protocol.examples=") for column in table.columns.values() for text in column.set):
            raise SettingsError(f"table: no column of {spec.table} sets protocol.examples, the size to be shown")
    else:
        takes_pairs = spec.shows == "source2token"
        if bool(spec.pairs) != takes_pairs or bool(spec.sentences) == takes_pairs:
            wanted = "pairs" if takes_pairs else "sentences"
            raise SettingsError(f"{wanted}: a figure of {spec.shows} needs {wanted} and nothing else; name them alone")
