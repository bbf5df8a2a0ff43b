"""Fast-DiSA: by hand, counts, and what its masks can and cannot see. (test_authors.py: beside the authors' code.)"""

import pytest
import torch
from models.layouts import one_sentence

from attest.config.compose import compose
from attest.models.encoders import DiSAN, FastDiSAN
from attest.models.encoders.fast_disan import FastDirectionalBlock
from attest.models.kernels.dropout import Dropout
from attest.models.sizes import trained_parameters
from attest.training.optim.parameters import decayed_names

WORDS, FEATURES = 7, 5


def test_parameters():
    """It saves memory and time, not parameters."""
    with torch.device("meta"):
        fast, slow = FastDiSAN(300, 300), DiSAN(300, 300)
    assert (trained_parameters(fast.blocks), trained_parameters(slow.blocks)) == (1_262_400, 903_000)
    assert trained_parameters(fast) == 1_262_400 + trained_parameters(slow.pooling)
    assert fast.width == slow.width == 600


def test_a_head_by_hand():
    # One feature, two words 1 and 2, W(v) = 3, all else 0: v = 3, 6 and s = 0, 3, and the gate is half open.
    block = FastDirectionalBlock(1, 1, "forward", activation="linear")
    for parameter in block.parameters():
        torch.nn.init.zeros_(parameter)
    torch.nn.init.constant_(block.value.weight, 3.0)
    x = torch.tensor([[1.0], [2.0]])
    assert block(x, one_sentence(x)).tolist() == [[1.5], [4.5]]
    # W(f) reads [v; s]: with its weight of s alone the gate of the second word is sigmoid(3 w).
    torch.nn.init.constant_(block.gate.weight[:, 1:], 7.0)
    torch.testing.assert_close(block(x, one_sentence(x)), torch.tensor([[1.5], [6.0]]))


def test_maps_give_the_words_that_are_mixed():
    block, x = FastDirectionalBlock(FEATURES, 3, "diagonal"), torch.randn(WORDS, FEATURES)
    maps, v = block.maps(x, one_sentence(x)), torch.nn.functional.elu(block.value(x))
    gate, s = maps["gate"][0], torch.einsum("qkd,kd->qd", maps["attention"][0], v)
    torch.testing.assert_close(block(x, one_sentence(x)), gate * v + (1 - gate) * s)


def test_dropout_falls_on_the_input_of_every_dense_layer(monkeypatch):
    drawn = []
    monkeypatch.setattr(Dropout, "forward", lambda self, x: drawn.append(x) or x)
    block, x = FastDirectionalBlock(FEATURES, 3, "none"), torch.randn(WORDS, FEATURES)
    block(x, one_sentence(x))
    assert [row.shape[1] for row in drawn] == [5, 3, 3, 3, 3, 6]


def test_all_matrices_are_decayed():
    encoder = FastDiSAN(FEATURES, 3)
    assert decayed_names(encoder) == {name for name, p in encoder.named_parameters() if p.dim() == 2}


def test_what_is_out_of_range_is_refused():
    with pytest.raises(ValueError, match="at least one head"):
        FastDiSAN(FEATURES, 3, directions=())
    with pytest.raises(ValueError, match="pair_weight is .*; use one of sigmoid, exp"):
        FastDiSAN(FEATURES, 3, pair_weight="tanh")


def test_the_mask_group_sets_its_directions():
    assert tuple(compose(["model=fast_disan", "mask=diagonal"]).model["directions"]) == ("diagonal", "diagonal")
