"""What attest train takes over from Hydra: its flags, its help, and its launcher for SLURM."""

import pytest
from homes import records_of
from places import ROOT

pytestmark = pytest.mark.usefixtures("home_with_corpora")
QUICK = ("protocol.steps=4", "protocol.evaluate_every=2")


@pytest.mark.parametrize(
    ("flags", "text"),
    [
        (["--cfg", "job", "--package", "optimizer"], "_target_: attest.training.optim.Adadelta"),
        (["--cfg", "hydra", "--package", "hydra.sweeper"], "GridSweeper"),
        (["-c", "job", "-p", "optimizer"], "_target_: attest.training.optim.Adadelta"),
        (["-i", "searchpath"], "| main"),
        (["--info", "defaults"], "| experiment/disan/snli"),
        (["--info", "searchpath"], "| main"),
        (["--cfg"], "packages:"),
    ],
)
def test_hydras_own_flags_print_and_stop(flags, text, cli, home):
    assert text in cli.output("train", *flags, "seed=2")
    assert records_of(home) == []


def test_cfg_prints_the_settings(cli):
    printed = cli.output("train", "--cfg", "model=bilstm", "seed=2")
    assert "_target_: attest.models.BiLSTM" in printed
    assert "seed: 2" in printed


def test_cfg_lists_the_runs_of_a_sweep(cli, home):
    printed = cli.output("train", "-m", "--cfg", "model=disan,s2t", "experiment=glob(disan/s*)", "logger=none")
    experiments = [f"experiment=disan/{name}" for name in ("sentences", "sick", "snli", "sst", "subj")]
    assert printed.splitlines() == [
        f"attest train model={model} {experiment} logger=none"
        for model in ("disan", "s2t")
        for experiment in experiments
    ]
    assert records_of(home) == []


def test_a_mistake_in_a_run_of_a_sweep_is_reported_in_place_of_the_list(cli):
    error = cli.run("train", "-m", "--cfg", "dropout=0.1,2").stderr
    assert error.startswith("attest: 1 of 2 runs cannot start, so none was started:\n  dropout=2  ")


@pytest.mark.parametrize("flags", [["--cfg"], ["--cfg", "job", "-p", "optimizer"]])
def test_cfg_says_that_the_rate_is_that_of_the_experiment(flags, cli):
    done = cli.run("train", *flags, "optimizer=adam", "scale=paper")
    assert (done.returncode, "lr: 0.5" in done.stdout) == (0, True)
    rate, advice = done.stderr.splitlines()
    assert rate.startswith("attest: experiment=disan/snli overrides optimizer=adam: optimizer.lr 0.001 -> 0.5, optimiz")
    assert advice == "attest: type optimizer.lr=0.001 for the rate of optimizer=adam"
    typed = cli.run("train", *flags, "optimizer=adam", "optimizer.lr=0.001", "scale=paper")
    assert "optimizer.lr" not in typed.stderr


@pytest.mark.parametrize("flags", [("-p", "optimizer"), ("--resolve",), ("--cfg", "-p", "optimizer")])
def test_flags_of_cfg_job_alone_are_refused_without_it(flags, cli):
    error = cli.error("train", *flags)
    assert error == "attest train: --package and --resolve need --cfg job, hydra or all; add one, or leave them out\n"


def test_a_folder_of_groups_of_ones_own(cli, home, tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "model/mine.yaml").write_text((ROOT / "conf/model/s2t.yaml").read_text())
    arguments = ("--config-dir", str(tmp_path), "model=mine", "logger=none", *QUICK)
    cli.output("train", *arguments)
    cli.output("train", "--multirun", *arguments, "seed=1,2")
    assert [record.settings["model._target_"] for record in records_of(home)] == ["attest.models.SourceToToken"] * 2
    error = cli.error("train", *arguments, "model=min")
    assert error.startswith("attest: model=min: no such choice. Did you mean mi")
    assert "no such folder" in cli.error("train", "--config-dir", str(tmp_path / "nowhere"))


def test_slurm_composes(cli):
    cli.output("train", "-m", "hydra/launcher=submitit_slurm", "--cfg")


def test_hydras_own_help(cli):
    assert "Hydra" in cli.output("train", "--hydra-help")
