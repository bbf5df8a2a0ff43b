"""Commands as a shell takes them."""

import shlex

from attest.config.shell_command import shell_command


def test_arguments_are_quoted(home):
    assert (
        shell_command("train", "model=disan", "logger.notes=a note") == "attest train model=disan 'logger.notes=a note'"
    )


def test_a_folder_of_ones_own_is_named(own_folder):
    assert shell_command("train", "-m", "seed=1,2") == f"attest train --config-dir {own_folder} -m seed=1,2"


def test_several_folders_are_named_by_the_variable(own_folder, tmp_path, monkeypatch):
    other = tmp_path / "another one"
    other.mkdir()
    monkeypatch.setenv("ATTEST_PATH", f"{own_folder}:{other}")
    command = shell_command("train", "model=mine")
    assert command.startswith("ATTEST_PATH=")
    assert shlex.split(command) == [f"ATTEST_PATH={own_folder}:{other}", "attest", "train", "model=mine"]
