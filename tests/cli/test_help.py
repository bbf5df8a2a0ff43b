"""The help of commands: their groups, choices and most used settings."""

import pytest

from attest.cli import main
from attest.cli.settings_help import MOST_USED
from attest.config.keys import known_keys


def test_help_lists_the_groups_with_their_choices_and_the_most_used_settings(capsys):
    for command, texts in {
        "train": (
            "disan*",
            "disan/{",
            "protocol.steps=",
            "trainer.accelerator=gpu",
            "also slurm, ray;",
            "submitit_slurm",
            "--info",
        ),
        "transfer": ("sklearn* torch", "folds=10", "packages=[attest,torch.optim]"),
        "parser": ("treebanks=[sick,sst]", "scorer.layers", "seed=1"),
    }.items():
        with pytest.raises(SystemExit):
            main([command, "--help"])
        printed = capsys.readouterr().out
        assert [text for text in texts if text not in printed] == []
        assert printed.count("\n") < 100


@pytest.mark.parametrize("command", ["encode", "predict", "evaluate", "attend", "export", "submit"])
def test_help_of_commands_on_a_finished_run_lists_the_settings_that_it_accepts(command, capsys):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    printed = capsys.readouterr().out
    assert "  paths.data=FOLDER " in printed
    assert "  packages=[attest,torch.optim,PACKAGE] " in printed


def test_every_most_used_setting_is_one():
    settings = [text.partition("=")[0] for group in MOST_USED.values() for text in group]
    assert set(settings) - known_keys() == {"hydra/launcher"}
