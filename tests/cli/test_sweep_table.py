"""A grid ends in a table of its combinations. No run is trained here: each leaves a record made by hand."""

import pytest
from homes import records_of, store_of
from reproduction.made_up import COST, finished_run
from write_file import write_file

from attest.errors import TrainingError
from attest.training import run as training


@pytest.fixture
def sweep(home, home_with_corpora, monkeypatch, cli):
    """Run a grid whose runs have the figure that `figure` returns from their settings, or fail with its error."""

    def command(figure, *arguments, flags=("-m",)):
        def run(settings, observe):
            test = figure(settings)
            metrics = {"test/accuracy": test, "dev/accuracy": test - 1, "parameters": 3603.0}
            record = finished_run(settings, label=settings.label, metrics=metrics, cost=COST, selected={"step": 4})
            store_of(home).put(record)
            return record

        monkeypatch.setattr(training, "run", run)
        return cli.run("train", *flags, *arguments)

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
    done = sweep(figure_of, "mask=forward,backward,none", "seed=1,2")
    assert done.returncode == 1
    assert "1 of 6 runs failed:\n  mask=none seed=2  the loss <is> no number" in done.stderr
    assert "DiSAN mask=backward seed=2: accuracy dev 73  test 74  run" in done.stderr
    files = files_of(home)
    page, lines = files["table.md"].read_text(), files["table.csv"].read_text().splitlines()
    assert done.stdout.startswith("\nSweep over mask at scale mini\n\n| mask | n | Dev accuracy (%) | Test")
    assert lines[1] == 'forward,2,70.50 ± 0.71,71.50 ± 0.71,72.00,"3,603",4.0,–,0'
    assert lines[2] == 'backward,2,72.50 ± 0.71,73.50 ± 0.71,74.00,"3,603",4.0,"+2.00, 2 pairs",0'
    assert lines[3] == 'none,1,65.00,66.00,66.00,"3,603",4.0,"-5.00, 1 pair",1'
    assert "`attest train -m mask=forward,backward,none seed=1,2`" in page
    assert "## Failed runs\n\n- mask=none seed=2: the loss \\<is\\> no number\n" in page
    assert "Best on dev: mask=backward seed=2, run " in page
    assert files["table.tex"].read_text().count(r"\\") == 4
    assert set(files) == {"table.md", "table.csv", "table.tex", "chart.svg", "chart.png"}


def test_an_experiment_of_ones_own_may_hold_the_values_of_a_sweep(sweep, home, own_folder):
    """Hydra's mode then makes a sweep of a command without -m, whose jobs returned no ids."""
    text = "# @package _global_\ndefaults: [/experiment/disan/snli]\n"
    params = '{params: {mask: "forward,none", seed: "1,2"}}'
    write_file(own_folder / "conf/experiment/masks.yaml", f"{text}hydra: {{mode: MULTIRUN, sweeper: {params}}}\n")
    done = sweep(figure_of, "experiment=masks", flags=())
    assert "1 of 4 runs failed:\n  mask=none seed=2  the loss <is> no number" in done.stderr
    assert done.stdout.startswith("\nSweep over mask at scale mini")
    assert len(records_of(home)) == 3
    done = sweep(figure_of, "experiment=masks", "seed=1", flags=("-m",))
    assert (done.returncode, "mask=none seed=1" in done.stdout) == (0, False), done.stderr


def test_a_grid_of_values_of_a_group_keeps_the_choice_of_the_group(sweep, home):
    """Both have the same key, of which Hydra alone lets the last override count."""

    def width(settings):
        return float(settings.model["hidden_size"])

    done = sweep(width, "model=bilstm", "model={hidden_size: 8},{hidden_size: 12}", "seed=1,2")
    assert done.returncode == 0, done.stderr
    records = records_of(home)
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
    done = sweep(lambda settings: 70.0, "seed=1,2")
    assert set(files_of(home)) == {"table.md", "table.csv", "table.tex"}
    assert "no chart, since matplotlib is not installed" in done.stderr


@pytest.mark.parametrize("arguments", [("seed=1",), ("seed=1,2",)])
def test_neither_one_run_nor_failures_alone_make_a_table(arguments, sweep, home):
    def figure(settings):
        if len(arguments[0]) > len("seed=1"):
            raise TrainingError(f"seed {settings.seed} failed")
        return 70.0

    done = sweep(figure, *arguments)
    assert done.stdout == ""
    assert not (home / "results/mini/sweeps").exists()


def test_mistakes_in_settings_are_reported_before_the_first_run_begins(sweep, home):
    done = sweep(figure_of, "model=disan,s2t", "mask=forward", "optimizer.lr=1,x")
    assert done.returncode == 2
    assert "3 of 4 runs cannot start, so none was started:\n" in done.stderr
    assert "\n  model=disan optimizer.lr=x  optimizer.lr: expected a number, got 'x'\n" in done.stderr
    assert "\n  model=s2t optimizer.lr=1    model.directions: unknown setting of SourceToToken." in done.stderr
    assert records_of(home) == []


def test_a_mistake_that_all_runs_share_is_reported_alone(sweep):
    done = sweep(figure_of, "optimizer.lr=x", "seed=1,2")
    assert (done.returncode, done.stderr) == (2, "attest: optimizer.lr: expected a number, got 'x'\n")
