"""attest encode and predict, as a user types them."""

import io
import json
import shlex

import numpy as np
import pytest

from attest.errors import SettingsError
from attest.inference import streams

pytestmark = pytest.mark.usefixtures("home_with_corpora", "working_folder")


def test_sentences_and_pairs_in_windows(opened, cli, tmp_path, monkeypatch):
    monkeypatch.setattr(streams, "WINDOW", 2)
    run = opened("model=s2t")
    first, *others = run.words_by_row[2:20]
    sentences = [" ".join([first, *others[:length]]) for length in (9, 1, 5, 3, 0)] + ["", f"zyx {first} zyx"]
    (tmp_path / "a.txt").write_text("".join(f"{sentence}\n" for sentence in sentences))
    (tmp_path / "a.jsonl").write_text(
        "".join(json.dumps(x) + "\n" for x in [*sentences[:6], {"sentence": sentences[6]}])
    )
    for name in ("a.txt", "a.jsonl"):
        done = cli.run("encode", run.record.id[:8], name, "--to", f"{name}.npy")
        assert done.returncode == 0, done.stderr
        vectors = np.load(tmp_path / f"{name}.npy")
        np.testing.assert_allclose(vectors, run.encode(sentences), rtol=1e-4, atol=1e-6)
        assert done.stdout == f"{name}.npy: 7 vectors of {run.task.encoder.width} numbers\n"
        assert "1 of 7 sentences have no words, so their vectors are zeros\n" in done.stderr
        assert "2 of 26 words unknown to the run, without a vector; the most frequent: 'zyx'" in done.stderr
    pairs = list(zip(sentences[:3], sentences[2:5], strict=True))
    (tmp_path / "b.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in pairs))
    predictions = run.predict(pairs)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((tmp_path / "b.tsv").read_bytes())))
    for file in ("b.tsv", "-"):
        head, *lines = cli.output("predict", run.record.id, file).splitlines()
        assert head.split("\t") == ["label", *predictions.classes]
        assert [line.split("\t")[0] for line in lines] == list(predictions.labels)
        printed = [[float(cell) for cell in line.split("\t")[1:]] for line in lines]
        np.testing.assert_allclose(printed, predictions.probabilities, atol=1e-4)
    check_refusals(run.record.id, cli, tmp_path)


def check_refusals(run, cli, folder):
    """Check that each malformed file is refused in one sentence, and that nothing is written."""
    (folder / "out").mkdir()
    for content, name, words, message in [
        (b"", "c.txt", "encode", "c.txt: the file holds no sentences"),
        (b"a dog\nb\0d\n", "c.txt", "encode", "c.txt:2: the line holds a zero byte"),
        (b"a dog\n\xff\n", "c.txt", "encode", "c.txt:2: byte 1 of the line is not utf-8; save the file"),
        (b"a " * 500_000, "c.txt", "encode", "c.txt:1: the sentence has over 10,000 words; split it"),
        (
            b"a dog\n",
            "c.csv",
            "encode",
            "c.csv: cannot tell its format; give it a name that ends in .txt, .tsv, .jsonl",
        ),
        (b"a dog\n", "c.txt", "predict", "c.txt: the run labels pairs, but txt holds single sentences"),
        (b"a\tb\tc\n", "c.tsv", "predict", "c.tsv:1: expected two sentences separated by a tab, got"),
        (b'{"sentence1": "a"}\n', "c.jsonl", "predict", "c.jsonl:1: field 'sentence2' is missing"),
        (b'"a\n', "c.jsonl", "encode", "c.jsonl:1: "),
        (b"[1]\n", "c.jsonl", "encode", "c.jsonl:1: expected an object with sentence, got '[1]'"),
    ]:
        (folder / name).write_bytes(content)
        code = 2 if "cannot tell" in message or "pairs" in message else 1
        assert message in cli.error(*shlex.split(words), run, name, "--to", "out/x", code=code)
        assert not list((folder / "out").iterdir())
    (folder / "c.txt").write_bytes(b"a" * 1_000_000)
    done = cli.run("encode", run, "c.txt", "--to", "x")
    assert (done.returncode, len(done.stderr) < 300) == (0, True), done.stderr
    assert "nothing.txt: cannot read the file" in cli.error("encode", run, "nothing.txt", "--to", "out/x", code=1)


