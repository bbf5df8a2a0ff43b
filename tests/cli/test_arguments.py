"""Command lines that argparse refuses, and what is said to type instead."""

import pytest

from attest.cli.arguments.accepted import QUERY_KEYS


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["trian"], "attest: trian: unknown command. Did you mean attest train?"),
        (["train", "--seed", "3"], "attest train: --seed: settings are written key=value, without dashes; type seed=3"),
        (["train", "--lr=0.3"], "type optimizer.lr=0.3"),
        (["train", "--batch-size", "4"], "type protocol.batch_size=4"),
        (["train", "model=s2t", "--seed"], "type seed=VALUE"),
        (["train", "--config-name", "x"], "--config-name: the configuration is always conf/config.yaml; choose exper"),
        (["train", "--multirn"], "--multirn: unknown option. Did you mean --multirun?"),
        (["train", "--zzzzzz"], "--zzzzzz: unknown option; `attest train --help` lists options and settings"),
        (["train", "word"], "attest train: word: this word is not expected here; see `attest train --help`"),
        (["transfer", "average", "--folds", "5"], "attest transfer: --folds: settings are written key=value, witho"),
        (["reproduce", "disan/table1", "--seeds", "3"], "type seeds=3"),
        (["data", "fech"], "attest data: error: fech: no such choice. Did you mean fetch? There are: list, fetch, ver"),
    ],
)
def test_the_error_about_a_wrong_argument_says_what_to_type(arguments, message, cli):
    done = cli.run(*arguments)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr


def test_every_command_names_itself_in_errors_about_its_arguments(cli):
    for command in (["show", "disan/table1"], ["attend", "RUN"], ["collate"]):
        assert cli.error(*command, "--scale=paper").startswith(f"attest {command[0]}: --scale: settings")


@pytest.mark.parametrize(("command", "start"), [("attend", "attest attend RUN"), ("parser", "attest parser parse")])
def test_the_help_of_commands_that_take_sentences_names_two_dashes(command, start, cli):
    assert f'Write -- in front of sentences that contain =, as in\n  {start} -- "x=y"' in cli.output(command, "--help")


def test_the_help_of_runs_lists_all_words_that_select_runs(cli):
    printed = cli.output("runs", "--help")
    assert [key for key in QUERY_KEYS if f"  {key}=" not in printed] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["frobnicate"], "attest: frobnicate: unknown command. `attest --help` lists them\n"),
        (["train", "--fast"], "attest train: --fast: "),
        ([], "usage: attest"),
    ],
)
def test_unknown_commands_and_options_are_refused(arguments, message, cli):
    done = cli.run(*arguments)
    assert (done.returncode, done.stderr.startswith(message)) == (2, True), done.stderr


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("trian", "attest: trian: unknown command. Did you mean attest train?\n"),
        ("zzz", "attest: zzz: unknown command. `attest --help` lists them\n"),
    ],
)
def test_an_unknown_command_is_one_sentence_with_the_nearest_one(command, message, cli):
    assert cli.error(command, "model=disan") == message


def test_a_name_of_a_file_that_is_read_as_a_setting_names_two_dashes(cli):
    done = cli.run("encode", "0", "seed=1/s.txt", "--to", "v.npy")
    assert done.returncode == 2
    assert "file: missing; type " in done.stderr
    assert "; write -- in front of a name that contains =, as in attest encode" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["data"], "attest data: error: action: missing; type list, fetch or verify\n"),
        (["choices"], "attest choices: error: paper: missing; type dam, disan, psan or ssa\n"),
        (["hard"], "attest hard: error: dataset: missing; type multinli, multinli_matched or snli\n"),
        (["reproduce"], "table: missing; type a table, e.g. disan/table1; `attest reproduce --help` lists them\n"),
        (["encode", "0", "s.txt"], "--to: missing; type --to NPY, the file to write the vectors to\n"),
        (["new"], "attest new: error: kind, name: missing; `attest new --help` explains them\n"),
        (["--cfg"], "attest: error: COMMAND: missing; `attest --help` lists them\n"),
    ],
)
def test_the_error_about_a_missing_argument_says_what_to_type(arguments, message, cli):
    done = cli.run(*arguments)
    assert (done.returncode, done.stderr.endswith(message)) == (2, True), done.stderr
