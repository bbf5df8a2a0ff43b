"""The feed-forward network of DAM: by its definition, with dropout. (test_dam.py: its initial weights.)"""

import torch
from models.doubled_dropout import double_dropout

from attest.models.matchers.network import FeedForward


def test_dropout_falls_on_the_input_of_both_layers(monkeypatch):
    double_dropout(monkeypatch)
    network, x = FeedForward(3, 4, dropout=0.5), torch.randn(6, 3)
    torch.testing.assert_close(network(x), network.output(2 * network.hidden(2 * x).relu()).relu())


def test_both_layers_end_in_a_relu():
    network = FeedForward(1, 1)
    for parameter in network.parameters():
        torch.nn.init.ones_(parameter)
    assert network(torch.tensor([[2.0], [-3.0]])).tolist() == [[4.0], [1.0]]
    torch.nn.init.constant_(network.output.weight, -1.0)
    assert network(torch.tensor([[2.0]])).tolist() == [[0.0]]
