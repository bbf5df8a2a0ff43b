"""The settings that each command accepts: completion offers no others, and the command refuses all others."""

import re

import pytest

from attest.cli.arguments.accepted import ACCEPTED, QUERY_KEYS, check_accepted, roots_of
from attest.cli.arguments.commands import parser
from attest.cli.arguments.parser import commands_of
from attest.cli.arguments.setting_examples import RUN_SETTINGS
from attest.cli.commands.completion import completions
from attest.cli.commands.reproduce import RunSelection
from attest.cli.commands.tune import Budget
from attest.config.parser_training import ParserCommand
from attest.config.settings import Settings
from attest.errors import SettingsError
from attest.reproduction.tables.run_filter import RunFilter
from attest.transfer.settings import TransferCommand

LIMITED = [entry for entry, accepted in ACCEPTED.items() if accepted.roots is not None]
"""The commands that accept some of the settings of a run."""


def words_of(entry):
    return entry.replace("TABLE", "disan/table1").split()


def test_every_command_has_an_entry():
    assert set(commands_of(parser())) == {entry.split()[0] for entry in ACCEPTED}


@pytest.mark.parametrize("entry", {accepted: entry for entry, accepted in ACCEPTED.items()}.values())
def test_a_command_accepts_the_settings_that_complete_its_line(entry):
    offered = [word for word in completions(f"attest {entry.replace('TABLE', 'disan/table1')} ") if word[-1] in "=."]
    for word in offered:
        check_accepted(words_of(entry), [f"{word}x=1" if word[-1] == "." else f"{word}1"])
    roots = {re.split(r"[.=/]", word)[0] for word in offered} - {"hydra"}
    assert roots <= roots_of(ACCEPTED[entry])
    assert bool(roots) == bool(roots_of(ACCEPTED[entry]))


@pytest.mark.parametrize("entry", LIMITED)
def test_a_command_refuses_the_settings_of_a_run_that_it_does_not_accept(entry):
    for root in set(Settings.__dataclass_fields__) - roots_of(ACCEPTED[entry]):
        with pytest.raises(SettingsError, match=r"accepts only these settings|takes no settings"):
            check_accepted(words_of(entry), [f"{root}=1"])


def test_the_settings_of_commands_are_those_of_their_schemas():
    """They are written twice, because the schemas import what takes longer than most commands."""
    assert ACCEPTED["reproduce"].own == (*RunSelection.__dataclass_fields__, "with")
    assert ACCEPTED["tune"].own == tuple(Budget.__dataclass_fields__)
    assert tuple(RunFilter.__dataclass_fields__) == QUERY_KEYS
    assert roots_of(ACCEPTED["transfer"]) == set(TransferCommand.__dataclass_fields__)
    assert roots_of(ACCEPTED["parser train"]) == set(ParserCommand.__dataclass_fields__)
    assert roots_of(ACCEPTED["encode"]) == {text.partition("=")[0].partition(".")[0] for text in RUN_SETTINGS}


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["data", "list", "scale=mini"], "scale: attest data accepts only these settings: paths.*\n"),
        (["describe", "disan/table1", "scale=mini"], "scale=mini: attest describe TABLE takes no settings\n"),
        (["parser", "test", "treebanks=sst"], "treebanks: attest parser test accepts only these settings: dataset.*, "),
        (["attend", "RUN", "a dog", "model=s2t"], "model: attest attend accepts only these settings: packages, paths"),
    ],
)
def test_an_error_names_the_command_and_what_it_accepts(command, message, cli):
    assert f"attest: {message}" in cli.error(*command)
