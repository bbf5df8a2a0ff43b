"""Aggregation, the last step of the Decomposable Attention Model: Parikh et al. 2016, section 3.3.

Legend: B batch, W width of a sentence vector, C classes or grades.
"""

from typing import ClassVar

from torch import Tensor, nn

from attest.models.arguments import Size
from attest.models.heads.base import Head
from attest.models.initialisation import ParameterDistribution, initialise_parameters
from attest.models.matchers.network import VECTORS, Features, FeedForward, join_vectors, network_symbols


class Aggregation(Head):
    """The aggregation step of DAM: Parikh et al. 2016, section 3.3; Lopez-Gazpio et al. 2019, section 2.2.

        y = linear(H([V_1; V_2]))

    V_1, V_2 (B, W), the vectors of two matched sentences -> logits y (B, C), with W = `width` and C = `classes`. H is
    the feed-forward network `aggregate`; since it ends in a ReLU, a linear layer follows. `features` selects what H
    reads: both vectors as printed (vectors), |V_1 - V_2| and V_1 (.) V_2 (differences), or all four (all).
    `initialisation` is normal (all parameters, biases included, N(0, initial^2)), uniform (all within +-initial), or
    glorot (matrices Glorot-uniform, biases 0). `dropout` falls on the input of both layers of H, which have
    `hidden_size` units.

        >>> Aggregation(200, classes=3)(torch.randn(2, 200), torch.randn(2, 200)).shape
        torch.Size([2, 3])
    """

    symbols: ClassVar[dict[str, str]] = {
        **network_symbols("aggregate", "H"),
        "output.weight": "output layer, weights",
        "output.bias": "output layer, biases",
    }

    def __init__(
        self,
        width: Size,
        classes: Size,
        *,
        hidden_size: Size = 200,
        features: Features = "vectors",
        initialisation: ParameterDistribution = "normal",
        initial: float = 0.01,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.width = width
        self.aggregate = FeedForward(VECTORS[features] * width, hidden_size, dropout=dropout)
        self.output = nn.Linear(hidden_size, classes)
        self.features: Features = features
        initialise_parameters(self, initialisation, initial)

    def forward(self, first_BW: Tensor, second_BW: Tensor) -> Tensor:
        self.check_vectors(first_BW, second_BW)
        return self.output(self.aggregate(join_vectors(first_BW, second_BW, self.features)))