def test_single_sentences_are_labelled(opened, cli, tmp_path):
    run = opened("experiment=disan/trec")
    sentences = [" ".join(run.words_by_row[2:6]), run.words_by_row[7]]
    (tmp_path / "a.txt").write_text("\n".join(sentences))
    assert cli.output("predict", run.record.id, "a.txt", "--to", "labels.tsv") == "labels.tsv: 2 predictions\n"
    lines = (tmp_path / "labels.tsv").read_text().splitlines()
    assert [line.partition("\t")[0] for line in lines] == ["label", *run.predict(sentences).labels]
    names = {path.name for path in tmp_path.iterdir()}
    error = cli.error("predict", run.record.id, "a.txt", "--to", "n" * 239, code=1)
    assert f"attest: cannot write {'n' * 239}: the name is too long" in error
    error = cli.error("predict", run.record.id, "n" * 300, "--format", "txt", code=1)
    assert f"attest: {'n' * 300}: cannot read the file" in error
    assert {path.name for path in tmp_path.iterdir()} == names


def test_the_input_is_not_replaced(cli, tmp_path, monkeypatch):
    """It is refused before the run is looked up, which does not exist here."""
    for name in ("a.txt", "a.csv"):
        (tmp_path / name).write_text("a dog\n")
    (tmp_path / "link").symlink_to("a.txt")
    for words in (
        ("encode", "0", "link", "--format", "txt", "--to", "link"),
        ("predict", "0", "a.txt", "--to", str(tmp_path / "a.txt")),
        ("predict", "0", "link", "--format", "txt", "--to", "a.txt"),
        ("predict", "0", "-", "--to", "a.txt"),
        ("submit", "0", "./a.csv", "--to", "a.csv"),
    ):
        with (tmp_path / "a.txt").open() as standard_input:
            monkeypatch.setattr("sys.stdin", standard_input)
            error = cli.error(*words)
        assert error == f"attest: --to {words[-1]}: this is the input file, which would be lost; name another file\n"
    assert (tmp_path / "a.txt").read_text() == "a dog\n"


def test_a_killed_command_continues_where_it_was(opened, cli, tmp_path, monkeypatch):
    monkeypatch.setattr(streams, "WINDOW", 3)
    monkeypatch.setattr(streams, "MOST_AT_ONCE", 1)  # so that windows begin in order
    run = opened("model=s2t")
    sentences = [" ".join(run.words_by_row[2 + i : 9 + i]) for i in range(10)]
    (tmp_path / "a.txt").write_text("".join(f"{sentence}\n" for sentence in sentences))
    (tmp_path / "a.tsv").write_text("".join(f"{sentence}\t{sentences[0]}\n" for sentence in sentences))
    encode = ("encode", run.record.id, "a.txt", "--to", "v")
    predict = ("predict", run.record.id, "a.tsv", "--to", "p")
    for words in (encode, predict):
        cli.output(*words)
    whole = {name: (tmp_path / name).read_bytes() for name in "vp"}
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"a.txt", "a.tsv", "v", "p"}

    class Killed(BaseException):
        """Something that nothing catches."""

    real, computed = type(run).split, []

    def split(self, examples):
        if len(computed) == 2:
            raise Killed
        computed.append(len(examples))
        return real(self, examples)

    for words, name in ((encode, "v"), (predict, "p")):
        (tmp_path / name).unlink()
        with monkeypatch.context() as patch:
            patch.setattr(type(run), "split", split)
            with pytest.raises(Killed):
                cli.run(*words)
        assert computed == [3, 3]
        assert not (tmp_path / name).exists()
        (unfinished,) = tmp_path.glob(f".{name}.unfinished-????????????")
        unfinished.write_bytes(unfinished.read_bytes() + b"a part of the next window")
        computed.clear()
        with monkeypatch.context() as patch:
            patch.setattr(type(run), "split", lambda self, rows: computed.append(len(rows)) or real(self, rows))
            done = cli.run(*words)
        assert done.returncode == 0, done.stderr
        assert computed == [3, 1]
        computed.clear()
        assert "continued after 6 of 10 examples" in done.stderr
        assert (tmp_path / name).read_bytes() == whole[name]
    assert {path.name for path in tmp_path.iterdir()} == names
    cli.output(*encode, "--precision", "bf16")
    vectors, fp32 = np.load(tmp_path / "v"), run.encode(sentences)
    assert not np.array_equal(vectors, fp32)
    cosines = (vectors * fp32).sum(1) / np.linalg.norm(vectors, axis=1) / np.linalg.norm(fp32, axis=1)
    assert cosines.min() > 0.9999
    with pytest.raises(SettingsError, match="precision: expected fp32 or bf16, got 'fp16'"):
        run.encode(sentences, precision="fp16")
