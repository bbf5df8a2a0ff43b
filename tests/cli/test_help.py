"""The help of commands: their groups, choices and most used settings."""

import pytest

from attest.cli.accepted import ACCEPTED
from attest.cli.setting_examples import MOST_USED, REPRODUCE, TUNE
from attest.cli.settings_help import config_settings
from attest.config.keys import known_keys


def test_help_lists_the_groups_with_their_choices_and_the_most_used_settings(cli):
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
        "reproduce": ("rows=disan,s2t", "with=model=NAME", "again=uncommitted", "protocol.steps", "joblib  "),
        "tune": ("runs=20", "minutes=30", "at_once=4"),
        "transfer": ("sklearn* torch", "folds=10 ", "packages=[attest,torch.optim]"),
        "parser": ("treebanks=[sick,sst]", "scorer.layers", "seed=1 "),
    }.items():
        printed = cli.output(command, "--help")
        assert [text for text in texts if text not in printed] == []
        assert printed.count("\n") < 100


@pytest.mark.parametrize("command", ["encode", "predict", "evaluate", "attend", "export", "submit"])
def test_help_of_commands_on_a_finished_run_lists_the_settings_that_it_accepts(command, cli):
    printed = cli.output(command, "--help")
    assert "  paths.data=FOLDER " in printed
    assert "  packages=[attest,torch.optim,PACKAGE] " in printed


def test_the_help_of_compare_lists_no_setting_that_it_refuses(cli):
    printed = cli.output("compare", "--help")
    assert "  since=2d " in printed
    assert "  status=" not in printed
    assert "  limit=" not in printed


@pytest.mark.parametrize(("config", "described"), [("transfer", "folds"), ("parser_training", "treebanks")])
def test_every_setting_with_a_default_has_a_description(config, described):
    rows = config_settings(config).partition("with their defaults\n")[2].splitlines()
    settings = [row.split() for row in rows if "=" in row and not row.startswith("settings")]
    assert f"  {described}=" in "\n".join(rows)
    assert [words[0] for words in settings if len(words) == 1] == []


def test_the_examples_of_a_commands_own_settings_are_all_of_them():
    for command, examples in (("reproduce", REPRODUCE), ("tune", TUNE)):
        assert set(ACCEPTED[command].own) <= {text.partition("=")[0] for text in examples}


def test_every_most_used_setting_is_one():
    settings = [text.partition("=")[0] for group in MOST_USED.values() for text in group]
    assert set(settings) - known_keys() == {"hydra/launcher"}
