"""Files to hand in: every pair of the official file by its name, with the label that the run gives it."""

import json

import numpy as np
from homes import store_of

from attest.inference.submission import csv_line


def hidden(source, target):
    """An official file as its labels would be hidden."""
    rows = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
    named = [{**row, "gold_label": "hidden", "pairID": f"p{number}"} for number, row in enumerate(rows)]
    target.write_text("".join(json.dumps(row) + "\n" for row in named), encoding="utf-8")
    return rows


def test_the_labels_are_those_of_the_run(finished, home, home_with_corpora, mini_data, tmp_path, cli):
    record = finished("experiment=disan/multinli")
    rows = hidden(mini_data / "multinli/multinli_1.0_dev_matched.jsonl", tmp_path / "test.jsonl")
    said = store_of(home).arrays(record.id)
    names = record.data["splits"]["test"]["labels"]
    cli.output("submit", record.id[:8], str(tmp_path / "test.jsonl"), "--to", str(tmp_path / "out.csv"))
    head, *lines = (tmp_path / "out.csv").read_text().splitlines()
    assert head == "pairID,gold_label"
    assert [line.partition(",")[0] for line in lines] == [f"p{number}" for number in range(len(rows))]
    given = np.array([line.partition(",")[2] for line in lines])[said["rows"]]
    np.testing.assert_array_equal(given, np.array(list(names))[said["predictions"]])


def test_what_cannot_be_handed_in_is_refused(finished, home_with_corpora, working_folder, cli):
    single, pairs = finished("experiment=disan/trec"), finished("experiment=disan/multinli")
    words, path = ("test.jsonl", "--to", "out.csv"), working_folder / "test.jsonl"
    assert "this run does not classify pairs of sentences" in cli.error("submit", single.id, *words)
    path.write_text('{"gold_label": "?", "sentence1": "a", "sentence2": "b"}\n')
    assert "test.jsonl:1: field 'pairID' is missing" in cli.error("submit", pairs.id, *words, code=1)
    path.write_text("")
    error = cli.error("submit", pairs.id, *words, code=1)
    assert "test.jsonl: the file holds no pairs; name the file of the test set" in error
    assert not (working_folder / "out.csv").exists()


def test_names_with_commas_are_quoted():
    assert csv_line('a,"b"', "neutral") == '"a,""b""",neutral'
