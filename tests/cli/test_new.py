"""attest new: the shortest examples, and the tests that it writes with them."""

from pathlib import Path

import pytest
from commands import run
from places import ROOT

MOST_LINES = 40


def pytest_main(arguments):
    return int(pytest.main([*arguments]))


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    return folder


def test_every_example_is_short_and_its_test_passes(folder, cli):
    lines = {}
    for kind, name in (("encoder", "my_mean"), ("dataset", "my_reviews"), ("table", "my_rows")):
        printed = cli.output("new", kind, name, "--config-dir", str(folder))
        written = [Path(line.removeprefix("wrote ")) for line in printed.splitlines() if line.startswith("wrote ")]
        assert all(path.is_file() and path.is_relative_to(folder) for path in written)
        lines[kind] = sum(len(path.read_text().splitlines()) for path in written)
        assert f"--config-dir {folder}" in printed
    assert max(lines.values()) < MOST_LINES, lines
    done = run("-q", "-n", "0", "-p", "no:cacheprovider", "--rootdir=.", ".", cwd=folder, main=pytest_main)
    assert (done.returncode, "3 passed" in done.stdout) == (0, True), done.stdout + done.stderr


def test_the_printed_commands_are_those_that_train(folder, monkeypatch, cli):
    monkeypatch.chdir(folder)
    printed = cli.output("new", "encoder", "another_mean")
    assert "attest reproduce --config-dir . disan/table2 with=model=another_mean" in printed


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("encoder", "disan"), "disan: there is model=disan already; choose another name"),
        (("dataset", "snli"), "snli: there is dataset=snli already; choose another name"),
        (("encoder", "torch"), "torch: Python has a module of this name already; choose another name"),
        (
            ("encoder", "My-Net"),
            "My-Net: not a name of letters a to z, digits and _, as in attest new encoder my_",
        ),
        (("table", "../first"), "../first: not a name of letters a to z"),
        (("encoder", "import"), "import: not a name"),
    ],
)
def test_names_that_cannot_be(words, message, folder, cli):
    assert message in cli.error("new", *words, "--config-dir", str(folder))
    assert list(folder.iterdir()) == []


def test_nothing_is_overwritten(folder, cli):
    (folder / "test_mine_too.py").write_text("mine\n")
    error = cli.error("new", "encoder", "mine_too", "--config-dir", str(folder))
    assert "test_mine_too.py: the file exists already; choose another name, or delete it" in error
    assert [path.name for path in folder.iterdir()] == ["test_mine_too.py"]


def test_the_checkout_is_no_folder_of_the_users_own(monkeypatch, cli):
    monkeypatch.chdir(ROOT)
    assert "this folder is the checkout of attest" in cli.error("new", "encoder", "mine")
