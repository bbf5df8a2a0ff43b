"""Exceptions of the user's own code: a stack trace of this code alone, a sentence, and a run that failed with it."""

import sys

import pytest
from homes import records_of
from places import ROOT

from attest.config.own_errors import own_code_error
from attest.errors import SettingsError

ENCODER = """import torch
from attest.models import Encoder

class Mine(Encoder):
    def __init__(self, input_size: int) -> None:
        super().__init__()
        self.width = {width}
        self.layer = torch.nn.Linear({inputs}, 7)

    def encode(self, x_ND, layout):
        return self.layer(layout.grid(x_ND).sum(1)){end}

def cut(sentence: str) -> list[str]:
    return [sentence.upper()[10_000]]
"""
RIGHT = {"width": "7", "inputs": "input_size", "end": ""}


@pytest.fixture
def fails(own_folder, home, mini_data, cli):
    """Train with an encoder of the user's own that fails; return the printed lines and the records."""

    def train(module, *overrides, **parts):
        (own_folder / f"{module}.py").write_text(ENCODER.format(**{**RIGHT, **parts}))
        words = [f"model._target_={module}.Mine", *overrides, "protocol.steps=2", "protocol.evaluate_every=2"]
        done = cli.run("train", *words, "logger=none", "trainer.progress=false", f"paths.data={mini_data}")
        assert done.returncode == 1
        assert str(ROOT / "src" / "attest") not in done.stderr
        return done.stderr.splitlines(), records_of(home)

    return train


@pytest.mark.parametrize(
    ("parts", "where", "line", "reason"),
    [
        ({"width": "self.with"}, "__init__", None, "SyntaxError"),
        ({"width": "self.wide"}, "__init__", 7, "AttributeError: 'Mine' object has no attribute 'wide'"),
        ({"inputs": "input_size - 1"}, "encode", 11, "RuntimeError: mat1 and mat2 shapes cannot be multiplied"),
    ],
    ids=["import", "constructor", "encode"],
)
def test_the_last_line_says_what_failed(fails, own_folder, parts, where, line, reason, cli):
    if line is None:
        (own_folder / "own_syntax.py").write_text(ENCODER.format(**{**RIGHT, **parts}))
        assert f"own_syntax.py:7: {reason}" in cli.error("train", "model._target_=own_syntax.Mine")
        return
    module = f"own_{where.strip('_')}"
    printed, (record,) = fails(module, **parts)
    start = printed.index("Traceback (most recent call last):")
    assert printed[start + 1].strip() == f'File "{own_folder}/{module}.py", line {line}, in {where}'
    assert printed[-1].startswith(f"attest: {module}.Mine failed in {where}")
    assert f"({own_folder}/{module}.py:{line}): {reason}" in printed[-1]
    assert printed[-1].endswith("test it with `python -m pytest`, then repeat the command with retry_failed=true")
    assert (", given x_ND (" in printed[-1]) == ("vectors (sentences, width)" in printed[-1]) == (where == "encode")
    assert record.status == "failed"
    assert f"attest: {record.reason}, then repeat the command with retry_failed=true" == printed[-1]


def test_code_of_a_trusted_package_is_the_users_own(tmp_path, monkeypatch, mini_data, home, cli):
    (tmp_path / "trusted_package.py").write_text(ENCODER.format(**{**RIGHT, "inputs": "input_size - 1"}))
    monkeypatch.syspath_prepend(str(tmp_path))
    words = ["model._target_=trusted_package.Mine", "packages=[attest,torch.optim,trusted_package]"]
    words += ["logger=none", "trainer.progress=false", f"paths.data={mini_data}", "protocol.steps=2"]
    done = cli.run("train", *words)
    assert done.returncode == 1
    assert str(ROOT / "src" / "attest") not in done.stderr
    assert f'recent call last):\n  File "{tmp_path}/trusted_package.py", line 11, in encode\n' in done.stderr
    last = done.stderr.splitlines()[-1]
    assert last.startswith("attest: trusted_package.Mine failed in encode, given x_ND (")
    assert last.endswith("then repeat the command with retry_failed=true")
    (record,) = records_of(home)
    assert last == f"attest: {record.reason}, then repeat the command with retry_failed=true"
    del sys.modules["trusted_package"]


def test_vectors_of_a_wrong_shape_name_the_encoder(fails):
    printed, (record,) = fails("own_shape", end="[:, :3]")
    wanted = "own_shape.Mine: encode returned (128, 3) for 128 sentences; return a tensor (sentences, width), here (128"
    assert printed[-1].startswith(f"attest: {wanted}, 7)")
    assert printed[-1].endswith("test it with `python -m pytest`, then repeat the command with retry_failed=true")
    assert not record.reason.endswith("retry_failed=true")
    assert record.status == "failed"


def test_a_tokeniser_that_fails_leaves_no_record(fails):
    printed, records = fails("own_cut", "text.tokens=own_cut.cut")
    assert printed[-1].startswith("attest: own_cut failed in cut (")
    assert "IndexError: string index out of range; correct it, test it with" in printed[-1]
    assert not any("Error executing job" in line for line in printed)
    assert records == []


def test_other_exceptions_are_not_those_of_the_users_code(own_folder):
    for error in (ValueError("elsewhere"), SettingsError("known")):
        with pytest.raises(type(error)) as raised:
            raise error
        assert own_code_error(raised.value) is None
