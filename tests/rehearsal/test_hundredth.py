"""The rehearsal of full corpora at a thousandth of their size."""

import json

from rehearsal import corpora, measures
from rehearsal.measures import Stage
from reproduction.made_up import record

from attest.config.flat import to_plain


def test_files_have_the_official_numbers_of_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(corpora, "DISTINCT", 150)
    corpora.write_corpora(tmp_path, 0.001)
    rows = {path.name: path.read_text().count("\n") for path in tmp_path.rglob("*") if path.is_file()}
    assert rows["snli_1.0_train.jsonl"] == 550
    assert rows["multinli_1.0_train.jsonl"] == 393
    assert rows["train.csv"] == 650
    assert 100 < len((tmp_path / "yelp/train.csv").read_text().split()) / 650 < 200, "words of an official review"
    assert rows["glove.840B.300d.txt"] == 2196
    line = (tmp_path / "glove/glove.840B.300d.txt").read_text().partition("\n")[0]
    assert len(line.split()) == 301
    first = json.loads((tmp_path / "snli/snli_1.0_train.jsonl").read_text().partition("\n")[0])
    assert first["sentence1_parse"].startswith("(ROOT ")


def test_stages_read_what_was_written(tmp_path, monkeypatch):
    monkeypatch.setattr(
        measures,
        "alone",
        lambda function, name, *arguments, settings=(): Stage(name, *measures.timed(function, arguments, settings)),
    )
    monkeypatch.setattr(measures, "COMMANDS", ("status",))  # the others compose tables, which takes long
    monkeypatch.setattr(corpora, "DISTINCT", 150)
    corpora.write_corpora(tmp_path / "data", 0.001)
    source = tmp_path / "record.json"
    source.write_text(json.dumps(to_plain(record("disan", "seed=1"))))
    stages = list(measures.rehearse(tmp_path, 0.001, [source]))
    numbers = {stage.name: stage.number for stage in stages}
    assert 900 < numbers["snli: read"] <= 950
    assert numbers["read a store"] == numbers["attest status"] == 100
    assert numbers["yelp: read"] == 650
    assert numbers["snli: evaluate dev and test"] in range(380, 401)
    assert numbers["snli: an epoch, from 2 steps"] == numbers["snli: batches of an epoch"]
    assert numbers["snli: batches of an epoch"] in (8, 9), "some pairs have no label"
    assert numbers["glove: read"] == 2196
    assert all(" GiB" in stage.line() and stage.peak_bytes > 0 for stage in stages)
    assert "of a core" in stages[0].line()
