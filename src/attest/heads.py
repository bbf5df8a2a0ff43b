"""From sentence vectors to predictions.

Legend: B batch, W width of a sentence vector, F features, C classes.
"""

from typing import ClassVar, Literal

import torch
from torch import Tensor, nn

from attest.encoders.base import Activation, activation_named, check_choice, dense
from attest.encoders.base import Initialisation as Glorot
from attest.encoders.base import initialise as glorot
from attest.kernels.dropout import Dropout
from attest.matchers.network import VECTORS, Features, FeedForward, Initialisation, initialise, joined, symbols_of

Difference = Literal["signed", "absolute"]
Layers = Literal[1, 2]


class Head(nn.Module):
    """Sentence vectors (B, W), one or two, to outputs (B, O)."""

    version: ClassVar[int] = 1
    symbols: ClassVar[dict[str, str]] = {}


class Classifier(Head):
    """A hidden layer or two, then one logit per class; dropout falls on the input of each."""

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
        features: int,
        classes: int,
        hidden_size: int,
        activation: Activation,
        dropout: float,
        *,
        bias: bool,
        layers: Layers = 1,
    ) -> None:
        """`bias`: whether the logits have one."""
        super().__init__()
        check_choice("hidden_layers", layers, Layers)
        self.hidden = dense(features, hidden_size)
        self.deeper = nn.ModuleList(dense(hidden_size, hidden_size) for _ in range(layers - 1))
        self.output = dense(hidden_size, classes, bias=bias)
        self.activation = activation_named(activation)
        self.dropout = Dropout(dropout)

    def logits(self, features_BF: Tensor) -> Tensor:
        hidden = self.activation(self.hidden(self.dropout(features_BF)))
        for layer in self.deeper:
            hidden = self.activation(layer(self.dropout(hidden)))
        return self.output(self.dropout(hidden))


class PairClassifier(Classifier):
    """The relation between two sentences: DiSAN section 5.1, after Bowman et al. 2016.

    The features are [p; h; p - h; p (.) h]. `difference` is signed, p - h, as the paper prints it, or absolute,
    |p - h|.
    """

    def __init__(
        self,
        width: int,
        classes: int,
        *,
        hidden_size: int = 300,
        activation: Activation = "elu",
        difference: Difference = "signed",
        initialisation: Glorot = "uniform",
        hidden_layers: Layers = 1,
        dropout: float = 0.0,
    ) -> None:
        super().__init__(4 * width, classes, hidden_size, activation, dropout, bias=True, layers=hidden_layers)
        check_choice("difference", difference, Difference)
        glorot(self, initialisation)
        self.absolute = difference == "absolute"

    def forward(self, premise_BW: Tensor, hypothesis_BW: Tensor) -> Tensor:
        difference_BW, product_BW = premise_BW - hypothesis_BW, premise_BW * hypothesis_BW
        if self.absolute:
            difference_BW = difference_BW.abs()
        return self.logits(torch.cat([premise_BW, hypothesis_BW, difference_BW, product_BW], dim=-1))


class SentenceClassifier(Classifier):
    """The class of a sentence: DiSAN section 5.2. As in the authors' code, the logits have no bias unless asked for."""

    def __init__(
        self,
        width: int,
        classes: int,
        *,
        hidden_size: int = 300,
        activation: Activation = "elu",
        bias: bool = False,
        initialisation: Glorot = "uniform",
        dropout: float = 0.0,
    ) -> None:
        super().__init__(width, classes, hidden_size, activation, dropout, bias=bias)
        glorot(self, initialisation)

    def forward(self, sentence_BW: Tensor) -> Tensor:
        return self.logits(sentence_BW)


class RelatednessScorer(Head):
    """How closely two sentences are related: one logit per grade, after Tai, Socher and Manning 2015.

    h = sigma(W(x) (p (.) h) + W(+) |p - h| + b(h)), as in the authors' later code with ReLU where Tai et al. have a
    sigmoid; dropout falls on the input of every layer.
    """

    version: ClassVar[int] = 2
    """1 was pulled to the gold scores by a divergence in bf16 where its layers were."""
    symbols: ClassVar[dict[str, str]] = {
        "product.weight": "W(x)",
        "difference.weight": "W(+)",
        "difference.bias": "b(h)",
        "output.weight": "W(p)",
        "output.bias": "b(p)",
    }

    def __init__(
        self,
        width: int,
        classes: int,
        *,
        hidden_size: int = 300,
        activation: Activation = "relu",
        initialisation: Glorot = "uniform",
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.product = dense(width, hidden_size, bias=False)
        self.difference = dense(width, hidden_size)
        self.output = dense(hidden_size, classes)
        glorot(self, initialisation)
        self.activation = activation_named(activation)
        self.dropout = Dropout(dropout)

    def forward(self, first_BW: Tensor, second_BW: Tensor) -> Tensor:
        product, difference = first_BW * second_BW, (first_BW - second_BW).abs()
        hidden = self.activation(self.product(self.dropout(product)) + self.difference(self.dropout(difference)))
        return self.output(self.dropout(hidden))


class Aggregation(Head):
    """What two matched sentences come to: H([V_1; V_2]), then one logit per class or grade (Parikh et al. 2016).

    H ends in ReLU, so its output is no logit yet: a linear layer follows. `features` are what H is given of V_1, V_2.
    """

    symbols: ClassVar[dict[str, str]] = {
        **symbols_of("aggregate", "H"),
        "output.weight": "output layer, weights",
        "output.bias": "output layer, biases",
    }

    def __init__(
        self,
        width: int,
        classes: int,
        *,
        hidden_size: int = 200,
        features: Features = "vectors",
        initialisation: Initialisation = "normal",
        initial: float = 0.01,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        check_choice("features", features, Features)
        self.aggregate = FeedForward(VECTORS[features] * width, hidden_size, dropout=dropout)
        self.output = nn.Linear(hidden_size, classes)
        self.features: Features = features
        initialise(self, initialisation, initial)

    def forward(self, first_BW: Tensor, second_BW: Tensor) -> Tensor:
        return self.output(self.aggregate(joined(first_BW, second_BW, self.features)))
