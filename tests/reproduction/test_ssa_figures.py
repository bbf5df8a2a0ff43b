"""SSA's figures from runs at scale mini: test accuracy by epoch, and words shaded with and without the penalty."""

import json
from types import SimpleNamespace

import pytest

from attest.cli import main
from attest.config.paths import tracked_results
from attest.reproduction import collate
from attest.reproduction.figures.accuracy_curves import AccuracyCurves, curves_by_epoch
from attest.reproduction.figures.content import figure_content
from attest.reproduction.load import figures_in, records_in
from attest.reproduction.pages.figures import figure_pages
from attest.reproduction.specs.figure import load_figure
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.build import build
from attest.training import run as training


@pytest.fixture
def trained(settings_with, home, mini_data):
    """Short runs of a row, made where commands look for them."""
    (home / "cache/mini").symlink_to(mini_data)
    budget = ("protocol.steps=6", "protocol.evaluate_every=2", f"paths.data={home}/cache/mini")

    def make(table, row, column, *overrides):
        written = load_table(table)
        own = [*written.base, *written.columns[column].set, *written.rows[row].set]
        return training.run(settings_with(*own, *budget, *overrides))

    return make


def behind_figure(name, home):
    picture, records = load_figure(name), records_in([home / "results/mini"])
    return figure_content(picture, build(load_table(picture.table), "mini", records), [], [])


def test_accuracy_by_epoch_is_drawn_from_curves(trained, home, capsys):
    runs = [trained("ssa/hops", "hops_1", "snli", f"seed={seed}") for seed in (1, 2)]
    runs.append(trained("ssa/hops", "hops_5", "snli"))
    trained("ssa/hops", "hops_5", "age")  # of the other column
    content = behind_figure("ssa/figure5b", home)
    assert isinstance(content, AccuracyCurves)
    assert [[run.id for run in curve.runs] for curve in content.curves] == [[r.id for r in runs[:2]], [runs[2].id]]
    first = content.curves[0]
    assert first.accuracy_RC.tolist() == [[look["test/accuracy"] for look in run.curve] for run in runs[:2]]
    assert first.counts_or_epochs_C.tolist() == [look["epoch"] for look in runs[0].curve]
    assert len(first.counts_or_epochs_C) == 3
    assert main(["figures", "ssa/figure5a", "ssa/figure5b", "scale=mini"]) == 0
    folder = home / "results/mini/ssa"
    assert {path.name for path in folder.iterdir()} == {
        "figure5a.png", "figure5a.svg", "figure5b.png", "figure5b.svg", "figures.md",
    }  # fmt: skip
    svg = (folder / "figure5b.svg").read_text()
    assert ">r = 1 (2 runs)<" in svg
    assert ">r = 5 (1 run)<" in svg
    assert "r = 10" not in svg
    drawn = (folder / "figure5b.svg").read_bytes()
    capsys.readouterr()
    assert main(["figures", "ssa/figure5b", "scale=mini"]) == 0
    assert (folder / "figure5b.svg").read_bytes() == drawn
    text = (folder / "figures.md").read_text()
    assert "| r = 1 | " in text, "the picture's last values are in a table"
    assert f"- r = 1: 2 runs on snli, data `{runs[0].fingerprint}`: `{runs[0].id}`, `{runs[1].id}`.\n" in text


def test_runs_are_compared_at_the_epochs_that_all_of_them_have():
    """Steps decide: an earlier version rounded epochs in another way."""

    def run_with(*evaluations):
        keys = ("step", "test/accuracy", "epoch")
        return SimpleNamespace(curve=[dict(zip(keys, evaluation, strict=True)) for evaluation in evaluations])

    long = run_with((5, 0.1, 1.0), (10, 0.2, 2.0), (15, 0.3, 3.0))
    short = run_with((10, 0.5, 1.999), (15, 0.6, 2.999))
    runs, (first_C, second_C), epoch_C = curves_by_epoch([long, short])
    assert runs == [long, short]
    assert (first_C.tolist(), second_C.tolist()) == ([0.2, 0.3], [0.5, 0.6])
    assert epoch_C.tolist() == [2.0, 3.0]
    runs, accuracy_RC, epoch_C = curves_by_epoch([])
    assert (runs, accuracy_RC.tolist(), epoch_C.tolist()) == ([], [], [])


def test_runs_that_never_saw_the_test_set_are_left_out(trained, home):
    run = trained("ssa/hops", "hops_1", "snli")
    path = home / f"results/mini/records/{run.id}.json"
    record = json.loads(path.read_text())
    record["curve"] = [{key: value for key, value in look.items() if "test/" not in key} for look in record["curve"]]
    path.write_text(json.dumps(record))
    assert behind_figure("ssa/figure5b", home) is None


def test_without_data_the_figure_says_so(home):
    tables = [build(load_table("ssa/hops"), "paper", [])]
    text = figure_pages(figures_in([home / "results"], tables))["ssa/figures.md"]
    age, _, snli = text.partition("Figure 5 (b)")
    assert "Cannot be drawn: the data are unavailable. PAN gave out links, and the tweets behind them are no" in age
    assert "attest reproduce" not in age
    assert "Not drawn yet: no run of ssa/hops has left a curve with the accuracy on the test set." in snli


def test_words_are_shaded_with_and_without_the_penalty(trained, home, capsys):
    folder, names = home / "results/mini/ssa", ("without", "with")
    for name in names:
        run = trained("ssa/recipe", f"{name}_penalty", "test", "protocol.steps=2")
        assert main(["attend", run.id, "--figure", "ssa/figure3"]) == 0
        assert main(["figures", "ssa/figure3", "scale=mini"]) == 0
        assert f"wrote {folder}/figure3.html" in capsys.readouterr().out
        page, text = ((folder / file).read_text() for file in ("figure3.html", "figures.md"))
        title = load_table("ssa/recipe").rows[f"{name}_penalty"].title
        assert f"Run {run.id} ({title}, seed 1) " in page
        assert (name == "without") == ("Not shown, without a record of attention" in text)
    assert " on yelp at scale mini, " in page
    assert page.count("All 30 hops") == 2
    assert page.count("<li>") == 60
    assert "this sentence is ours" in page
    assert "All hops, as shades of the words: [figure3.html](figure3.html), to be downloaded and opened" in text
    assert text.startswith("# Figures of SSA")
    assert text.index("## SSA, Figures 2 and 4") < text.index("## SSA, Figure 3") < text.index("## SSA, Figure 5 (a)")


def test_collating_writes_and_checks_the_pages(trained, home, monkeypatch, capsys):
    """At scale mini, for no other runs are made in a test."""
    run = trained("ssa/recipe", "with_penalty", "test", "protocol.steps=2")
    (record,) = records_in([home / "results/mini"])
    assert record.id == run.id
    main(["attend", run.id, "--figure", "ssa/figure3"])
    for path in (home / "results/mini/records").iterdir():
        (tracked_results() / "records").mkdir(parents=True, exist_ok=True)
        (tracked_results() / "records" / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr("attest.reproduction.load.build", lambda spec, _, *rest: build(spec, "mini", *rest))
    monkeypatch.setattr("attest.reproduction.collate.table_names", lambda own=True: ["ssa/recipe"])
    collate.write_results(tracked_results())
    page = tracked_results() / "ssa/figure3.html"
    assert collate.outdated_files(tracked_results()) == []
    page.write_text(page.read_text().replace("soup", "stew").replace("bus", "tram"))
    assert collate.outdated_files(tracked_results()) == [page]
