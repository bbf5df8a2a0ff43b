"""The attention scores of a network: where dropout falls. (test_dam.py: the scores by the paper's equations.)"""

import torch
from models.doubled_dropout import double_dropout

from attest.models.matchers.scores import FeedForwardScores

FEATURES, HIDDEN = 3, 5


def test_dropout_falls_on_the_items_and_on_the_hidden_features(monkeypatch):
    double_dropout(monkeypatch)
    scores = FeedForwardScores(FEATURES, HIDDEN, dropout=0.5)
    first, second = torch.randn(2, 4, FEATURES), torch.randn(2, 6, FEATURES)
    pairs = torch.cat([first[:, :, None].expand(-1, -1, 6, -1), second[:, None].expand(-1, 4, -1, -1)], dim=-1)
    hidden = scores.hidden(2 * pairs).relu()
    torch.testing.assert_close(scores(first, second), (2 * hidden @ scores.output.weight[0]) + scores.output.bias)


def test_each_pair_of_sentences_has_one_mask_of_hidden_features():
    """With hidden features of 1, and output weights of 1, a score is twice the number of features that are kept."""
    scores = FeedForwardScores(FEATURES, 200, dropout=0.5)
    torch.nn.init.zeros_(scores.hidden.weight)
    torch.nn.init.ones_(scores.hidden.bias)
    torch.nn.init.ones_(scores.output.weight)
    torch.nn.init.zeros_(scores.output.bias)
    scores_BIJ = scores(torch.randn(8, 4, FEATURES), torch.randn(8, 6, FEATURES))
    assert scores_BIJ.eq(scores_BIJ[:, :1, :1]).all()
    assert scores_BIJ.remainder(2).eq(0).all()
    assert len(scores_BIJ[:, 0, 0].unique()) > 2


def test_each_item_has_a_mask_of_its_own():
    """Equal items of one sentence get different scores, since their features are dropped independently."""
    scores = FeedForwardScores(FEATURES, 50, dropout=0.5)
    scores_BIJ = scores(torch.ones(1, 4, FEATURES), torch.ones(1, 6, FEATURES))
    assert len(scores_BIJ[0, :, 0].unique()) > 1
    assert len(scores_BIJ[0, 0].unique()) > 1
