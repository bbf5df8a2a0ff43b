"""attest import, and attest export --as authors, as a user types them."""

import re
import shlex
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from homes import store_of
from inference.fixtures import QUICK
from safetensors.numpy import load_file, save_file

import attest
from attest.errors import RecordError
from attest.inference.attention_record import attention_record
from attest.inference.authors.names import authors_tensors
from attest.inference.imported import empty_corpus, import_run
from attest.training.assemble import assemble_task

pytestmark = pytest.mark.usefixtures("home_with_corpora", "working_folder")


def settings_of(*overrides):
    return [*overrides, *QUICK, "scale=mini"]


@pytest.mark.parametrize(
    ("form", "overrides"), [("npz", ["experiment=disan/trec"]), ("safetensors", ["experiment=dam/snli"])]
)
def test_a_run_leaves_and_comes_back(form, overrides, finished, cli, home):
    record = finished(*overrides)
    ours = attest.load(record.id)
    export = ("export", record.id, f"weights.{form}", "--as", "authors")
    printed = cli.output(*export)
    assert f"weights.{form}: weights of {record.id}; the words of its rows are in weights.words.txt" in printed
    content = Path(f"weights.{form}").read_bytes()
    assert f"weights.{form}: exists already; delete it, or name another file" in cli.error(*export, code=1)
    Path(f"weights.{form}").unlink()
    assert "weights.words.txt: exists already" in cli.error(*export, code=1)
    assert not Path(f"weights.{form}").exists()
    Path(f"weights.{form}").write_bytes(content)
    printed = cli.output("import", f"weights.{form}", "--words", "weights.words.txt", *settings_of(*overrides))
    identity = re.match(r"run (\w+): weights.\w+, by the names of https://github.com/", printed)[1]
    weights = Path(ours.settings.paths.runs) / identity
    weights.rename(weights.with_name("elsewhere"))
    with pytest.raises(RecordError, match="its model is missing .*; to restore it, repeat `attest import` with"):
        attest.load(identity)
    weights.with_name("elsewhere").rename(weights)
    again = attest.load(identity)
    assert (again.record.kind, again.record.metrics, again.sides) == ("import", {}, ours.sides)
    sentence = " ".join(ours.words_by_row[2:9])
    example = sentence if ours.sides == 1 else (sentence, ours.words_by_row[3])
    np.testing.assert_array_equal(again.predict([example]).probabilities, ours.predict([example]).probabilities)
    assert identity in cli.output("runs", "limit=5")
    shown = cli.output("show", identity)
    assert "weights     weights." in shown
    typed = shlex.split(shown.partition("attest import ")[2].partition("\n")[0])
    assert typed[:3] == [f"weights.{form}", "--words", "weights.words.txt"]
    with Path("weights.words.txt").open("a") as file:
        file.write("\n")  # an empty last line names no row
    assert "by the names of" in cli.output("import", *typed)
    cli.output("export", identity, "out")
    card = Path("out/README.md").read_text()
    assert f"from weights.{form} ({identity})" in card
    assert "none: these weights were not evaluated" in card
    assert "not known: other code trained these weights" in card
    if ours.sides == 1:
        np.testing.assert_array_equal(again.encode([sentence]), ours.encode([sentence]))
        assert attention_record(again, [sentence])[0].parents == (identity,)
        assert "CR/test" in cli.output("transfer", identity, "tasks=CR", "folds=2", "jobs=1")
        assert store_of(home).get(identity) == again.record


def test_the_bytes_of_the_files_give_the_id(settings_with, tmp_path):
    settings = settings_with("experiment=disan/trec")
    table = ["", "", "what", "is", "it"]
    tensors = authors_tensors(assemble_task(settings, empty_corpus(table, settings.vectors.size)), table)
    weights = {name: tensor.numpy() for name, tensor in tensors.items()}
    others = {name: tensor + 1 for name, tensor in weights.items()}
    files = {"first": weights, "copy": weights, "other": others}
    for name, arrays in files.items():
        save_file(arrays, tmp_path / f"{name}.safetensors")
    for name, lines in {"words": "what is it", "copied": "what is it", "renamed": "what was it"}.items():
        (tmp_path / f"{name}.txt").write_text(lines.replace(" ", "\n") + "\n")

    def identity(weights, words=None):
        words = None if words is None else tmp_path / f"{words}.txt"
        return import_run(tmp_path / f"{weights}.safetensors", words, settings).id

    ids = {key: identity(*key) for key in product(files, ("words", "copied", "renamed", None))}
    assert ids["first", "words"] == ids["copy", "copied"]
    assert len({ids[key] for key in product(("first", "other"), ("words", "renamed", None))}) == 6


