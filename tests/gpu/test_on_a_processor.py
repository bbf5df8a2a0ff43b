"""What `make test-gpu` and `make bench BENCH=gpu` do where there is no GPU."""

import subprocess
import sys

import pytest
import torch
from conftest import ROOT
from gpu import __main__ as command
from gpu import values
from gpu.values import Comparison, relative_error

from attest.benchmarks import gpu

REFUSED = "hydra omegaconf wandb pytorch_lightning lightning_fabric torchmetrics scipy rich pooch safetensors sklearn"
BARE = """
import runpy, sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition('.')[0] in {names!r}.split():
            raise ImportError(f'{{name}} is not installed here')
sys.meta_path.insert(0, Missing())
import attest.benchmarks.gpu, gpu.values, gpu.__main__
"""


def test_torch_and_numpy_are_enough():
    environment = {"PYTHONPATH": f"{ROOT}/src:{ROOT}/tests", "PATH": ""}
    code = BARE.format(names=REFUSED)
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr


def test_each_encoder_is_compared_and_a_large_error_fails(monkeypatch, capsys):
    monkeypatch.setattr(values, "ENCODERS", {name: values.ENCODERS[name] for name in ("s2t", "bilstm_max")})
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert command.main() == 0
    printed = capsys.readouterr().out
    assert "finds no GPU here" in printed
    assert printed.count("fp32") == printed.count("bf16") == 2
    monkeypatch.setitem(values.LIMITS, "fp32", 1e-12)
    assert command.main() == 1
    assert capsys.readouterr().out.count("TOO LARGE") == 2


def test_only_encoders_that_pick_a_word_may_exchange_it():
    assert Comparison("cnn_max", "bf16", 0.01, 0.4).passed
    assert not Comparison("cnn_max", "fp32", 1e-7, 0.4).passed
    assert not Comparison("cnn_max", "bf16", 0.4, 0.01).passed
    assert not Comparison("disan", "bf16", 0.01, 0.4).passed


def test_errors_have_the_scale_of_the_largest_entry():
    right = [torch.tensor([2.0, 0.0]).double(), torch.tensor([0.0]).double()]
    assert relative_error([torch.tensor([2.0, 0.1]), torch.tensor([0.02])], right) == pytest.approx(0.05)


def test_the_benchmark_times_each_variant(monkeypatch, capsys):
    monkeypatch.setattr(gpu, "PAIRS", 2)
    monkeypatch.setattr(gpu, "FEATURES", 6)
    monkeypatch.setattr(gpu, "WORDS", 20)
    rows = gpu.measure("cpu", steps=1, blocks=1)
    names = [row["variant"] for row in rows if row["case"] == "step"]
    assert names == ["eager fp32", "native fp32", "eager bf16", "native bf16", "floor fp32", "floor bf16"]
    assert all(value > 0 for row in rows for value in row["values"])
