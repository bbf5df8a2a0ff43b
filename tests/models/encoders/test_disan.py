"""DiSAN: by hand, counts, and what its masks can and cannot see."""

import pytest
import torch
from models.layouts import one_sentence

from attest.models.encoders import DiSAN
from attest.models.encoders.disan import DirectionalBlock

WORDS, FEATURES = 7, 5


def test_a_block_by_hand():
    # One feature, two words 1 and 2, W(h) = 3, all other weights and biases 0, linear activation.
    block = DirectionalBlock(1, 1, "forward", activation="linear")
    for parameter in block.parameters():
        torch.nn.init.zeros_(parameter)
    torch.nn.init.constant_(block.hidden.weight, 3.0)
    x = torch.tensor([[1.0], [2.0]])
    # h = 3, 6; s = 0, 3 (the second word sees the first alone); F = sigmoid(0) = 1/2; u = (h + s) / 2.
    assert block(x, one_sentence(x)).tolist() == [[1.5], [4.5]]
    # A gate that is wide open lets h through: sigmoid(b) = 1 in fp32.
    torch.nn.init.constant_(block.gate_bias, 50.0)
    assert block(x, one_sentence(x)).tolist() == [[3.0], [6.0]]


@pytest.mark.parametrize(("direction", "untouched"), [("forward", 0), ("backward", WORDS - 1)])
def test_the_last_word_in_line_attends_to_nobody(direction, untouched):
    block, x = DirectionalBlock(FEATURES, 3, direction), torch.randn(WORDS, FEATURES)
    weights = block.maps(x, one_sentence(x))["attention"]
    assert weights[0, untouched].eq(0).all()
    assert weights[0].sum(1).gt(0.99).any(1).sum() == WORDS - 1


def test_width_follows_the_blocks():
    assert DiSAN(FEATURES, 3).width == 6
    assert DiSAN(FEATURES, 3, directions=("forward",)).width == 3


def test_what_is_out_of_range_is_refused():
    with pytest.raises(ValueError, match="at least one block"):
        DiSAN(FEATURES, 3, directions=())
    with pytest.raises(ValueError, match="scale"):
        DiSAN(FEATURES, 3, scale=0.0)


def test_dropout_spares_attended_words_and_weights():
    """With every dense input dropped, h is 0 behind W(h); what remains is sigma_h(b(h)) through the attention."""
    block = DirectionalBlock(FEATURES, 3, "none", activation="linear", dropout=1.0)
    torch.nn.init.constant_(block.hidden.bias, 2.0)
    x = torch.randn(WORDS, FEATURES)
    torch.testing.assert_close(block(x, one_sentence(x)), torch.full((WORDS, 3), 2.0))