def test_without_words_vectors_come_from_their_file(finished, cli):
    record = finished("experiment=disan/trec", "vectors.trained=none")
    ours = attest.load(record.id)
    cli.output("export", record.id, "weights.npz", "--as", "authors")
    weights = dict(np.load("weights.npz"))
    rows = len(weights["gene_token_emb_mat/emb_mat"])
    settings = settings_of("experiment=disan/trec", "vectors.trained=none")
    done = cli.run("import", "weights.npz", *settings)
    assert done.returncode == 0, done.stderr
    assert f"weights.npz: {rows:,} word vectors of the file are left out, since nothing" in done.stderr
    del weights["gene_token_emb_mat/emb_mat"]
    np.savez("bare.npz", **{f"any/scope/{name}": value for name, value in weights.items()})
    identity = cli.output("import", "bare.npz", *settings).split()[1].rstrip(":")
    assert cli.output("import", "bare.npz", *settings).split()[1].rstrip(":") == identity
    known = [word for word in ours.words_by_row[2:] if ours.settings.vectors.unknown != "uniform" or word.isalpha()]
    again = attest.load(identity)
    found = [word for word in known if again.tokens([word])[0][0] > 1]
    assert len(found) > 20
    np.testing.assert_allclose(again.encode(found), ours.encode(found), rtol=0, atol=1e-6)
    error = cli.error("import", "bare.npz", "--words", "words.txt", *settings, code=1)
    assert "holds no table of word vectors, so words.txt names no rows; leave out --words" in error
    headless = {name: value for name, value in weights.items() if not name.startswith("output/")}
    np.savez("headless.npz", **headless)
    printed = cli.output("import", "headless.npz", *settings)
    assert "headless.npz, without a classifier, by the names of" in printed
    identity = printed.split()[1].rstrip(":")
    Path("a.txt").write_text("what is it\n")
    assert "a.npy: 1 vector of" in cli.output("encode", identity, "a.txt", "--to", "a.npy")
    error = cli.error("predict", identity, "a.txt")
    assert f"{identity}: predicts nothing, since the imported file holds no weights of a classifier" in error
    check_refusals(cli, settings, weights)


def check_refusals(cli, settings, weights):
    """Check that each file that cannot be imported is refused in one sentence, and that no run is recorded."""
    before = cli.output("runs", "limit=50")
    whole = {**weights, "gene_token_emb_mat/emb_mat": np.ones((3, 24), np.float32)}
    save_file(whole, "whole.safetensors")
    assert load_file("whole.safetensors").keys() == whole.keys()
    Path("cut.safetensors").write_bytes(Path("whole.safetensors").read_bytes()[:-10])
    Path("cut.npz").write_bytes(Path("bare.npz").read_bytes()[:-100])
    Path("model.pt").write_bytes(b"\x80\x04.")
    np.savez("pickled.npz", a=np.array([{"a": 1}], dtype=object))
    for names, words in (
        ("few", "a\nb\n"),
        ("twice", "a\nb\na\n"),
        ("not utf-8", b"a\n\xff\nb\n"),
        ("nul", "a\nb\0\nc\n"),
    ):
        Path(f"{names}.txt").write_bytes(words.encode() if isinstance(words, str) else words)
    for file, names, message in [
        ("none.npz", "", "none.npz: there is no such file"),
        ("none.safetensors", "", "none.safetensors: there is no such file"),
        ("cut.safetensors", "", "; download or convert it again\n"),
        ("cut.npz", "", "cut.npz: not readable"),
        ("pickled.npz", "", "pickled.npz: not readable"),
        (
            "model.pt",
            "",
            "model.pt: expected a file .safetensors or .npz, which hold numbers alone; convert a checkpoint",
        ),
        ("whole.safetensors", "few", "few.txt: 2 words for a table of (3, 24)"),
        ("whole.safetensors", "twice", "twice.txt: 'a' stands on several lines; each word has one row"),
        ("whole.safetensors", "not utf-8", "not utf-8.txt:2: byte 1 of the line is not utf-8"),
        ("whole.safetensors", "nul", "nul.txt:2: the line holds a zero byte"),
        ("whole.safetensors", "missing", "missing.txt: cannot read the file"),
    ]:
        words = ["--words", f"{names}.txt"] if names else []
        code = 2 if file == "model.pt" else 1
        assert message in cli.error("import", file, *words, *settings, code=code)
    refused = cli.error("import", "bare.npz", *settings, "hidden_size=7", code=1)
    assert refused.endswith("type the sizes of the file, such as hidden_size=24\n"), refused
    assert cli.output("runs", "limit=50") == before
    error = cli.error("export", before.split()[-1], "w.pt", "--as", "authors")
    assert error == "attest: w.pt: --as authors writes a file; name one that ends in .safetensors or .npz\n"
