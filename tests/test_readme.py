"""Every command in the README runs, and every path in it is there."""

import os
import re
import shlex
import subprocess

import pytest
from conftest import ROOT

from attest.cli import main
from attest.reproduction.specs.table import names
from attest.training import run as training

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = sorted(set(re.findall(r"`(attest [^`]+)`", README)))
SLOW_OR_NETWORK = {"attest data fetch snli glove_6b"}


def test_there_are_commands():
    assert len(COMMANDS) >= 10
    assert set(COMMANDS) >= SLOW_OR_NETWORK


@pytest.mark.parametrize("command", [command for command in COMMANDS if command not in SLOW_OR_NETWORK])
def test_each_command_runs(command, home, mini_data, settings_with, capfd):
    (home / "cache/mini").symlink_to(mini_data)
    words = shlex.split(command)[1:]
    if "RUN" in words:
        run = training.run(settings_with("model=s2t", "protocol.steps=2", "protocol.evaluate_every=2"))
        words[words.index("RUN")] = run.id
    if "FILE" in words:  # official sentence pairs, each with a name
        words[words.index("FILE")] = str(pairs := home / "pairs.jsonl")
        pairs.write_text('{"gold_label": "-", "pairID": "1", "sentence1": "A dog runs .", "sentence2": "A dog ."}\n')
        words[words.index("--to") + 1] = str(home / "labels.csv")
    if words[0] in ("train", "tune", "reproduce") and "--cfg" not in words:
        words += ["protocol.steps=2", "protocol.evaluate_every=2", "logger=none"]
        words = [word for word in words if word not in ("protocol.steps=200",)]
    if words == ["collate", "--check"]:
        assert main(["collate"]) == 0
    assert main(words) == 0, capfd.readouterr().err
    assert "Traceback" not in capfd.readouterr().err


def test_the_make_targets_exist():
    for target in re.findall(r"^make (\w+)", README, re.MULTILINE):
        done = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    shown = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for table in names():
        assert table in shown


def test_make_passes_its_words_on():
    words = [
        "make",
        "-n",
        "table1",
        "SCALE=paper",
        "SEEDS=0,7",
        "ROWS=disan",
        "JOBS=2",
        "DATA=/data",
        "SET=protocol.steps=5",
    ]
    done = subprocess.run(
        words, cwd=ROOT, capture_output=True, text=True, check=True, env={**os.environ, "MAKEFLAGS": ""}
    )
    for word in ("reproduce disan/table1", "scale=paper", "seeds=0,7", "rows=disan", "hydra/launcher=joblib",
                 "hydra.launcher.n_jobs=2", "paths.data=/data", "protocol.steps=5"):  # fmt: skip
        assert word in done.stdout


def test_the_python_example_runs():
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    namespace: dict[str, object] = {}
    exec(example, namespace)
    assert namespace["sentences"].shape == (2, 600)  # type: ignore[attr-defined]


def test_every_path_is_there():
    for path in re.findall(r"`((?:src|conf|tests|reproduce)/[\w./]*)`", README):
        assert (ROOT / path).exists(), path
