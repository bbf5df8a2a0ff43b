"""The page of transfer as markdown: encoders on SentEval's tasks, side by side, from records."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attest.reproduction.pages.numbers import MISSING, table_row
from attest.reproduction.tables.metrics import transfer_deviations
from attest.reproduction.tables.table import Table
from attest.runs.records import Record

NAME = "transfer"
COLUMNS: Mapping[str, tuple[tuple[str, int], ...]] = {
    **{name: ((f"{name}/test", 2),) for name in ("MR", "CR", "SUBJ", "MPQA", "SST2", "SST5", "TREC")},
    "MRPC": (("MRPC/test", 2), ("MRPC/f1", 2)),
    "SICK-R": (("SICK-R/pearson", 4),),
    "SICK-E": (("SICK-E/test", 2),),
    "STS14": (("STS14/pearson/weighted", 4), ("STS14/spearman/weighted", 4)),
    "macro": (("macro/test", 2),),
    "micro": (("micro/test", 2),),
}
"""The title of a column -> the metrics that it shows, each with its number of decimals."""

PAPERS_TABLE = re.compile(r"/table\d+$")
"""The pattern of the name of a table that a paper prints: those without a number are ours."""
RunsById = Mapping[str, tuple[Record, str]]
"""The id of a run -> the run, and a table that shows it with its setting of a search: disan/table1, dropout=0.1."""
OTHER_RUNS = "other runs"
"""The text after the name of a table that lists a run below its rows and shows it in none."""
INTRODUCTION = """\
Each line is one encoder: what a simple classifier on its sentence vectors reaches on SentEval's tasks.

- The protocol is SentEval's (Conneau and Kiela 2018): its folds, its grids of penalties and its rounding. Classifiers
  are those of its option for scikit-learn, with the solver of today's scikit-learn; its default is a classifier of
  torch (`classifier=torch`). Figures are accuracies in percent, where nothing else is named.
- MRPC: accuracy / F1. SICK-R: Pearson's r.
- STS14: Pearson's / Spearman's coefficient, each the mean over its six sets, weighted by their size.
- "macro" is the mean test accuracy of eight tasks: MR, CR, SUBJ, MPQA, SST2, TREC, MRPC and SICK-E. PSAN's Table 2 has
  the same mean of dev accuracies.
- "micro" weights these tasks by the number of examples that select the strength of regularisation.
- PSAN's section 4.1 uses the words macro and micro the other way round.
- A fit that ends at SentEval's limit of steps has not converged, and its accuracy may be too low. The list below the
  table counts such fits: compare encoders with care whose shares of them differ.
