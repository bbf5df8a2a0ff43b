"""Every model, trained for a step with dense layers in bf16."""

import math

import pytest
import torch

from attest.config.paths import shipped_folder
from attest.models import BiLSTMMax
from attest.models.kernels import backends
from attest.training import run

PLAIN = ("additive", "s2t", "multi_head", "bilstm", "bilstm_max", "cnn_max", "disan", "fast_disan")
SETTINGS = {
    **{name: [f"model={name}"] for name in PLAIN},
    "psan": ["experiment=psan/sick_entailment"],
    "structured": ["experiment=ssa/snli"],
    "dam_bow": ["experiment=dam/sick_te"],
    "dam_rnn": ["experiment=dam/sick_te/rnn_ff"],
    "dam_cnn": ["experiment=dam/sick_te/cnn3"],
    "dam_ngram": ["experiment=dam/sick_te/ngram_ff"],
}


def test_there_is_no_other_model():
    assert set(SETTINGS) == {path.stem for path in (shipped_folder("conf") / "model").glob("*.yaml")}


@pytest.mark.parametrize("model", SETTINGS)
def test_a_step_in_bf16(model, settings_with):
    record = run.run(settings_with(*SETTINGS[model], "trainer.precision=bf16", "protocol.steps=1"))
    assert math.isfinite(record.curve[-1]["train/loss"])


@pytest.mark.parametrize("half", [torch.bfloat16, torch.float16])
def test_an_lstm_of_torch_computes_in_the_type_of_its_weights_under_autocast(half):
    """On a GPU, torch's own autocast would compute it in fp16, whichever type is asked for."""
    backends.use("reference")
    encoder, x_BTE, mask_BT = BiLSTMMax(6, 4), torch.randn(2, 3, 6), torch.ones(2, 3, dtype=torch.bool)
    right = encoder(x_BTE, mask_BT)
    with torch.autocast("cpu", half):
        assert torch.equal(encoder(x_BTE, mask_BT), right)
        assert encoder(x_BTE.to(half), mask_BT).dtype == torch.float32
