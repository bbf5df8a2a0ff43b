"""The page of parsers: one line for each treebank, from records alone."""

import dataclasses

from attest.reproduction.pages.parsers import render_parsers_page
from attest.runs.records import Record

RECORD = Record(
    id="0123456789ab",
    kind="parser",
    status="done",
    settings={"treebanks": ["sick", "sst"]},
    versions={"parser": 1},
    data={"fingerprint": "f", "splits": {f"{name}/{split}": {"used": used} for name, split, used in (
        ("sick", "train", 4000), ("sick", "test", 1000), ("sst", "train", 8000), ("sst", "test", 2000))}},
    seed=1,
    metrics={f"test/{name}/{kind}f1": value for name, kind, value in (
        ("sick", "", 90.123), ("sick", "right/", 55.0), ("sick", "balanced/", 34.0),
        ("sst", "", 75.5), ("sst", "right/", 8.0), ("sst", "balanced/", 16.0))},
)  # fmt: skip


def test_a_line_for_each_treebank():
    text = render_parsers_page([RECORD, dataclasses.replace(RECORD, id="aaaaaaaaaaaa", status="failed", metrics={})])
    assert "| sick and sst, 12,000 sentences | sick | 1,000 | 90.12 | 55.00 | 34.00 |  | `0123456789ab` |" in text
    assert "| sst | 2,000 | 75.50 | 8.00 | 16.00 |" in text
    assert "\n| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |\n" in text
    assert "aaaaaaaaaaaa" not in text


def test_a_test_on_another_data_set_names_the_parser_by_its_treebanks():
    tested = dataclasses.replace(
        RECORD, id="cccccccccccc", kind="parser_test", parents=(RECORD.id,),
        settings={"dataset.name": "snli", "split": "hard", "parser": "learned 0123456789ab"},
        data={"fingerprint": "f", "splits": {"test": {"trees": 10, "used": 7}}},
        metrics={"test/f1": 80.0, "test/right/f1": 10.0, "test/balanced/f1": 20.0},
    )  # fmt: skip
    text = render_parsers_page([tested, RECORD])
    assert "| sick and sst, 12,000 sentences | snli, hard test pairs | 7 | 80.00 | 10.00 | 20.00 |  | `ccc" in text
    assert "| learned 0123456789ab | snli, hard test pairs |" in render_parsers_page(
        [RECORD, dataclasses.replace(tested, parents=())]
    )


def test_without_records_it_says_how_to_make_some():
    assert "Nothing is tracked yet: run `attest parser train scale=paper`" in render_parsers_page([])
