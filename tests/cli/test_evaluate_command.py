"""attest evaluate, as a user types it."""

import io

import pytest

pytestmark = pytest.mark.usefixtures("home_with_corpora", "working_folder")


def test_pairs_with_the_labels_of_another_data_set(finished, cli, tmp_path, monkeypatch):
    record = finished("model=s2t")
    (tmp_path / "a.tsv").write_text(
        "premise\thypothesis\tgold\nThe dog runs .\tThe dog sleeps .\tno\nThe dog runs .\tThe dog runs .\tentailment\n"
        "The boy jumps .\tThe dog sleeps .\t-\n"
    )
    options = ("--columns", "sentence1=premise,sentence2=hypothesis,label=gold", "--labels", "no=neutral,contradiction")
    done = cli.run("evaluate", record.id[:8], "a.tsv", *options, "--to", "out.tsv")
    assert (done.returncode, done.stderr) == (0, "")
    out = done.stdout
    assert out.startswith("a.tsv: 3 examples; 1 without a label do not count\n")
    assert "\n| no | 1 | " in out
    assert out.endswith("\nout.tsv: 2 predictions\n")
    head, *rows = [line.split("\t") for line in (tmp_path / "out.tsv").read_text().splitlines()]
    assert head == ["line", "gold", "label", "entailment", "neutral", "contradiction"]
    assert [row[:2] for row in rows] == [["2", "no"], ["3", "entailment"]]
    right = sum(row[2] != "entailment" if row[1] == "no" else row[2] == row[1] for row in rows)
    assert f"| accuracy (%) | {50 * right:.2f} | " in out
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((tmp_path / "a.tsv").read_bytes())))
    piped = cli.output("evaluate", record.id, "-", "--format", "tsv", *options)
    assert piped.partition("\n")[2] == out.partition("\n")[2].removesuffix("\nout.tsv: 2 predictions\n")
    names = {path.name for path in tmp_path.iterdir()}
    for words, number, message in [
        (("a.tsv", *options[:2]), 1, "a.tsv:2: label 'no' is not one of the run's labels, entailment, neutral, "),
        (("a.tsv",), 1, "a.tsv:1: the first line names no column sentence1, but "),
        (("a.tsv", *options, "--to", "out.npy"), 2, "--to out.npy: evaluate writes columns separated by tabs"),
        (("a.tsv", *options, "--to", "a.tsv"), 2, "--to a.tsv: this is the input file"),
        (("b.tsv", *options), 1, "b.tsv: cannot read the file"),
        (("out.tsv", "--labels", "x=y"), 2, "--labels x=y: y is not a label of the run"),
    ]:
        assert message in cli.error("evaluate", record.id, *words, code=number)
    (tmp_path / "a.tsv").write_text("")
    error = cli.error("evaluate", record.id, "a.tsv", code=1)
    assert error == "attest: a.tsv: the file holds no sentences\n"
    assert {path.name for path in tmp_path.iterdir()} == names


def test_metrics_for_each_value_of_a_column(finished, cli, tmp_path):
    record = finished("model=s2t")
    rows = [("The dog runs .", "The dog sleeps .", "neutral", "10"), ("A boy .", "A boy .", "entailment", "9"),
            ("The boy jumps .", "The dog sleeps .", "-", "8"), ("The boy jumps .", "A dog .", "neutral", "9"),
            ("The dog runs .", "The dog .", "entailment", "a|b")]  # fmt: skip
    (tmp_path / "a.csv").write_text(
        "sentence1,sentence2,gold_label,genre\n" + "".join(f"{','.join(r)}\n" for r in rows)
    )
    done = cli.run("evaluate", record.id, "a.csv", "--by", "genre", "--to", "out.tsv")
    assert (done.returncode, done.stderr) == (0, "")
    head, *lines = [line.split("\t") for line in (tmp_path / "out.tsv").read_text().splitlines()]
    assert (head[0], head[-1], [line[-1] for line in lines]) == ("line", "genre", ["10", "9", "9", "a|b"])
    right = {
        value: [line[1] == line[2] for line in lines if value in (line[-1], "")] for value in ("9", "10", "a|b", "")
    }
    tables = done.stdout.split("\n\n")
    names, _, *values = [line.strip("| ").split(" | ") for line in tables[2].splitlines()]
    assert names == ["genre", "examples", "accuracy (%)", "95% interval", "loss"]
    assert [row[:3] for row in values] == [
        [name, str(len(right[key])), f"{100 * sum(right[key]) / len(right[key]):.2f}"]
        for name, key in [("9", "9"), ("10", "10"), ("a\\|b", "a|b"), ("all", "")]
    ]
    assert f"| accuracy (%) | {values[-1][2]} | {values[-1][3]} |" in tables[1]
    assert f"| loss | {values[-1][4]} |" in tables[1]
    error = cli.error("evaluate", record.id, "a.csv", "--by", "gener", code=1)
    assert "a.csv:1: the first line names no column gener, but 'sentence1', " in error


def test_words_without_a_file_of_vectors_are_refused(finished, cli, tmp_path):
    """The figure would be another one with their vectors."""
    record = finished("model=s2t")
    (tmp_path / "a.tsv").write_text("sentence1\tsentence2\tgold_label\nquixotic\tdog\tneutral\n")
    error = cli.error("evaluate", record.id, "a.tsv", f"paths.data={tmp_path}", code=1)
    assert f"{record.id} has not met 'quixotic', whose vector it needs: " in error


def test_scores_are_compared(finished, cli, tmp_path):
    record = finished("experiment=disan/sick", "model=s2t")
    rows = [("The dog runs", "The dog sleeps", "3.5"), ("A boy", "A boy", "5"), ("A boy", "The dog", "1.2")]
    (tmp_path / "a.csv").write_text("sentence1,sentence2,score\n" + "".join(f"{','.join(row)}\n" for row in rows))
    done = cli.run("evaluate", record.id, "a.csv", "--to", "out.tsv")
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split(" ")[1] for line in done.stdout.splitlines() if line.startswith("|")] == [
        "metric", "---", "pearson", "spearman", "mse", "loss",
    ]  # fmt: skip
    head, *lines = (tmp_path / "out.tsv").read_text().splitlines()
    assert head == "line\tgold\tscore"
    assert [line.rpartition("\t")[0] for line in lines] == ["2\t3.5", "3\t5", "4\t1.2"]
    error = cli.error("evaluate", record.id, "a.csv", "--labels", "a=b")
    assert error == f"attest: --labels: {record.id} predicts scores, which have no labels; leave it out\n"
