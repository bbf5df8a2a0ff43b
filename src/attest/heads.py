"""From sentence vectors to predictions.

Legend: B batch, W width of a sentence vector, C classes.
"""

from typing import ClassVar, Literal

import torch
from torch import Tensor, nn

from attest.encoders.base import Activation, activation_named, check_choice, dense
from attest.kernels.dropout import Dropout

Difference = Literal["signed", "absolute"]


class PairClassifier(nn.Module):
    """The relation between two sentences: DiSAN section 5.1, after Bowman et al. 2016.

    [p; h; p - h; p (.) h] -> a hidden layer -> one logit per class, with dropout on the input of both layers.
    `difference` is signed, p - h, as the paper prints it, or absolute, |p - h|.
    """

    version: ClassVar[int] = 1
    symbols: ClassVar[dict[str, str]] = {
        "hidden.weight": "hidden layer, weights",
        "hidden.bias": "hidden layer, biases",
        "output.weight": "output layer, weights",
        "output.bias": "output layer, biases",
    }

    def __init__(
        self,
        width: int,
        classes: int,
        *,
        hidden_size: int = 300,
        activation: Activation = "elu",
        difference: Difference = "signed",
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        check_choice("difference", difference, Difference)
        self.absolute = difference == "absolute"
        self.hidden = dense(4 * width, hidden_size)
        self.output = dense(hidden_size, classes)
        self.activation = activation_named(activation)
        self.dropout = Dropout(dropout)

    def forward(self, premise_BW: Tensor, hypothesis_BW: Tensor) -> Tensor:
        difference_BW, product_BW = premise_BW - hypothesis_BW, premise_BW * hypothesis_BW
        if self.absolute:
            difference_BW = difference_BW.abs()
        features = torch.cat([premise_BW, hypothesis_BW, difference_BW, product_BW], dim=-1)
        hidden = self.activation(self.hidden(self.dropout(features)))
        return self.output(self.dropout(hidden))
