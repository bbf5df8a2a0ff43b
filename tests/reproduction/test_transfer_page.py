"""The page of transfer: one line for each encoder and protocol, from records alone."""

import dataclasses
import subprocess
import sys

from reproduction import made_up

from attest.reproduction.pages.transfer import render_transfer_page
from attest.reproduction.tables.build import build
from attest.runs.records import Record

RECORD = Record(
    id="0123456789ab",
    kind="transfer",
    status="done",
    parents=("ba9876543210",),
    settings={
        "encoder": "disan | snli",
        "tasks": ["MRPC", "STS14"],
        "classifier.kind": "sklearn",
        "classifier.solver": "lbfgs",
        "folds": 10,
    },
    versions={"transfer": 1},
    data={
        "fingerprint": "f",
        "encoder": "ba9876543210",
        "splits": {"MRPC/train": {"used": 4000}},
        "vectors": {"rows": 6497},
        "expected": {"splits": {"MRPC/train": 4076}, "vectors": 2196017},
    },
    seed=1111,
    metrics={"MRPC/test": 70.123, "MRPC/f1": 80.456, "STS14/pearson/weighted": 0.51234, "STS14/spearman/weighted": 0.5},
    curve=({"task": "MRPC", "width": 4096, "seconds": 61.4, "cut_off": 3},),
    finished="2026-01-01T00:00:00Z",
)


def test_a_line_and_what_is_to_be_said_of_it():
    text = render_transfer_page([RECORD])
    row = next(line for line in text.splitlines() if line.startswith("| disan"))
    assert row.startswith("| disan \\| snli | `ba9876543210` | 4,096 | –")
    assert "\n| --- | --- | ---: | ---: |" in text
    assert "| 70.12 / 80.46 |" in row
    assert "| 0.5123 / 0.5000 |" in row
    assert row.endswith("| 3 of 71 | 61 | `0123456789ab` |")
    assert "- All: classifier sklearn, lbfgs, 10 folds\n" in text
    assert "- All: word vectors for 6,497 of the file's 2,196,017 words\n" in text
    assert "- All: MRPC/train: 4,000 of 4,076 examples\n" in text


def test_what_all_evaluations_share_is_said_once():
    whole = dataclasses.replace(RECORD, id="aaaaaaaaaaaa", data={**RECORD.data, "encoder": "e", "splits": {
        "MRPC/train": {"used": 4076}}})  # fmt: skip
    text = render_transfer_page([RECORD, whole])
    assert text.count("word vectors for 6,497") == 1
    assert "- `0123456789ab`: MRPC/train: 4,000 of 4,076 examples\n" in text


def test_a_line_names_the_table_of_the_run_and_takes_the_size_of_the_vectors_from_it():
    run = made_up.record("disan", data=made_up.data(vectors=7580))
    newer = dataclasses.replace(RECORD, parents=(run.id,))
    text = render_transfer_page([newer], [build(made_up.SPEC, "paper", [run])])
    assert f"| disan \\| snli (disan/table1) | `{run.id}` | 4,096 |" in text
    assert "word vectors for 6,497 of the file's 400,000 words" in text


def test_a_table_of_the_paper_is_named_before_one_of_ours():
    run = made_up.record("disan")
    ours = dataclasses.replace(made_up.SPEC, name="disan/sizes")
    tables = [build(spec, "paper", [run]) for spec in (ours, made_up.SPEC)]
    record = dataclasses.replace(RECORD, parents=(run.id,))
    assert "(disan/sizes)" in render_transfer_page([record], tables[:1])
    assert "(disan/table1)" in render_transfer_page([record], tables)
    row = dataclasses.replace(made_up.SPEC.rows["disan"], paper={})
    unprinted = dataclasses.replace(made_up.SPEC, rows={**made_up.SPEC.rows, "disan": row})
    tables = [build(spec, "paper", [run]) for spec in (ours, unprinted)]
    assert "(disan/sizes)" in render_transfer_page([record], tables), "the paper does not print this row"


def test_a_run_that_is_only_listed_is_marked():
    run = made_up.record("disan", "protocol.steps=9")
    full = [made_up.record("disan", f"seed={seed}") for seed in (1, 2)]
    encoder = dataclasses.replace(RECORD, parents=(run.id,))
    text = render_transfer_page([encoder], [build(made_up.SPEC, "paper", [run, *full])])
    assert "(disan/table1, other runs: protocol.steps 9 instead of 400,000) |" in text


def test_a_line_names_the_setting_of_a_search():
    """A row shows the best of its settings, and the encoder may be one of the others."""
    run = made_up.record("multi_head", "dropout=0.25")
    best = made_up.record("multi_head", "dropout=0.1", dev=90.0)
    encoder = dataclasses.replace(RECORD, parents=(run.id,))
    text = render_transfer_page([encoder], [build(made_up.SPEC, "paper", [run, best])])
    assert "| disan \\| snli (disan/table1, dropout=0.25, not selected) |" in text
    encoder = dataclasses.replace(RECORD, parents=(best.id,))
    text = render_transfer_page([encoder], [build(made_up.SPEC, "paper", [run, best])])
    assert "| disan \\| snli (disan/table1, dropout=0.1) |" in text


def test_of_two_that_differ_in_nothing_the_newer_is_shown():
    newer = dataclasses.replace(RECORD, id="aaaaaaaaaaaa", finished="2026-02-01T00:00:00Z")
    other = dataclasses.replace(RECORD, id="bbbbbbbbbbbb", settings={**RECORD.settings, "folds": 5})
    text = render_transfer_page([newer, RECORD, other])
    assert "`aaaaaaaaaaaa` |" in text
    assert "`bbbbbbbbbbbb` |" in text
    assert "`0123456789ab` |" not in text


def test_a_part_of_a_whole_is_not_shown_beside_it():
    """Tasks judged one by one and then together are one line; a part with a figure of its own is another."""
    parts = {name: value for name, value in RECORD.metrics.items() if name.startswith("MRPC")}
    settings = {**RECORD.settings, "tasks": ["MRPC"]}
    part = dataclasses.replace(RECORD, id="aaaaaaaaaaaa", settings=settings, metrics=parts)
    other = dataclasses.replace(part, id="bbbbbbbbbbbb", metrics={**parts, "MRPC/test": 71.0})
    folds = dataclasses.replace(part, id="cccccccccccc", settings={**settings, "folds": 5})
    encoder = dataclasses.replace(part, id="dddddddddddd", data={**part.data, "encoder": "eeeeeeeeeeee"})
    text = render_transfer_page([part, RECORD, other, folds, encoder])
    assert [record.id for record in (part, RECORD, other, folds, encoder) if f"`{record.id}` |" in text] == [
        RECORD.id, other.id, folds.id, encoder.id,
    ]  # fmt: skip


def test_without_records_it_says_how_to_make_some():
    assert "Nothing is tracked yet" in render_transfer_page([])


def test_a_page_that_was_made_before_needs_no_torch(home):
    render_transfer_page([RECORD])
    code = f"""
import sys
from attest.reproduction.tables.compose_cache import cached_fit_count
print(cached_fit_count({RECORD.settings!r}, ["MRPC"]), "torch" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "71 False\n"
