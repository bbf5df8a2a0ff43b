"""Classifiers of a sentence or a pair of sentences: DiSAN, sections 5.1 and 5.2.

Legend: B batch, W width of a sentence vector, F features, C classes.
"""

from typing import ClassVar, Literal

import torch
from torch import Tensor, nn

from attest.models.arguments import Size
from attest.models.heads.base import Head
from attest.models.initialisation import GlorotOrTorch, initialise_dense
from attest.models.kernels.dropout import Dropout
from attest.models.layers import Activation, activation_function, dense

Difference = Literal["signed", "absolute"]
Layers = Literal[1, 2]


class Classifier(Head):
    """The base class of heads with one or two hidden layers and one logit per class.

    Dropout falls on the input of every layer. `input_size` is the number of features of an example, and `bias` says
    whether the output layer has biases.
    """

    symbols: ClassVar[dict[str, str]] = {
        "hidden.weight": "hidden layer, weights",
        "hidden.bias": "hidden layer, biases",
        "deeper.0.weight": "second hidden layer, weights",
        "deeper.0.bias": "second hidden layer, biases",
        "output.weight": "output layer, weights",
        "output.bias": "output layer, biases",
    }

    def __init__(
        self,
        input_size: Size,
        classes: Size,
        hidden_size: Size,
        activation: Activation,
        dropout: float,
        *,
        bias: bool,
        layers: Layers = 1,
    ) -> None:
        super().__init__()
        self.hidden = dense(input_size, hidden_size)
        self.deeper = nn.ModuleList(dense(hidden_size, hidden_size) for _ in range(layers - 1))
        self.output = dense(hidden_size, classes, bias=bias)
        self.activation = activation_function(activation)
        self.dropout = Dropout(dropout)

    def logits(self, features_BF: Tensor) -> Tensor:
        """Return the logits (B, C) of features (B, F)."""
        hidden = self.activation(self.hidden(self.dropout(features_BF)))
        for layer in self.deeper:
            hidden = self.activation(layer(self.dropout(hidden)))
        return self.output(self.dropout(hidden))


class PairClassifier(Classifier):
    """The classifier of a pair of sentences: Shen et al. 2018 (DiSAN), section 5.1, after Bowman et al. 2016.

        y = W(o) sigma(W(h) [p; h; p - h; p (.) h] + b(h)) + b(o)

    premise p (B, W), hypothesis h (B, W) -> logits y (B, C), with W = `width` and C = `classes`. `difference` is
    signed, p - h as printed, or absolute, |p - h|. `activation` is sigma; there are `hidden_layers`, 1 or 2, of
    `hidden_size` units. `dropout` falls on the input of every layer. `initialisation` is uniform or normal (all
    matrices Glorot-uniform or Glorot-normal, all biases 0), or torch (torch's own values).

        >>> PairClassifier(600, classes=3)(torch.randn(2, 600), torch.randn(2, 600)).shape
        torch.Size([2, 3])
    """

    def __init__(
        self,
        width: Size,
        classes: Size,
        *,
        hidden_size: Size = 300,
        activation: Activation = "elu",
        difference: Difference = "signed",
        initialisation: GlorotOrTorch = "uniform",
        hidden_layers: Layers = 1,
        dropout: float = 0.0,
    ) -> None:
        super().__init__(4 * width, classes, hidden_size, activation, dropout, bias=True, layers=hidden_layers)
        self.width = width
        initialise_dense(self, initialisation)
        self.absolute = difference == "absolute"

    def forward(self, premise_BW: Tensor, hypothesis_BW: Tensor) -> Tensor:
        self.check_vectors(premise_BW, hypothesis_BW)
        difference_BW, product_BW = premise_BW - hypothesis_BW, premise_BW * hypothesis_BW
        if self.absolute:
            difference_BW = difference_BW.abs()
        return self.logits(torch.cat([premise_BW, hypothesis_BW, difference_BW, product_BW], dim=-1))


class SentenceClassifier(Classifier):
    """The classifier of a sentence: Shen et al. 2018 (DiSAN), section 5.2.

        y = W(o) sigma(W(h) s + b(h)),   s (B, W) -> logits y (B, C), with W = `width` and C = `classes`

    As in the authors' code the output layer has no bias by default; `bias` adds one. `activation` is sigma, of a hidden
    layer of `hidden_size` units; `dropout` falls on the input of both layers. `initialisation` is uniform or normal
    (all matrices Glorot-uniform or Glorot-normal, all biases 0), or torch (torch's own values).

        >>> SentenceClassifier(600, classes=6)(torch.randn(2, 600)).shape
        torch.Size([2, 6])
    """

    def __init__(
        self,
        width: Size,
        classes: Size,
        *,
        hidden_size: Size = 300,
        activation: Activation = "elu",
        bias: bool = False,
        initialisation: GlorotOrTorch = "uniform",
        dropout: float = 0.0,
    ) -> None:
        super().__init__(width, classes, hidden_size, activation, dropout, bias=bias)
        self.width = width
        initialise_dense(self, initialisation)

    def forward(self, sentence_BW: Tensor) -> Tensor:
        self.check_vectors(sentence_BW)
        return self.logits(sentence_BW)
