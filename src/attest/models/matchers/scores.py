"""The attention scores of items of two sentences: Lopez-Gazpio et al. 2019, section 3.4.

Legend: B pairs of sentences, I items of the first and J items of the second sentence, D features of an item, H hidden
features.
"""

from typing import ClassVar, Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attest.models.arguments import CheckedArguments, Size, check_choice
from attest.models.kernels.dropout import Dropout
from attest.models.layer_weights import layer_weights
from attest.models.matchers.pairs import pair_scores

Attention = Literal["dot", "general", "feed_forward"]
ScoreActivation = Literal["linear", "relu"]


class Dot(nn.Module):
    """Dot-product attention: e_ij = S_i . S_j. Items (B, I, D) and (B, J, D) -> (B, I, J)."""

    def forward(self, first_BID: Tensor, second_BJD: Tensor) -> Tensor:
        return first_BID @ second_BJD.mT


class General(nn.Module):
    """General attention: e_ij = S_i . W_1 . S_j. Items (B, I, D) and (B, J, D) -> (B, I, J)."""

    symbols: ClassVar[dict[str, str]] = {"weight.weight": "W_1"}

    def __init__(self, size: int) -> None:
        super().__init__()
        self.weight = nn.Linear(size, size, bias=False)

    def forward(self, first_BID: Tensor, second_BJD: Tensor) -> Tensor:
        return first_BID @ self.weight(second_BJD).mT


class FeedForwardScores(CheckedArguments, nn.Module):
    """Feed-forward attention: e_ij = FFNet([S_i; S_j]), whose output layer has one unit.

    Items (B, I, D) and (B, J, D) -> (B, I, J). The hidden layer W [S_i; S_j] + b equals (W_left S_i + b) + W_right S_j,
    so each side is projected once. Dropout draws a mask per item, and one per pair of sentences for hidden features.
    Every FFNet of the paper ends in ReLU, which `activation` relu follows to the letter. But then scores that are all
    negative at the beginning become 0, get no gradient and stay 0. By default the last layer is therefore linear, as in
    the network H, which gives labels.
    """

    symbols: ClassVar[dict[str, str]] = {
        "hidden.weight": "attention, hidden layer, weights",
        "hidden.bias": "attention, hidden layer, biases",
        "output.weight": "attention, output layer, weights",
        "output.bias": "attention, output layer, bias",
    }

    def __init__(
        self, size: Size, hidden_size: Size, *, activation: ScoreActivation = "linear", dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.hidden = nn.Linear(2 * size, hidden_size)
        self.output = nn.Linear(hidden_size, 1)
        self.activation: ScoreActivation = activation
        self.dropout = Dropout(dropout)

    def forward(self, first_BID: Tensor, second_BJD: Tensor) -> Tensor:
        weight, bias = layer_weights(self.hidden, ["weight", "bias"])
        output_weight, output_bias = layer_weights(self.output, ["weight", "bias"])
        left_HD, right_HD = weight.chunk(2, dim=1)
        first_BIH = F.linear(self.dropout(first_BID), left_HD, bias)
        second_BJH = F.linear(self.dropout(second_BJD), right_HD)
        # The weights of the sum over hidden features stay in fp32.
        with torch.autocast(first_BID.device.type, enabled=False):
            weight_BH = self.dropout(output_weight.expand(len(first_BID), -1))
        scores_BIJ = pair_scores(first_BIH, second_BJH, weight_BH) + output_bias
        return scores_BIJ.relu() if self.activation == "relu" else scores_BIJ


def build_scores(
    attention: Attention, size: int, hidden_size: int, activation: ScoreActivation, dropout: float
) -> nn.Module:
    """Return the attention of this name; raise ValueError if `activation` does not apply to it."""
    check_choice("attention", attention, Attention)
    if attention == "feed_forward":
        return FeedForwardScores(size, hidden_size, activation=activation, dropout=dropout)
    if activation != "linear":
        raise ValueError(f"score_activation: attention={attention} has no layer for it; use attention=feed_forward")
    return General(size) if attention == "general" else Dot()
