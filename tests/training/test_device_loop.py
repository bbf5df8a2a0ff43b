"""The training loop on a device without values: nothing waits for the device, and nothing is copied at each step."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from gpu.watch import Watch, without_values
from pytorch_lightning.accelerators import AcceleratorRegistry
from pytorch_lightning.accelerators.cpu import CPUAccelerator
from pytorch_lightning.loops import fit_loop
from pytorch_lightning.strategies import SingleDeviceStrategy

from attest.benchmarks import random_pairs
from attest.benchmarks.step import fast_module
from attest.data.batches.protocol import training_batches
from attest.models.kernels import backends
from attest.system import environment
from attest.system.devices import TORCH_NAMES
from attest.system.signals import stop_requests
from attest.training import loop, step_clock
from attest.training.schedule import Schedule

MODELS = {
    **{name: ("experiment=disan/snli", f"model={name}") for name in
       ("additive", "s2t", "multi_head", "bilstm", "disan", "fast_disan", "bilstm_max", "cnn_max")},
    "disan_dense_rows": ("experiment=disan/snli", "optimizer.rows=dense"),
    "structured": ("experiment=ssa/snli",),
    "psan": ("experiment=psan/snli",),
    **{name: ("experiment=dam/snli", f"model={name}") for name in ("dam_bow", "dam_cnn", "dam_rnn", "dam_ngram")},
    "adam": ("experiment=disan/snli", "model=s2t", "optimizer=adam"),
    "sgd": ("experiment=disan/snli", "model=s2t", "optimizer=sgd"),
    "adagrad": ("experiment=disan/snli", "model=s2t", "optimizer=adagrad"),
}  # fmt: skip
"""All models, and all optimisers."""
PHRASE_COPIES = 3
"""The number of copies to the device in each step of PSAN: which words form its phrases, for each of three levels."""


@pytest.fixture
def device():
    backends.use("reference")  # the C++ kernels compute on a processor alone
    with without_values() as name:
        yield torch.device(name)
    backends.use("auto")


def with_phrases(split):
    """Return a split whose sentences have phrases of three levels, at random."""
    rng = np.random.default_rng(0)
    sides = (replace(side, phrases=rng.integers(0, 8, len(side.tokens)).astype(np.uint8)) for side in split.sentences)
    return replace(split, sentences=tuple(sides))


@pytest.mark.parametrize("name", MODELS)
def test_no_step_waits_for_the_device(name, device, settings_with):
    settings = settings_with(*MODELS[name])
    split = with_phrases(random_pairs.random_split(200, 100))
    batches = training_batches(split, settings.protocol, seed=0)
    batches.device, batches.stop = device, 4
    module = fast_module(settings, 100).to(device).train()
    optimizer = module.configure_optimizers()
    expected = ["_to_copy"] * PHRASE_COPIES if module.encoder.levels else []
    for step, batch in enumerate(batches):
        with Watch("meta") as watch:
            optimizer.zero_grad()
            module.training_step(batch, step).backward()
            module.clip_gradients()
            optimizer.step()
        assert (watch.waits, watch.copies if step else expected) == ([], expected)


def test_the_watch_sees_what_waits_and_what_copies():
    with Watch("cpu") as watch:
        x = torch.arange(3.0)
        x[x > 1].sum().item()
        torch.arange(2).repeat_interleave(torch.tensor([1, 2]))
        torch.arange(2).repeat_interleave(torch.tensor([1, 2]), output_size=3)
    assert watch.waits == ["index", "_local_scalar_dense", "repeat_interleave"]
    with Watch("meta") as watch:
        y = torch.zeros(3).to("meta")
        y[torch.tensor([0])]
    assert watch.copies == ["_to_copy", "index"]


class WithoutValues(CPUAccelerator):
    """Lightning's accelerator for the device without values."""

    @staticmethod
    def get_parallel_devices(devices):
        return [torch.device("meta")] * devices

    def setup_device(self, device):
        assert device.type == "meta"


class Ended(BaseException):
    """The end of the watch, before anything is shown or saved."""


class Steps:
    """An observer that notes after each step what has waited and copied since the step before."""

    def __init__(self, watch, last):
        self.watch, self.last, self.noted = watch, last, []

    def step(self, step, measure=None):
        self.noted.append((list(self.watch.waits), list(self.watch.copies)))
        self.watch.waits.clear()
        self.watch.copies.clear()
        if step == self.last:
            raise Ended


def test_lightnings_loop_copies_once_an_epoch_and_never_waits(device, settings_with, monkeypatch, tmp_path):
    if "meta" not in AcceleratorRegistry:
        AcceleratorRegistry.register("meta", WithoutValues)
    monkeypatch.setitem(TORCH_NAMES, "gpu", "meta")
    monkeypatch.setattr(SingleDeviceStrategy, "root_device", device)
    monkeypatch.setattr(SingleDeviceStrategy, "teardown", lambda self: None)  # it copies the weights to the processor
    monkeypatch.setattr(fit_loop, "has_len_all_ranks", lambda *arguments: True)  # it asks once, before the first step
    monkeypatch.setattr(environment, "device_name", lambda device: "a device without values")
    monkeypatch.setattr(step_clock, "synchronize", lambda device: None)
    settings = settings_with(
        "experiment=disan/snli", "model=disan", "trainer.accelerator=gpu", "protocol.batch_size=20",
        "protocol.steps=100", "protocol.epochs=null", "protocol.evaluate_every=99", "protocol.max_grad_norm=5",
    )  # fmt: skip
    batches = training_batches(random_pairs.random_split(100, 100), settings.protocol, seed=0)
    batches.device = device
    watch = Watch("meta")
    steps = Steps(watch, last=12)
    with stop_requests() as stop, pytest.raises(Ended), watch:
        schedule = Schedule(settings, batches, lambda names: {}, tmp_path, [steps], stop, {})
        loop.fit_from_checkpoint(settings, fast_module(settings, 100), batches, schedule)
    (_, first), *others = steps.noted
    assert len(steps.noted) == 12
    assert "_to_copy" in first
    assert [waits for waits, _ in steps.noted] == [[]] * 12
    epoch = 100 // 20
    assert [len(copies) for _, copies in others] == [int(step % epoch == 0) for step in range(1, 12)]
