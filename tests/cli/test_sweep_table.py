"""A grid ends in a table of its combinations. No run is trained here: each leaves a record made by hand."""

import pytest

from attest.cli import main
from attest.config.flat import flatten
from attest.errors import TrainingError
from attest.runs.identity import code_versions, run_id
from attest.runs.records import Cost, Record
from attest.runs.store import Store
from attest.training import run as training


def made_record(settings, test, **changes):
    """A finished run with these settings, whose figure on dev is one below that on test."""
    return Record(
        id=run_id(settings, "f"), status="done", settings=flatten(settings), versions=code_versions(settings),
        data={"fingerprint": "f"}, seed=settings.seed, label=settings.label,
        metrics={"test/accuracy": test, "dev/accuracy": test - 1, "parameters": 3603.0},
        cost=Cost(step_seconds=1.0, epoch_seconds=1.0, full_epoch_seconds=1.0, wall_seconds=2.5, peak_bytes=1),
        selected={"step": 4, "rule": ""}, finished="2026-01-31T12:00:00Z", **changes,
    )  # fmt: skip


@pytest.fixture
def sweep(home, mini_data, monkeypatch, capsys):
    """Run a grid whose runs have the figure that `figure` returns from their settings, or fail with its error."""
    (home / "cache/mini").symlink_to(mini_data)

    def command(figure, *arguments):
        def run(settings, observe):
            record = made_record(settings, figure(settings))
            store = home / "results/mini/records"
            Store(store).put(record)
            return record

        monkeypatch.setattr(training, "run", run)
        code = main(["train", "-m", *arguments])
        return code, capsys.readouterr()

    return command


def figure_of(settings):
    """The figure of a run: 70 for each word ahead, a point more for each seed."""
    if settings.model["directions"][0] == "none" and settings.seed == 2:
        raise TrainingError("the loss <is> no number")
    return {"forward": 70.0, "backward": 72.0, "none": 65.0}[settings.model["directions"][0]] + settings.seed


def files_of(home):
    (folder,) = (home / "results/mini/sweeps").iterdir()
    return {path.name: path for path in folder.iterdir()}


def test_a_grid_ends_in_a_table_of_its_combinations(sweep, home):
    code, printed = sweep(figure_of, "mask=forward,backward,none", "seed=1,2")
    assert code == 1
    assert "1 of 6 runs failed:\n  mask=none seed=2  the loss <is> no number" in printed.err
    assert "DiSAN mask=backward seed=2: accuracy dev 73  test 74  run" in printed.err
    files = files_of(home)
    page, lines = files["table.md"].read_text(), files["table.csv"].read_text().splitlines()
    assert printed.out.startswith("\nSweep over mask at scale mini\n\n| mask | n | Dev accuracy (%) | Test")
    assert lines[1] == 'forward,2,70.50 ± 0.71,71.50 ± 0.71,72.00,"3,603",2.5,–,0'
    assert lines[2] == 'backward,2,72.50 ± 0.71,73.50 ± 0.71,74.00,"3,603",2.5,"+2.00, 2 pairs",0'
    assert lines[3] == 'none,1,65.00,66.00,66.00,"3,603",2.5,"-5.00, 1 pair",1'
    assert "`attest train -m mask=forward,backward,none seed=1,2`" in page
    assert "## Failed runs\n\n- mask=none seed=2: the loss \\<is\\> no number\n" in page
    assert "Best on dev: mask=backward seed=2, run " in page
    assert files["table.tex"].read_text().count(r"\\") == 4
    assert set(files) == {"table.md", "table.csv", "table.tex", "chart.svg", "chart.png"}


def test_a_grid_of_values_of_a_group_keeps_the_choice_of_the_group(sweep, home):
    """Both have the same key, of which Hydra alone lets the last override count."""

    def width(settings):
        return float(settings.model["hidden_size"])

    code, printed = sweep(width, "model=bilstm", "model={hidden_size: 8},{hidden_size: 12}", "seed=1,2")
    assert code == 0, printed.err
    records = list(Store(home / "results/mini/records"))
    assert {record.settings["model._target_"] for record in records} == {"attest.models.BiLSTM"}
    assert sorted(record.metrics["test/accuracy"] for record in records) == [8.0, 8.0, 12.0, 12.0]


def test_the_same_grid_writes_the_same_files_again(sweep, home):
    arguments = ("protocol.steps=100,200",)
    sweep(lambda settings: 70.0 + settings.protocol.steps / 100, *arguments)
    before = {name: path.read_bytes() for name, path in files_of(home).items()}
    assert ">200.0<" not in before["chart.svg"].decode()
    assert "protocol.steps" in before["chart.svg"].decode()
    sweep(lambda settings: 70.0 + settings.protocol.steps / 100, *arguments)
    assert {name: path.read_bytes() for name, path in files_of(home).items()} == before


def test_folds_are_replicates_and_seeds_an_axis_if_both_are_swept(sweep, home):

    sweep(lambda settings: 70.0 + settings.protocol.fold, "experiment=disan/cr", "protocol.fold=0,1", "seed=1,2")
    lines = files_of(home)["table.csv"].read_text().splitlines()
    assert [line.split(",")[:2] for line in lines] == [["seed", "n"], ["1", "2"], ["2", "2"]]


def test_without_matplotlib_there_is_no_chart(sweep, home, monkeypatch):
    monkeypatch.setattr("attest.reproduction.figures.matplotlib_check.find_spec", lambda name: None)
    _, printed = sweep(lambda settings: 70.0, "seed=1,2")
    assert set(files_of(home)) == {"table.md", "table.csv", "table.tex"}
    assert "no chart, since matplotlib is not installed" in printed.err


@pytest.mark.parametrize("arguments", [("seed=1",), ("seed=1,2",)])
def test_neither_one_run_nor_failures_alone_make_a_table(arguments, sweep, home):
    def figure(settings):
        if len(arguments[0]) > len("seed=1"):
            raise TrainingError(f"seed {settings.seed} failed")
        return 70.0

    _, printed = sweep(figure, *arguments)
    assert printed.out == ""
    assert not (home / "results/mini/sweeps").exists()


def test_mistakes_in_settings_are_reported_before_the_first_run_begins(sweep, home):
    code, printed = sweep(figure_of, "model=disan,s2t", "mask=forward", "optimizer.lr=1,x")
    assert code == 2
    assert "3 of 4 runs cannot start, so none was started:\n" in printed.err
    assert "\n  model=disan optimizer.lr=x  optimizer.lr: expected a number, got 'x'\n" in printed.err
    assert "\n  model=s2t optimizer.lr=1    model.directions: unknown setting of SourceToToken." in printed.err
    assert list(Store(home / "results/mini/records")) == []


def test_a_mistake_that_all_runs_share_is_reported_alone(sweep):
    code, printed = sweep(figure_of, "optimizer.lr=x", "seed=1,2")
    assert (code, printed.err) == (2, "attest: optimizer.lr: expected a number, got 'x'\n")
