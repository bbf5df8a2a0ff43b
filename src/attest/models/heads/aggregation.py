"""From two matched sentences to logits: the last step of the decomposable attention model (Parikh et al. 2016).

Legend: B batch, W width of a sentence vector, O outputs.
"""

from typing import ClassVar

from torch import Tensor, nn

from attest.models.encoders.base import check_choice
from attest.models.heads.base import Head
from attest.models.matchers.network import (
    VECTORS,
    Features,
    FeedForward,
    Initialisation,
    initialise,
    join_vectors,
    network_symbols,
)


class Aggregation(Head):
    """What two matched sentences come to: H([V_1; V_2]), then one logit per class or grade (Parikh et al. 2016).

    H ends in ReLU, so its output is no logit yet: a linear layer follows. `features` are what H is given of V_1, V_2.
    """

    symbols: ClassVar[dict[str, str]] = {
        **network_symbols("aggregate", "H"),
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
        return self.output(self.aggregate(join_vectors(first_BW, second_BW, self.features)))
