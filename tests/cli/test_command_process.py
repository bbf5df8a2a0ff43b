"""The process of a command: what it loads, how torch gets memory, and an output that takes no more."""

import os
import subprocess
import sys

import pytest
from marks import linux


def test_help_does_not_load_torch():
    code = (
        "import sys; from attest.cli.arguments.commands import parser; "
        "parser().format_help(); print('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_what_only_reads_does_not_load_what_trains():
    code = """
import sys
from attest.cli import main
from attest.cli.arguments.setting_examples import MOST_USED
from attest.config.keys import known_keys
for command in (["choices", "disan"], ["data", "list", "snli"]):
    assert main(command) == 0, command
print({"pytorch_lightning", "torchmetrics", "torch._dynamo", "scipy.stats"} & set(sys.modules), file=sys.stderr)
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr == "set()\n"


@pytest.mark.parametrize(("said", "kept"), [(None, "1"), ("0", "0")])
def test_torch_is_asked_for_huge_pages_unless_a_user_says_otherwise(said, kept, cli, monkeypatch):
    monkeypatch.delenv("THP_MEM_ALLOC_ENABLE", raising=False)
    if said is not None:
        monkeypatch.setenv("THP_MEM_ALLOC_ENABLE", said)
    cli.output("choices", "disan")
    assert os.environ["THP_MEM_ALLOC_ENABLE"] == kept


@linux
def test_a_full_standard_output_is_named():
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "attest.cli", "choices", "disan"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, "standard output" in done.stderr) == (1, True), done.stderr


@pytest.mark.parametrize("words", [("choices", "disan"), ("train", "--cfg"), ("train", "--info", "all", "seed=2")])
def test_a_reader_who_closes_the_pipe_gets_no_traceback(words):
    """As `attest ... | head` does, here before the first word."""
    command = [sys.executable, "-m", "attest.cli", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1