- In brackets stands a table that shows or lists the run of the encoder, one with the paper's figures before others, and
  its setting if the table tries several. "other runs": the table lists it, but not in a row."""


def render_transfer_page(records: Iterable[Record], tables: Iterable[Table] = ()) -> str:
    """Return the page with the newest finished evaluation of each encoder by each classifier on each state of the data.

    An evaluation whose figures are all part of another one is left out. `tables` are those that may show the runs of
    encoders.
    """
    runs = runs_by_id(tables)
    done = [record for record in records if record.status == "done"]
    newest = {evaluation_key(record): record for record in sorted(done, key=lambda record: record.finished)}
    kept = [record for record in newest.values() if not any(is_subsumed(record, other) for other in newest.values())]
    shown = sorted(kept, key=lambda record: (record.settings["encoder"], classifier_title(record), record.id))
    lines = ["# Transfer", "", INTRODUCTION, ""]
    if not shown:
        return "\n".join([*lines, "Nothing is tracked yet: run `attest transfer average scale=paper`, then "
                          "`attest publish transfer`.", ""])  # fmt: skip
    head = ["Encoder", "Width", "Classifier", *COLUMNS, "Seconds", "Record"]
    lines += [table_row(head), table_row(["---"] * len(head))]
    lines += [table_row(row_cells(record, runs)) for record in shown]
    notes = [f"- `{record.id}`: {note}" for record in shown for note in record_notes(record, runs)]
    lines += (
        ["", "What the records differ in from SentEval's own data, and where their encoders come from:", "", *notes]
        if notes
        else []
    )
    return "\n".join([*lines, "", "Made by `attest collate` from the records.", ""])


def runs_by_id(tables: Iterable[Table]) -> RunsById:
    """Return the runs that tables show or list, each with the first of these tables.

    Tables of a paper come first, with those of their rows that the paper prints.
    """
    runs: dict[str, tuple[Record, str]] = {}
    lines = [(table.spec.name, line) for table in tables for line in table.lines]
    for name, line in sorted(lines, key=lambda place: not (place[1].row.paper and PAPERS_TABLE.search(place[0]))):
        groups = [(result, *variant) for result in line.results for variant in result.groups_by_variant]
        for result, variant, group in groups:
            which = variant or OTHER_RUNS * (group is not result.group)
            place = ", ".join(filter(None, [name, which]))
            for run in group.records:
                runs.setdefault(run.id, (run, place))
    return runs


def encoder_run(record: Record, runs: RunsById) -> tuple[Record, str] | None:
    """Return the run that the encoder comes from with its table; None if no table shows it."""
    return runs.get(record.parents[0]) if record.parents else None


def evaluation_key(record: Record) -> tuple[Any, ...]:
    """Return a key that two evaluations share if they are of one encoder, by the same settings, on the same data."""
    return record.data["encoder"], record.fingerprint, json.dumps(record.settings, sort_keys=True)


def is_subsumed(record: Record, other: Record) -> bool:
    """Return whether another evaluation of the same encoder, by the same settings, has all figures of this one and
    more."""
    if {**record.settings, "tasks": []} != {**other.settings, "tasks": []}:
        return False
    return record.data["encoder"] == other.data["encoder"] and record.metrics.items() < other.metrics.items()


def classifier_title(record: Record) -> str:
    """Return the classifier and the folds of an evaluation: sklearn, lbfgs, 10 folds."""
    kind, settings = record.settings["classifier.kind"], record.settings
    variant = settings["classifier.solver"] if kind == "sklearn" else f"{settings['classifier.hidden']} hidden"
    return f"{kind}, {variant}, {settings['folds']} folds"


def row_cells(record: Record, runs: RunsById) -> list[str]:
    """Return the cells of one evaluation."""
    run = encoder_run(record, runs)
    encoder = record.settings["encoder"] + (f" ({run[1]})" if run else "")
    seconds = sum(row["seconds"] for row in record.curve)
    figures = [
        " / ".join(format_figure(record.metrics.get(name), decimals) for name, decimals in metrics)
        for metrics in COLUMNS.values()
    ]
    width = str(record.curve[0]["width"]) if record.curve else MISSING
    return [encoder, width, classifier_title(record), *figures, f"{seconds:,.0f}", f"`{record.id}`"]


def format_figure(value: float | None, decimals: int) -> str:
    """Return a figure with its decimals, or a dash if it is missing."""
    return MISSING if value is None else f"{value:.{decimals}f}"


def record_notes(record: Record, runs: RunsById) -> Iterator[str]:
    """Yield the run that the encoder comes from, what the data lacked, and fits that did not converge."""
    run = encoder_run(record, runs)
    source = run[0] if run else record
    yield from (f"encoder of the run `{parent}`" for parent in record.parents[:1])  # one behind it made its trees
    rows, official = record.data.get("vectors", {}).get("rows"), source.data["expected"].get("vectors")
    if official is not None and rows != official:
        yield f"vectors of {rows:,} of {official:,} words"
    yield from transfer_deviations(record)
    if cut_off := sum(row["cut_off"] for row in record.curve):
        from attest.transfer.fits import fit_count, recorded_protocol  # loads torch, which other pages do without

        protocol = recorded_protocol(record.settings)
        fits = sum(fit_count(row["task"], protocol) for row in record.curve)
        yield f"{cut_off:,} of {fits:,} fits ended at SentEval's limit of steps before they converged"
