"""How two items of two sentences attend to each other: Lopez-Gazpio et al. 2019, section 3.4.

Legend: B pairs of sentences, I and J items of the one and of the other sentence, D features of an item, H hidden
features.
"""

from typing import ClassVar, Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attest.models.encoders.base import check_choice
from attest.models.kernels.dropout import Dropout
from attest.models.matchers.pairs import pair_scores

Attention = Literal["dot", "general", "feed_forward"]
ScoreActivation = Literal["linear", "relu"]


class Dot(nn.Module):
    """e_ij = S_i . S_j"""

    def forward(self, first_BID: Tensor, second_BJD: Tensor) -> Tensor:
        return first_BID @ second_BJD.mT


class General(nn.Module):
    """e_ij = S_i . W_1 . S_j"""

    symbols: ClassVar[dict[str, str]] = {"weight.weight": "W_1"}

    def __init__(self, size: int) -> None:
        super().__init__()
        self.weight = nn.Linear(size, size, bias=False)

    def forward(self, first_BID: Tensor, second_BJD: Tensor) -> Tensor:
        return first_BID @ self.weight(second_BJD).mT


class FeedForwardScores(nn.Module):
    """e_ij = FFNet([S_i; S_j]), whose output layer has one unit.

    The hidden layer W [S_i; S_j] + b is (W_left S_i + b) + W_right S_j: each side is projected once, and added. Its
    dropout draws a mask per item, and one per pair of sentences for the hidden features. Every FFNet of the paper
    ends in ReLU, and `activation` relu is that to the letter; but scores that are all below 0 at the beginning are then
    all 0, get no gradient, and stay there. So, as where H gives labels, the last layer is linear.
    """

    symbols: ClassVar[dict[str, str]] = {
        "hidden.weight": "attention, hidden layer, weights",
        "hidden.bias": "attention, hidden layer, biases",
        "output.weight": "attention, output layer, weights",
        "output.bias": "attention, output layer, bias",
    }

    def __init__(
        self, size: int, hidden_size: int, *, activation: ScoreActivation = "linear", dropout: float = 0.0
    ) -> None:
        super().__init__()
        check_choice("score_activation", activation, ScoreActivation)
        self.hidden = nn.Linear(2 * size, hidden_size)
        self.output = nn.Linear(hidden_size, 1)
        self.activation: ScoreActivation = activation
        self.dropout = Dropout(dropout)

    def forward(self, first_BID: Tensor, second_BJD: Tensor) -> Tensor:
        left_HD, right_HD = self.hidden.weight.chunk(2, dim=1)
        first_BIH = F.linear(self.dropout(first_BID), left_HD, self.hidden.bias)
        second_BJH = F.linear(self.dropout(second_BJD), right_HD)
        with torch.autocast(first_BID.device.type, enabled=False):  # what sums up all hidden features is not rounded
            weight_BH = self.dropout(self.output.weight.expand(len(first_BID), -1))
        scores_BIJ = pair_scores(first_BIH, second_BJH, weight_BH) + self.output.bias
        return scores_BIJ.relu() if self.activation == "relu" else scores_BIJ


def build_scores(
    attention: Attention, size: int, hidden_size: int, activation: ScoreActivation, dropout: float
) -> nn.Module:
    check_choice("attention", attention, Attention)
    if attention == "feed_forward":
        return FeedForwardScores(size, hidden_size, activation=activation, dropout=dropout)
    if activation != "linear":
        raise ValueError("score_activation: attention=feed_forward alone has a layer for it")
    return General(size) if attention == "general" else Dot()
