"""What attest train takes over from Hydra: its flags, its help, and its launcher for SLURM."""

import pytest
from cli.fixtures import records
from conftest import ROOT

from attest.cli import main

pytestmark = pytest.mark.usefixtures("quiet_home")
QUICK = ("protocol.steps=4", "protocol.evaluate_every=2")


@pytest.mark.parametrize(
    ("flags", "text"),
    [
        (["--cfg", "job", "--package", "optimizer"], "_target_: attest.training.optim.Adadelta"),
        (["--cfg", "hydra", "--package", "hydra.sweeper"], "GridSweeper"),
        (["--info", "defaults"], "| experiment/disan/snli"),
        (["--info", "searchpath"], "| main"),
        (["--cfg"], "packages:"),
    ],
)
def test_hydras_own_flags_print_and_stop(flags, text, here, home):
    done = here("train", *flags, "seed=2")
    assert done.returncode == 0, done.stderr
    assert text in done.stdout
    assert records(home) == []


def test_cfg_prints_the_settings(here):
    done = here("train", "--cfg", "model=bilstm", "seed=2")
    assert "_target_: attest.models.BiLSTM" in done.stdout
    assert "seed: 2" in done.stdout


@pytest.mark.parametrize("flags", [("-p", "optimizer"), ("--resolve",), ("--cfg", "-p", "optimizer")])
def test_flags_of_cfg_job_alone_are_refused_without_it(flags, capsys):
    assert main(["train", *flags]) == 2
    assert capsys.readouterr().err == (
        "attest train: --package and --resolve need --cfg job; add it, or leave them out\n"
    )


def test_a_folder_of_groups_of_ones_own(here, home, tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "model/mine.yaml").write_text((ROOT / "conf/model/s2t.yaml").read_text())
    arguments = ("--config-dir", str(tmp_path), "model=mine", "logger=none", *QUICK)
    assert here("train", *arguments).returncode == 0
    assert here("train", "--multirun", *arguments, "seed=1,2").returncode == 0
    assert [record.settings["model._target_"] for record in records(home)] == ["attest.models.SourceToToken"] * 2
    assert here("train", *arguments, "model=min").stderr.startswith(
        "attest: model=min: no such choice. Did you mean mi"
    )
    missing = here("train", "--config-dir", str(tmp_path / "nowhere"))
    assert (missing.returncode, "no such folder" in missing.stderr) == (2, True)


def test_slurm_composes(here):
    done = here("train", "-m", "hydra/launcher=submitit_slurm", "--cfg")
    assert done.returncode == 0, done.stderr


def test_hydras_own_help(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["train", "--hydra-help"])
    assert stopped.value.code == 0
    assert "Hydra" in capsys.readouterr().out
