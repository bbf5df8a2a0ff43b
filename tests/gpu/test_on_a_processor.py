"""What `make test-gpu` and `make bench BENCH=gpu` do where there is no GPU."""

import subprocess
import sys
from dataclasses import replace

import pytest
import torch
from commands import SOURCES
from gpu import __main__ as command
from gpu import loop, values
from gpu.values import Comparison, relative_error
from places import ROOT

from attest.benchmarks import gpu
from attest.benchmarks.timing import number_formats
from attest.data.batches.device import DeviceSplit, ResidentRagged

REFUSED = (
    "hydra omegaconf wandb pytorch_lightning lightning_fabric torchmetrics scipy rich pooch safetensors sklearn yaml"
)
BARE = """
import runpy, sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition('.')[0] in {names!r}.split():
            raise ImportError(f'{{name}} is not installed here')
sys.meta_path.insert(0, Missing())
import attest.benchmarks.gpu, gpu.loop, gpu.values, gpu.__main__
"""


def test_torch_and_numpy_are_enough():
    environment = {"PYTHONPATH": SOURCES, "PATH": ""}
    code = BARE.format(names=REFUSED)
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture
def small(monkeypatch):
    """Make the model and the batches of the benchmark, which the checks of the loop use too, small."""
    for name, size in (("PAIRS", 2), ("FEATURES", 6), ("WORDS", 20)):
        monkeypatch.setattr(gpu, name, size)


def test_each_encoder_is_compared_and_a_large_error_fails(monkeypatch, capsys, small):
    monkeypatch.setattr(values, "ENCODERS", {name: values.ENCODERS[name] for name in ("s2t", "bilstm_max")})
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert command.main() == 0
    printed = capsys.readouterr().out
    assert "finds no GPU here" in printed
    assert printed.count("fp32") == printed.count("bf16") == 2
    assert all(f"{name}  " in printed for name in ("batches", "waits", "cpu, cpu, cpu"))
    assert "FAILED" not in printed
    monkeypatch.setitem(values.LIMITS, "fp32", 1e-12)
    assert command.main() == 1
    assert capsys.readouterr().out.count("FAILED, in torch.float32") == 2


def test_only_encoders_that_pick_a_word_may_exchange_it():
    assert Comparison("cnn_max", "bf16", 0.01, 0.4, torch.bfloat16).passed
    assert not Comparison("cnn_max", "fp32", 1e-7, 0.4, torch.float32).passed
    assert not Comparison("cnn_max", "bf16", 0.4, 0.01, torch.bfloat16).passed
    assert not Comparison("disan", "bf16", 0.01, 0.4, torch.bfloat16).passed
    assert not Comparison("cnn_max", "bf16", 0.01, 0.4, torch.float16).passed


def test_errors_have_the_scale_of_the_largest_entry():
    right = [torch.tensor([2.0, 0.0]).double(), torch.tensor([0.0]).double()]
    assert relative_error([torch.tensor([2.0, 0.1]), torch.tensor([0.02])], right) == pytest.approx(0.05)


def test_a_wait_for_the_device_fails(monkeypatch, small):
    """Without lengths on the host, the first packed layout asks the device for the number of its words."""
    assert loop.check_waits("cpu").passed
    plainly = DeviceSplit.batch
    monkeypatch.setattr(DeviceSplit, "batch", lambda *given: replace(plainly(*given), lengths=None))
    check = loop.check_waits("cpu")
    assert (check.passed, check.found) == (False, "nonzero")


def test_other_batches_and_other_losses_fail(monkeypatch, small):
    assert loop.check_batches("cpu").passed
    assert loop.check_moves("cpu").found == "losses differ by 0.0e+00 of 0.001"
    monkeypatch.setattr(ResidentRagged, "padded_tokens", lambda self, place_B, longest: torch.ones(2, longest).long())
    assert not loop.check_batches("cpu").passed
    monkeypatch.setattr(loop, "losses_on", lambda devices: [2.0, 2.1 if "cuda" in devices else 2.11])
    assert not loop.check_moves("cuda").passed


def test_the_benchmark_times_each_variant(small):
    rows = gpu.measure("cpu", steps=1, blocks=1)
    names = [row["variant"] for row in rows if row["case"] == "step"]
    formats = number_formats()
    ways = [f"{way} {name}" for name in formats for way in ("eager", "native")]
    assert names == [*ways, *(f"floor {name}" for name in formats)]
    assert all(value > 0 for row in rows for value in row["values"])
