"""What encoders are worth on SentEval's tasks, side by side: markdown from records of transfer alone."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attest.reproduction.pages.numbers import MISSING, join
from attest.reproduction.tables.metrics import transfer_deviations
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
"""Title -> the metrics of its cell, each with its decimals."""

INTRODUCTION = """\
SentEval's protocol (Conneau and Kiela 2018): accuracies in percent, MRPC with F1, SICK-R as Pearson's r, STS14 as the
means of Pearson's and Spearman's coefficients weighted by the size of its six sets. macro is the mean of the eight
tasks that are measured by accuracy alone, SST5 not among them; micro weights them by the examples that choose the
strength of regularisation. PSAN's section 4.1 has the two words the other way round."""


def markdown(records: Iterable[Record]) -> str:
    done = [record for record in records if record.status == "done"]
    newest = {key_of(record): record for record in sorted(done, key=lambda record: record.finished)}
    whole = [one for one in newest.values() if not any(part_of(one, other) for other in newest.values())]
    shown = sorted(whole, key=lambda record: (record.settings["encoder"], protocol(record), record.id))
    lines = ["# Transfer", "", INTRODUCTION, ""]
    if not shown:
        return "\n".join([*lines, "Nothing is tracked yet: `attest transfer average scale=paper`, then "
                          "`attest publish transfer`.", ""])  # fmt: skip
    head = ["Encoder", "Width", "Classifier", *COLUMNS, "Seconds", "Record"]
    lines += [join(head), join(["---"] * len(head))]
    lines += [join(cells(record)) for record in shown]
    notes = [f"`{record.id}`: {note}" for record in shown for note in notes_of(record)]
    lines += ["", *(f"- {note}" for note in notes)] if notes else []
    return "\n".join([*lines, "", "Made by `attest collate` from the records.", ""])


def key_of(record: Record) -> tuple[Any, ...]:
    """The same for two evaluations of one encoder in one way on one state of the data."""
    return record.data["encoder"], record.fingerprint, json.dumps(record.settings, sort_keys=True)


def part_of(record: Record, other: Record) -> bool:
    """Whether the other has all figures of this one and more: the same encoder, judged alike on further tasks."""
    if {**record.settings, "tasks": []} != {**other.settings, "tasks": []}:
        return False
    return record.data["encoder"] == other.data["encoder"] and record.metrics.items() < other.metrics.items()


def protocol(record: Record) -> str:
    kind, settings = record.settings["classifier.kind"], record.settings
    how = settings["classifier.solver"] if kind == "sklearn" else f"{settings['classifier.hidden']} hidden"
    return f"{kind}, {how}, {settings['folds']} folds"


def cells(record: Record) -> list[str]:
    seconds = sum(row["seconds"] for row in record.curve)
    figures = [
        " / ".join(in_print(record.metrics.get(name), decimals) for name, decimals in parts)
        for parts in COLUMNS.values()
    ]
    width = str(record.curve[0]["width"]) if record.curve else MISSING
    return [record.settings["encoder"], width, protocol(record), *figures, f"{seconds:,.0f}", f"`{record.id}`"]


def in_print(value: float | None, decimals: int) -> str:
    return MISSING if value is None else f"{value:.{decimals}f}"


def notes_of(record: Record) -> Iterator[str]:
    """What was less than official, and where the encoder comes from."""
    yield from (f"encoder of the run `{parent}`" for parent in record.parents[:1])  # one behind it made its trees
    rows, official = record.data.get("vectors", {}).get("rows"), record.data["expected"].get("vectors")
    if official is not None and rows != official:
        yield f"vectors of {rows:,} of {official:,} words"
    yield from transfer_deviations(record)
    if cut_off := sum(row["cut_off"] for row in record.curve):
        yield f"{cut_off:,} fits ended before they came to rest, as SentEval's do"
