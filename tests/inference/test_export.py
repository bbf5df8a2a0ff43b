"""attest export: a folder that attest.load, Sentence Transformers and mteb open without records, data or network."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from homes import store_of
from places import ROOT
from scipy.stats import spearmanr

import attest
from attest.config.compose import compose_unchecked
from attest.config.flat import flatten
from attest.config.overrides import override_value
from attest.errors import StorageError
from attest.inference import export


@pytest.fixture
def exported(home, finished, home_with_corpora, tmp_path, cli):
    """A run, its exported folder, and what the command said; its record and its weights are deleted."""

    def make(*overrides, words=()):
        record = finished(*overrides)
        run = attest.load(record.id)
        printed = cli.output("export", record.id[:8], str(tmp_path / "out"), *words)
        store_of(home).record_path(record.id).unlink()
        for path in (home / "runs" / record.id).iterdir():
            path.unlink()
        return run, tmp_path / "out", printed

    return make


def test_the_folder_gives_the_same_vectors_in_three_libraries(exported):
    run, folder, printed = exported("experiment=disan/trec")
    assert "with 66 words" in printed
    assert {path.name for path in folder.iterdir()} == {export.CARD, export.MODULES, export.CONFIG, "model.safetensors"}
    sentences = [
        " ".join(run.words_by_row[start : start + length]) for start, length in ((2, 6), (3, 9), (40, 1), (9, 4))
    ]
    ours = run.encode([*sentences, "", "quixotic"])
    again = attest.load(folder)
    assert again.record == run.record
    np.testing.assert_array_equal(again.encode([*sentences, "", "quixotic"]), ours)
    done = subprocess.run(
        [sys.executable, ROOT / "tests/inference/other_libraries.py", folder, json.dumps(sentences)],
        capture_output=True, text=True, check=False,
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder.parent / "hub")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout.splitlines()[-1])
    np.testing.assert_allclose(printed["vectors"], ours, rtol=0, atol=1e-6)
    unit = ours[:4] / np.linalg.norm(ours[:4], axis=1, keepdims=True)
    expected = spearmanr(unit[1:] @ unit[0], range(3)).statistic
    assert printed["spearman"] == pytest.approx(expected)
    np.testing.assert_allclose(attest.load(f"{folder}-saved").encode(sentences), ours[:4], rtol=0, atol=1e-6)


def test_the_card_holds_what_the_record_says(exported):
    run, folder, _ = exported("model=s2t", "label.table=disan/table1", "label.row=s2t")
    card = (folder / "README.md").read_text()
    assert card.startswith('---\nlibrary_name: "sentence-transformers"\n')
    for text in (
        f"- test/accuracy: {run.record.metrics['test/accuracy']:.6g}\n",
        f"# SourceToToken trained on built-in corpus in the form of snli ({run.record.id})\n",
        "- built-in corpus in the form of snli\n",
        "word vectors glove/glove.mini.24d.txt: no reference; licence: not stated",
        "whose figures say nothing about the paper",
        "- protocol.steps 10 instead of 1,200",
        "- command: `attest train experiment=disan/snli model=s2t scale=mini",
        "commit of the code: `" + "0" * 40,
        "`protocol.steps=10  (default 1200)`",
        f"run: `{run.record.id}`",
    ):
        assert text in card, text


def test_the_card_of_a_run_of_no_table_holds_a_command_with_its_settings(exported):
    run, folder, _ = exported("model=multi_head", "model.heads=3", "hidden_size=12")
    card = (folder / "README.md").read_text()
    typed = shlex.split(card.partition("- command: `attest train ")[2].partition("`\n")[0])
    assert flatten(compose_unchecked(typed)) == run.record.settings
    for key, value in run.record.settings.items():
        assert not key.startswith("model.") or f"- `{key}={override_value(value)}" in card


def test_words_of_a_file_get_their_vectors(exported, mini_data, tmp_path):
    vectors = (mini_data / "glove/glove.mini.24d.txt").read_text().splitlines()
    (tmp_path / "own.txt").write_text(" ".join(line.partition(" ")[0] for line in vectors[-3:]) + " quixotic\n")
    run, folder, _ = exported("model=s2t", words=["--words", str(tmp_path / "own.txt")])
    again = replace(attest.load(folder), new_words="unknown")
    words = [line.partition(" ")[0] for line in vectors[-3:]]
    assert {*words} <= {*again.words_by_row}
    assert "quixotic" not in again.words_by_row
    np.testing.assert_array_equal(again.encode(words), run.encode(words))


def test_a_matcher_is_exported_for_pairs(exported):
    run, folder, _ = exported("experiment=dam/snli")
    assert not (folder / export.MODULES).exists()
    pair = (run.words_by_row[3], " ".join(run.words_by_row[4:7]))
    assert attest.load(folder).predict([pair]).labels == run.predict([pair]).labels


def test_an_export_is_whole_or_not_there(exported, tmp_path, monkeypatch, cli):
    run, folder, _ = exported("model=s2t")
    with pytest.raises(StorageError, match="out: exists already and is not empty; delete it, or name another folder"):
        export.write_export(run, "", folder)
    cut = tmp_path / "cut"

    def fail(path, _):
        path.write_bytes(b"half of it")
        raise KeyboardInterrupt

    monkeypatch.setattr(export, "write_model", fail)
    with pytest.raises(KeyboardInterrupt):
        export.write_export(run, "", cut)
    assert not [path for path in tmp_path.iterdir() if "cut" in path.name]
    monkeypatch.setattr(export, "write_model", lambda *_: (cut.mkdir(), (cut / "of another process").touch()))
    with pytest.raises(StorageError, match="cut: exists already"):
        export.write_export(run, "", cut)
    assert [path.name for path in cut.iterdir()] == ["of another process"]
    monkeypatch.chdir(cut)
    assert "exists already" in cli.error("export", str(folder), ".", code=1)
    monkeypatch.chdir(tmp_path)
    shutil.rmtree(cut)
    assert "exists already" in cli.error("export", str(folder), str(folder), code=1)
    error = cli.error("export", str(tmp_path), str(cut), code=1)
    assert "model.safetensors: there is no such file; name the folder of a finished run, or its id" in error
