"""Encoders that pool words in context: the words are pooled, and the maps are the weights of the pooling."""

import torch

from attest.models import BiLSTMMax, CNNMax
from attest.models.encoders.pooled import MaxPooling, PooledEncoder


class Doubled(PooledEncoder):
    """An encoder of two features whose words in context are the words, doubled."""

    def __init__(self) -> None:
        super().__init__()
        self.width, self.pooling = 2, MaxPooling()

    def encode_words(self, x_ND, layout):
        return 2 * x_ND


def test_words_in_context_are_pooled():
    x, mask = torch.tensor([[[1.0, -3.0], [0.0, -1.0], [9.0, 9.0]]]), torch.tensor([[True, True, False]])
    assert Doubled()(x, mask).tolist() == [[2.0, -2.0]]
    maps = Doubled().attend(x, mask)
    assert list(maps) == ["maximum"]
    assert maps["maximum"].tolist() == [[[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]]


def test_max_pooling_adds_nothing_to_the_weights_of_a_model():
    assert not MaxPooling().state_dict()
    for encoder in (BiLSTMMax(7, 3), CNNMax(7, 3)):
        assert not [name for name in encoder.state_dict() if name.startswith("pooling")]
