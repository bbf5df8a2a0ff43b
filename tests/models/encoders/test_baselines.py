"""The other encoders of Table 1, by hand and against the plain formula."""

import math

import pytest
import torch

from attest.models.attention import Layout
from attest.models.encoders import Additive, BiLSTM, MultiHead, SourceToToken
from attest.models.encoders.multi_head import position_encodings
from attest.models.encoders.recurrent import reverse_words


def zeroed(module: torch.nn.Module) -> torch.nn.Module:
    for parameter in module.parameters():
        torch.nn.init.zeros_(parameter)
    return module


def test_source2token_by_hand():
    # Scores of feature 0 are its own value, of feature 1 zero: softmax (1/4, 3/4) and (1/2, 1/2).
    encoder = zeroed(SourceToToken(2, activation="linear"))
    with torch.no_grad():
        encoder.pooling.hidden.weight.copy_(torch.eye(2))
        encoder.pooling.score.weight[0, 0] = 1.0
    x = torch.tensor([[[0.0, 2.0], [math.log(3), 6.0]]])
    got = encoder(x, torch.ones(1, 2, dtype=torch.bool))
    torch.testing.assert_close(got, torch.tensor([[0.75 * math.log(3), 4.0]]))


def test_additive_by_hand():
    # One score per word for all features: 0 and ln 3.
    encoder = zeroed(Additive(2, activation="linear"))
    with torch.no_grad():
        encoder.hidden.weight.copy_(torch.eye(2))
        encoder.score[0] = 1.0
    x = torch.tensor([[[0.0, 2.0], [math.log(3), 6.0]]])
    got = encoder(x, torch.ones(1, 2, dtype=torch.bool))
    torch.testing.assert_close(got, torch.tensor([[0.75 * math.log(3), 5.0]]))


@pytest.mark.parametrize("make", [Additive, SourceToToken])
def test_the_order_of_words_does_not_matter(make):
    encoder, x, mask = make(5), torch.randn(2, 7, 5), torch.ones(2, 7, dtype=torch.bool)
    torch.testing.assert_close(encoder(x[:, torch.randperm(7)], mask), encoder(x, mask))


def test_positions_by_hand():
    got = position_encodings(torch.arange(3), 4, like=torch.zeros(()))
    # i = 0, 2 for the two pairs of four features; wavelengths 1 and 10000^(2 * 2 / 4) = 10000.
    expected = [[math.sin(t), math.cos(t), math.sin(t / 10000), math.cos(t / 10000)] for t in range(3)]
    torch.testing.assert_close(got, torch.tensor(expected))
    # As printed by Vaswani et al., the second wavelength is 10000^(2 / 4) = 100.
    got = position_encodings(torch.arange(3), 4, "vaswani", like=torch.zeros(()))
    expected = [[math.sin(t), math.cos(t), math.sin(t / 100), math.cos(t / 100)] for t in range(3)]
    torch.testing.assert_close(got, torch.tensor(expected))


def test_multi_head_has_the_positions_that_are_asked_for():
    x, mask = torch.randn(2, 7, 5), torch.ones(2, 7, dtype=torch.bool)
    encoders = {name: MultiHead(5, 3, heads=2, positions=name) for name in ("authors", "vaswani")}
    encoders["vaswani"].load_state_dict(encoders["authors"].state_dict())
    by_name = {name: encoder(x, mask) for name, encoder in encoders.items()}
    assert not by_name["authors"].allclose(by_name["vaswani"])
    assert MultiHead(5, 3, heads=2).positions == "authors"


def test_multi_head_is_scaled_dot_product_attention():
    encoder = MultiHead(5, 3, heads=2)
    x, mask = torch.randn(2, 7, 5), torch.ones(2, 7, dtype=torch.bool)
    layout = Layout(mask, packed=True)
    query, key, value = encoder.project(x.flatten(0, 1), layout)
    expected = torch.nn.functional.scaled_dot_product_attention(query, key, value).transpose(1, 2).flatten(2)
    torch.testing.assert_close(encoder.encode_words(x.flatten(0, 1), layout), expected.flatten(0, 1))


def test_multi_head_refuses_heads_that_do_not_divide():
    with pytest.raises(ValueError, match="heads is 4, which does not divide 2 x hidden_size = 6"):
        MultiHead(5, 3, heads=4)


def test_bilstm_equals_torchs_packed_bidirectional_lstm():
    encoder, x = BiLSTM(3, 2), torch.randn(2, 5, 3)
    lengths = torch.tensor([5, 3])
    mask = torch.arange(5) < lengths[:, None]
    x = x.masked_fill(~mask[..., None], 0.0)
    packed_lstm = torch.nn.LSTM(3, 2, batch_first=True, bidirectional=True)
    state = dict(encoder.forward_lstm.state_dict())
    state |= {f"{name}_reverse": value for name, value in encoder.backward_lstm.state_dict().items()}
    packed_lstm.load_state_dict(state)
    packed = torch.nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True)
    expected, _ = torch.nn.utils.rnn.pad_packed_sequence(packed_lstm(packed)[0], batch_first=True)
    torch.testing.assert_close(encoder.encode_words(x[mask], Layout(mask, packed=True)), expected[mask])


def test_reversing_leaves_padding_where_it_is():
    x = torch.tensor([[[1.0], [2.0], [3.0]], [[4.0], [5.0], [0.0]], [[0.0], [0.0], [0.0]]])
    got = reverse_words(x, torch.tensor([3, 2, 0]))
    assert got[..., 0].tolist() == [[3.0, 2.0, 1.0], [5.0, 4.0, 0.0], [0.0, 0.0, 0.0]]
    assert reverse_words(got, torch.tensor([3, 2, 0])).equal(x)


def test_the_second_bias_of_torchs_lstm_is_not_trained():
    names = {name for name, p in BiLSTM(3, 2).named_parameters() if not p.requires_grad}
    assert names == {"forward_lstm.bias_hh_l0", "backward_lstm.bias_hh_l0"}
