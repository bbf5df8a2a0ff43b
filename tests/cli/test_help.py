"""The help of commands: their groups, choices and most used settings."""

from itertools import chain

import pytest

from attest.cli.arguments.accepted import ACCEPTED, NOTHING, all_roots, roots_of
from attest.cli.arguments.commands import parser
from attest.cli.arguments.parser import commands_of
from attest.cli.arguments.setting_examples import MOST_USED, REPRODUCE, SETTINGS, TUNE
from attest.cli.arguments.settings_help import TEXTS, config_settings
from attest.config.keys import known_keys


def test_help_lists_the_groups_with_their_choices_and_the_most_used_settings(cli):
    for command, texts in {
        "train": (
            "disan*",
            "disan/{cr, mpqa",
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


def test_without_a_command_the_help_is_printed_with_every_command_under_a_heading(cli):
    done = cli.run()
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == cli.output("--help")
    listed = parser().headings
    assert sorted(chain.from_iterable(listed.values())) == sorted(commands_of(parser()))
    for heading, names in listed.items():
        section = done.stderr.partition(f"\n{heading}:\n")[2].partition("\n\n")[0]
        assert [line.split()[0] for line in section.splitlines() if line[2] != " "] == names


def test_every_command_with_settings_says_so_and_lists_examples(cli):
    entries = {name: ACCEPTED[name] for name in commands_of(parser())}
    for name, accepted in entries.items():
        usage, _, text = cli.output(name, "--help").partition("\n\n")
        has_settings = accepted != NOTHING
        assert usage.endswith(" [key=value ...]") == has_settings, name
        assert ("\nsettings" in text) == has_settings, name


def test_the_examples_of_settings_are_of_settings_that_the_command_accepts():
    assert not SETTINGS.keys() & TEXTS.keys()
    for name, examples in SETTINGS.items():
        roots = {text.partition("=")[0].partition(".")[0] for text in examples}
        assert roots <= roots_of(ACCEPTED[name]), name
        assert roots - all_roots("config") == roots & {*ACCEPTED[name].own}


@pytest.mark.parametrize("columns", [60, 80])
def test_help_is_as_wide_as_the_terminal(columns, monkeypatch, cli):
    monkeypatch.setenv("COLUMNS", str(columns))
    for name in commands_of(parser()):
        lines = cli.output(name, "--help").splitlines()
        assert [line for line in lines if len(line) >= columns and " " in line[32:].strip()] == [], name


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("reproduce", "dam/{choices, coverage, "),
        ("bench", "convergence core "),
        ("figures", "disan/{figure5, figure6, "),
        ("choices", "dam disan psan ssa"),
        ("tune", "dam/{ngram, own, words}"),
    ],
)
def test_help_lists_the_names_that_an_argument_can_have(command, names, cli):
    assert names in cli.output(command, "--help")
