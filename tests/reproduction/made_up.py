"""Records that no run has left, for the rows of DiSAN's Table 1 and for any cell; and what that table shows of them."""

import numpy as np

from attest.config.compose import compose
from attest.config.flat import flatten
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.build import build
from attest.runs.identity import code_versions, run_id
from attest.runs.records import Cost, Record

SPEC = load_table("disan/table1")
COST = Cost(step_seconds=1.0, epoch_seconds=2.0, full_epoch_seconds=600.0, wall_seconds=4.0, peak_bytes=5)

WORDS = {"training_words": 20_000, "training_words_found": 5_000}
"""The words of a training text, and how many of them have a vector."""


def data(train=549_367, vectors=400_000, fingerprint="full", with_parse=True):
    counts = {"train": train, "dev": 9842, "test": 9824}
    return {
        "fingerprint": fingerprint,
        "splits": {
            name: {"labelled": n, "rows": n, "with_parse": n if with_parse else 0} for name, n in counts.items()
        },
        "vectors": {"rows": vectors, **WORDS, "tokens_found": {"train": 0.9}},
        "expected": {"splits": {"train": 549_367, "dev": 9842, "test": 9824}, "vectors": 400_000},
    }


def record(row, *overrides, test=85.0, dev=80.0, scale="paper", status="done", **changes):
    assert SPEC.rows[row].set is not None
    settings = compose([*SPEC.base, *SPEC.rows[row].set, f"scale={scale}", f"label.row={row}", *overrides])
    seen = changes.pop("data", data())
    values = {
        "id": run_id(settings, seen["fingerprint"]),
        "status": status,
        "settings": flatten(settings),
        "versions": code_versions(settings),
        "seed": settings.seed,
        "data": seen,
        "cost": COST,
        "label": settings.label,
        "metrics": {
            "test/accuracy": test,
            "dev/accuracy": dev,
            "train/accuracy": 90.0,
            "parameters": 2345403,
            "test/accuracy/order": 60.0,
        },
        **changes,
    }
    return Record(**values)


def line(records, row="disan", scale="paper"):
    return next(line for line in build(SPEC, scale, records).rows if line.name == row)


def shown(records, row="disan", scale="paper"):
    """All columns of this table show the same runs."""
    (only,) = line(records, row, scale).results
    return only


def ours(found, column="test"):
    return found.our_value(SPEC.columns[column])


def run_of(cell, **metrics):
    """A run of a cell of any table, on all its data."""
    return finished_run(cell.settings, metrics=metrics)


def finished_run(settings, fingerprint="f", facts=None, **changes):
    """A run with any settings, on all its data; `facts` are further ones about its data."""
    counts = {
        name: {"labelled": n, "rows": n, "with_parse": n, "sha256": f"sha of {name}"}
        for name, n in settings.dataset.expected.items()
    }
    data = {
        "fingerprint": fingerprint,
        "splits": counts,
        "vectors": {"rows": settings.vectors.expected, **WORDS, "tokens_found": {"train": 0.9}},
        "expected": {"splits": dict(settings.dataset.expected), "vectors": settings.vectors.expected},
        **({"examples": settings.protocol.examples} if settings.protocol.examples else {}),
        **(facts or {}),
    }
    values = {"metrics": {"test/accuracy": 50.0, "dev/accuracy": 50.0}, "seed": settings.seed, **changes}
    return Record(
        id=run_id(settings, fingerprint), status="done", settings=flatten(settings),
        versions=code_versions(settings), data=data, **values,
    )  # fmt: skip


def put_hard_pairs(store, identity, rows, origin="derived", train=100, test="sha of test"):
    """A record, in the store, of the pairs of SNLI that the hypothesis alone does not give away."""
    known = {"train": {"labelled": train}} if origin == "derived" else {}
    record = Record(
        id=identity, kind="subset", status="done", versions={"subset": 1}, seed=0,
        settings={"subset": "hard", "origin": origin, "dataset.name": "snli"},
        data={"fingerprint": "x", "splits": {**known, "test": {"labelled": 9824, "sha256": test}}},
        metrics={"test/accuracy": 64.0, "test/hard": len(rows)},
    )  # fmt: skip
    store.put(record, {"rows": np.array(rows)})
