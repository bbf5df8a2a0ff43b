"""The page of transfer as markdown: encoders on SentEval's tasks, side by side, from records."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attest.reproduction.pages.encoder_runs import RunsById, encoder_run, runs_by_id
from attest.reproduction.pages.markdown_parts import bullets, table_row
from attest.reproduction.pages.numbers import MISSING
from attest.reproduction.tables.compose_cache import cached_fit_count
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

INTRODUCTION = """\
Each row is one encoder: what a simple classifier on its sentence vectors reaches on SentEval's tasks.

- The protocol is SentEval's (Conneau and Kiela 2018): its way to make folds, its grids of penalties and its rounding.
  But for TREC and SST2, examples fall in other folds than SentEval's, because their order follows our tokens.
  Classifiers are those of its option for scikit-learn, with the solver of today's scikit-learn; its default is a
  classifier of torch (`classifier=torch`). Figures are accuracies in percent, where nothing else is named.
- MRPC: accuracy / F1. SICK-R: Pearson's r.
- STS14: Pearson's / Spearman's coefficient, each the mean over its six sets, weighted by their size.
- "macro" is the mean test accuracy of eight tasks: MR, CR, SUBJ, MPQA, SST2, TREC, MRPC and SICK-E. PSAN's Table 2 has
  the same mean of dev accuracies.
- "micro" weights these tasks by the number of examples that select the strength of regularisation.
- PSAN's section 4.1 uses the words macro and micro the other way round.
- "Run" is the run that trained the encoder. The brackets after the encoder name a table that shows or lists this run,
  one with the paper's figures before others, and its setting if the table tries several. "not selected": the table
  shows another setting. "other runs": the table lists the run below its rows; what the runs shown there do not have
  follows.
- "Not converged" counts the fits that ended at the limit of steps, of all fits: scikit-learn's 100, which SentEval
  leaves as it is, or 200 epochs of torch's classifier. Their accuracy may be too low: compare encoders with care whose
  shares of such fits differ.
- "Seconds" is the elapsed time of fitting and testing the classifiers, while other programs ran on the same machine. It
  says little about an encoder."""


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
    head = ["Encoder", "Run", "Width", *COLUMNS, "Not converged", "Seconds", "Record"]
    lines += [table_row(head), table_row(["---", "---", *["---:"] * (len(head) - 3), "---"])]
    lines += [table_row(evaluation_cells(record, runs)) for record in shown]
    notes = list(notes_of({record.id: record_notes(record, runs) for record in shown}))
    lines += ["", "The classifiers, and how the evaluations deviate from SentEval's data:", "", *bullets(notes)]
    return "\n".join([*lines, "", "Made by `attest collate` from the records.", ""])


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


def evaluation_cells(record: Record, runs: RunsById) -> list[str]:
    """Return the cells of one evaluation."""
    run = encoder_run(record, runs)
    encoder = record.settings["encoder"] + (f" ({run[1]})" if run else "")
    parent = f"`{record.parents[0]}`" if record.parents else MISSING  # one behind it made its trees
    seconds = sum(row["seconds"] for row in record.curve)
    figures = [
        " / ".join(format_figure(record.metrics.get(name), decimals) for name, decimals in metrics)
        for metrics in COLUMNS.values()
    ]
    width = f"{record.curve[0]['width']:,}" if record.curve else MISSING
    return [encoder, parent, width, *figures, unconverged_text(record), f"{seconds:,.0f}", f"`{record.id}`"]


def format_figure(value: float | None, decimals: int) -> str:
    """Return a figure with its decimals, or a dash if it is missing."""
    return MISSING if value is None else f"{value:.{decimals}f}"


def unconverged_text(record: Record) -> str:
    """Return how many fits ended at the limit of steps, of all: "930 of 2,603"."""
    cut_off = sum(row["cut_off"] for row in record.curve)
    if not cut_off:
        return "0"
    return f"{cut_off:,} of {cached_fit_count(record.settings, [row['task'] for row in record.curve]):,}"


def record_notes(record: Record, runs: RunsById) -> list[str]:
    """Return the classifier of an evaluation, and what its data lacked."""
    run = encoder_run(record, runs)
    source = run[0] if run else record
    notes = [f"classifier {classifier_title(record)}"]
    rows, official = record.data.get("vectors", {}).get("rows"), source.data["expected"].get("vectors")
    if official is not None and rows != official:
        notes.append(f"word vectors for {rows:,} of the file's {official:,} words")
    return [*notes, *transfer_deviations(record)]


def notes_of(notes_by_id: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield each note once, after the ids of the records that have it, or after "All" if these are all."""
    for note in dict.fromkeys(note for notes in notes_by_id.values() for note in notes):
        holders = [f"`{identity}`" for identity, notes in notes_by_id.items() if note in notes]
        yield f"{'All' if len(holders) == len(notes_by_id) else ', '.join(holders)}: {note}"
