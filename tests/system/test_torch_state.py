"""What a run leaves behind in its process."""

import pytest
import torch

from attest.system.torch_state import restored_torch_state
from attest.training import loop
from attest.training.run import run


def state():
    return (
        torch.are_deterministic_algorithms_enabled(),
        torch.utils.deterministic.fill_uninitialized_memory,
        torch.backends.cudnn.allow_tf32,
        torch.get_num_threads(),
        torch.get_rng_state().tolist(),
    )


def test_the_state_is_restored_after_an_error_too():
    before = state()
    with pytest.raises(ValueError, match="an error"), restored_torch_state():
        torch.use_deterministic_algorithms(not before[0])
        torch.utils.deterministic.fill_uninitialized_memory = not before[1]
        torch.backends.cudnn.allow_tf32 = not before[2]
        torch.set_num_threads(before[3] + 1)
        torch.manual_seed(5)
        raise ValueError("an error")
    assert state() == before


def test_products_are_exact_while_a_run_trains(settings_with, monkeypatch):
    """A GPU would round fp32 numbers to TF32 in convolutions and LSTMs, as torch lets it by default."""
    rounded = []
    fit = loop.fit_from_checkpoint
    monkeypatch.setattr(
        loop, "fit_from_checkpoint", lambda *given: (rounded.append(torch.backends.cudnn.allow_tf32), fit(*given))
    )
    monkeypatch.setattr(torch.backends.cudnn, "allow_tf32", True)
    run(settings_with("model=s2t", "protocol.steps=2"))
    assert rounded == [False]
    assert torch.backends.cudnn.allow_tf32, "the run leaves the process as it was"


def test_a_run_leaves_torch_as_it_found_it(settings_with):
    before = state()
    run(settings_with("model=s2t", "protocol.steps=2", "trainer.threads=2"))
    assert state() == before
