"""Which parameters decay."""

import torch

from attest.models.encoders import Additive, DiSAN
from attest.models.heads import PairClassifier
from attest.training.optim.parameters import decayed_names, parameter_groups


def test_what_is_decayed_in_disan():
    encoder = DiSAN(7, 5)
    blocks = {f"blocks.{i}.{name}.weight" for i in range(2) for name in ("hidden", "gate_hidden", "gate_attended")}
    assert decayed_names(encoder) == blocks | {"pooling.hidden.weight", "pooling.score.weight"}


def test_vectors_biases_and_word_tables_are_not_decayed():
    additive, head = Additive(7), PairClassifier(7, 3, hidden_size=5)
    table = torch.nn.Parameter(torch.zeros(11, 7))
    decayed, others, tables = parameter_groups([additive, head], [table], 5e-5)
    assert [p.shape for p in decayed["params"]] == [(7, 7), (5, 28), (3, 5)]
    assert {p.dim() for p in others["params"]} == {1}
    assert (decayed["weight_decay"], others["weight_decay"], tables["weight_decay"]) == (5e-5, 0.0, 0.0)
    assert len(tables["params"]) == 1
