"""attest encode and predict, as a user types them."""

import io
import json
import shlex

import numpy as np
import pytest

import attest
from attest.cli import main
from attest.inference import streams
from attest.training import run as training

QUICK = ("protocol.steps=10", "protocol.evaluate_every=10")


@pytest.fixture
def finished(settings_with, mini_data):
    def make(*overrides):
        record = training.run(settings_with(*QUICK, *overrides))
        return record, attest.load(record.id, [f"paths.data={mini_data}"])

    return make


@pytest.fixture
def command(mini_data, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda *words: main([*words, f"paths.data={mini_data}"])


def test_sentences_and_pairs_in_windows(finished, command, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(streams, "WINDOW", 2)
    record, run = finished("model=s2t")
    first, *others = run.vocabulary[2:20]
    sentences = [" ".join([first, *others[:length]]) for length in (9, 1, 5, 3, 0)] + ["", f"zyx {first} zyx"]
    (tmp_path / "a.txt").write_text("".join(f"{sentence}\n" for sentence in sentences))
    (tmp_path / "a.jsonl").write_text(
        "".join(json.dumps(x) + "\n" for x in [*sentences[:6], {"sentence": sentences[6]}])
    )
    for name in ("a.txt", "a.jsonl"):
        assert command("encode", record.id[:8], name, "--to", f"{name}.npy") == 0
        vectors = np.load(tmp_path / f"{name}.npy")
        np.testing.assert_allclose(vectors, run.encode(sentences), rtol=1e-4, atol=1e-6)
        said = capsys.readouterr()
        assert said.out == f"{name}.npy: 7 vectors of {run.module.encoder.width} numbers\n"
        assert "2 of 26 words are unknown to the run and have no vector, the most frequent 'zyx'" in said.err
    pairs = list(zip(sentences[:3], sentences[2:5], strict=True))
    (tmp_path / "b.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in pairs))
    predictions = run.predict(pairs)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((tmp_path / "b.tsv").read_bytes())))
    for file in ("b.tsv", "-"):
        assert command("predict", record.id, file) == 0
        head, *lines = capsys.readouterr().out.splitlines()
        assert head.split("\t") == ["label", *predictions.classes]
        assert [line.split("\t")[0] for line in lines] == list(predictions.labels)
        printed = [[float(cell) for cell in line.split("\t")[1:]] for line in lines]
        np.testing.assert_allclose(printed, predictions.probabilities, atol=1e-4)
    check_refusals(record.id, command, tmp_path, capsys)


def check_refusals(run, command, folder, capsys):
    """Check that each malformed file is refused in one sentence, and that nothing is written."""
    (folder / "out").mkdir()
    for content, name, words, message in [
        (b"", "c.txt", "encode", "c.txt: the file holds no sentences"),
        (b"a dog\nb\0d\n", "c.txt", "encode", "c.txt:2: the line holds a zero byte"),
        (b"a dog\n\xff\n", "c.txt", "encode", "c.txt:2: byte 0 of the line is not utf-8"),
        (b"a " * 500_000, "c.txt", "encode", "c.txt:1: the sentence has over 10,000 words; split it"),
        (b"a dog\n", "c.csv", "encode", "c.csv: cannot tell its format; type --format with one of txt, tsv, jsonl"),
        (b"a dog\n", "c.txt", "predict", "c.txt: the run labels pairs, but txt holds single sentences"),
        (b"a\tb\tc\n", "c.tsv", "predict", "c.tsv:1: expected two sentences separated by a tab, got"),
        (b'{"sentence1": "a"}\n', "c.jsonl", "predict", "c.jsonl:1: field 'sentence2' is missing"),
        (b'"a\n', "c.jsonl", "encode", "c.jsonl:1: "),
        (b"[1]\n", "c.jsonl", "encode", "c.jsonl:1: expected an object with sentence, got '[1]'"),
    ]:
        (folder / name).write_bytes(content)
        assert command(*shlex.split(words), run, name, "--to", "out/x") in (1, 2)
        said = capsys.readouterr()
        assert message in said.err
        assert said.err.count("\n") == 1
        assert not list((folder / "out").iterdir())
    assert command("encode", run, "nothing.txt", "--to", "out/x") == 1
    assert "nothing.txt: cannot read the file" in capsys.readouterr().err


def test_single_sentences_are_labelled(finished, command, tmp_path, capsys):
    record, run = finished("experiment=disan/trec")
    sentences = [" ".join(run.vocabulary[2:6]), run.vocabulary[7]]
    (tmp_path / "a.txt").write_text("\n".join(sentences))
    assert command("predict", record.id, "a.txt", "--to", "labels.tsv") == 0
    assert capsys.readouterr().out == "labels.tsv: 2 predictions\n"
    lines = (tmp_path / "labels.tsv").read_text().splitlines()
    assert [line.partition("\t")[0] for line in lines] == ["label", *run.predict(sentences).labels]
