"""The parts of an interrupted run: what a checkpoint names, and what its next part adds."""

from attest.training.run_parts import RunParts

CODE = {"commit": "a" * 40, "uncommitted_changes": False}
LATER = {"commit": "b" * 40, "uncommitted_changes": False}


def test_a_run_that_goes_on_elsewhere_has_two_parts(caplog, monkeypatch):
    monkeypatch.setattr("attest.system.checkout.is_same_code", lambda *commits: False)
    caplog.set_level("INFO")
    first, second = RunParts(CODE), RunParts(LATER)
    first.use_device("CPU", "fp32", 0)
    assert (first.devices, first.code_parts) == (
        [{"name": "CPU", "precision": "fp32", "from_step": 0}],
        [{**CODE, "from_step": 0}],
    )
    second.resume(first.devices, first.code_parts, 300)
    second.use_device("GPU", "bf16", 300)
    assert second.devices == [*first.devices, {"name": "GPU", "precision": "bf16", "from_step": 300}]
    assert second.code_parts == [*first.code_parts, {**LATER, "from_step": 300}]
    assert caplog.messages == [
        "the checkpoint was trained by commit aaaaaaaaaaaa, this code is commit bbbbbbbbbbbb; the record will name both"
    ]
