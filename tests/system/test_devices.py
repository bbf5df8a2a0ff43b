"""Which device and which number format `auto` stands for, on machines with and without a GPU or instructions."""

import logging

import pytest
import torch

from attest.config.compose import compose
from attest.config.devices import with_device
from attest.config.settings import Trainer
from attest.runs.identity import run_id
from attest.system import devices
from attest.system.devices import choose_device, choose_format, describe_devices, has_bfloat16, warn_if_slow
from attest.training.checkpoint_io import PARTS, load_checkpoint


@pytest.fixture
def machine(monkeypatch):
    """Return a function that makes torch find a GPU, a GPU of Apple, and instructions for bf16, or not."""

    def make(*, gpu=False, apple=False, bf16_gpu=False, avx512=False, amx=False):
        monkeypatch.setattr(torch.cuda, "is_available", lambda: gpu)
        monkeypatch.setattr(torch.cuda, "device_count", lambda: 2 * gpu)
        monkeypatch.setattr(torch.cuda, "get_device_name", lambda number=0: f"GPU {number}")
        monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda including_emulation=True: bf16_gpu)
        monkeypatch.setattr(torch.backends.mps, "is_available", lambda: apple)
        monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: avx512)
        monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: amx)

    return make


@pytest.mark.parametrize(
    ("has", "device", "number_format"),
    [
        ({}, "cpu", "fp32"),
        ({"avx512": True}, "cpu", "bf16"),
        ({"amx": True}, "cpu", "bf16"),
        ({"apple": True}, "cpu", "fp32"),
        ({"gpu": True, "avx512": True}, "gpu", "fp32"),
        ({"gpu": True, "bf16_gpu": True}, "gpu", "fp32"),
    ],
)
def test_auto_takes_what_the_machine_is_built_for(has, device, number_format, machine):
    machine(**has)
    assert choose_device("auto") == device
    assert choose_format("auto", device) == number_format
    trainer = with_device(Trainer(precision="auto"))
    assert (trainer.accelerator, trainer.precision) == (device, number_format)
    assert with_device(trainer) == trainer
    assert with_device(Trainer()).precision == "fp32", "only precision=auto leaves the paper's format"
    assert with_device(Trainer(accelerator="cpu")).accelerator == "cpu"


def test_apples_gpu_is_taken_when_it_is_asked_for(machine):
    machine(apple=True, avx512=True)
    assert with_device(Trainer(accelerator="mps", precision="auto")) == Trainer(accelerator="mps", precision="fp32")
    assert describe_devices() == "Apple (trainer.accelerator=mps)"


def test_the_machine_says_which_gpus_it_has_or_what_is_missing(machine):
    machine(gpu=True)
    assert describe_devices() == "GPU 0, GPU 1"
    machine()
    assert describe_devices().startswith("none that torch can use")


@pytest.mark.parametrize("built", [True, False])
def test_a_run_has_the_id_of_the_number_format_that_auto_stands_for(built, machine):
    machine(avx512=built)

    def of(name, scale="paper"):
        return run_id(compose([f"trainer.precision={name}", f"scale={scale}"]), "data")

    assert of("auto") == of("bf16" if built else "fp32")
    assert of("fp32") != of("bf16")
    assert of("fp32") == run_id(compose(["scale=paper", "trainer.accelerator=cpu"]), "data")
    assert of("auto", "mini") == of("fp32", "mini"), "narrow layers gain nothing"


def test_a_number_format_that_the_device_has_no_instructions_for_is_not_silent(machine, caplog):
    machine()
    with caplog.at_level(logging.WARNING):
        warn_if_slow("fp32", "cpu", "precision=auto")
        assert not caplog.text
        warn_if_slow("bf16", "cpu", "precision=auto")
    assert "bf16: this processor has no instructions for it, and may take" in caplog.text
    assert "with fp32; type precision=auto" in caplog.text
    machine(amx=True)
    caplog.clear()
    warn_if_slow("bf16", "cpu", "precision=auto")
    assert not caplog.text


def test_devices_of_other_kinds_have_no_bf16_and_need_no_wait(machine, monkeypatch):
    machine(gpu=False, bf16_gpu=True)
    assert not has_bfloat16("gpu"), "torch finds no GPU"
    waits = []
    monkeypatch.setattr(torch.cuda, "synchronize", lambda: waits.append("gpu"))
    monkeypatch.setattr(torch.mps, "synchronize", lambda: waits.append("mps"))
    for device in ("cpu", "mps", "gpu"):
        devices.synchronize(device)
    assert waits == ["mps", "gpu"]


def test_a_checkpoint_of_a_gpu_is_read_on_a_processor(tmp_path, monkeypatch):
    checkpoint = tmp_path / "last.ckpt"
    with monkeypatch.context() as patch:
        patch.setattr(torch.serialization, "location_tag", lambda storage: "cuda:0")
        weights = {"weight": torch.ones(1, 3), "bias": torch.ones(1)}
        torch.save({**dict.fromkeys(PARTS), "global_step": 7, "state_dict": weights}, checkpoint)
    if not torch.cuda.is_available():
        with pytest.raises(RuntimeError, match="CUDA"):
            torch.load(checkpoint, weights_only=True)
    assert load_checkpoint(checkpoint, torch.nn.Linear(3, 1)) == 7
