"""What DiSAN's blocks and Fast-DiSA's heads have in common: what their masks can and cannot see."""

from functools import partial

import pytest
import torch
from models.layouts import one_sentence

from attest.models.encoders import DiSAN, FastDiSAN
from attest.models.encoders.disa import DirectionalBlock
from attest.models.encoders.fast_disan import FastDirectionalBlock

WORDS, FEATURES = 7, 5


@pytest.mark.parametrize(
    "make",
    [DirectionalBlock, *(partial(FastDirectionalBlock, pair_weight=weight) for weight in ("sigmoid", "exp"))],
    ids=["disa", "fast, sigmoid", "fast, exp"],
)
def test_forward_and_backward_blocks_mirror_each_other(make):
    forward, backward = make(FEATURES, 3, "forward"), make(FEATURES, 3, "backward")
    backward.load_state_dict(forward.state_dict())
    x = torch.randn(WORDS, FEATURES)
    torch.testing.assert_close(forward(x, one_sentence(x)), backward(x.flip(0), one_sentence(x)).flip(0))


@pytest.mark.parametrize("encoder", [DiSAN, FastDiSAN])
@pytest.mark.parametrize(
    ("directions", "sees_order"),
    [(("forward", "backward"), True), (("diagonal", "diagonal"), False), (("none", "none"), False)],
)
def test_only_directions_see_the_order_of_words(encoder, directions, sees_order):
    encode, x = encoder(FEATURES, 3, directions=directions), torch.randn(1, WORDS, FEATURES)
    mask, shuffled = torch.ones(1, WORDS, dtype=torch.bool), x[:, torch.tensor([3, 0, 6, 1, 5, 2, 4])]
    assert encode(x, mask).allclose(encode(shuffled, mask), atol=1e-6) is not sees_order
