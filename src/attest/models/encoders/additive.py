"""Additive attention over word vectors: the first baseline of DiSAN's Table 1 (equation 5 without a query).

Legend: B batch, T time, N rows of a layout, D features.
"""

from typing import ClassVar

from torch import Tensor

from attest.models.arguments import Size
from attest.models.attention import Layout, masked_softmax, masked_sum
from attest.models.encoders.base import Encoder
from attest.models.initialisation import glorot_vector
from attest.models.kernels.dropout import Dropout
from attest.models.layers import Activation, activation_function, dense


class Additive(Encoder):
    """The baseline "Word Embedding with additive attention" of Shen et al. 2018, Table 1: eq. 5 without its query.

        f(x_i) = w^T sigma(W(1) x_i + b(1)),   s = sum_i softmax(f)_i x_i

    x (B, T, D) -> s (B, D), with D = `input_size`. Every word has one score, shared by all features. `hidden` is W(1)
    and b(1), `score` is w, which has no bias and no L2 penalty (authors' code). `activation` is sigma. `dropout` falls
    on the input of both.

        >>> Additive(300)(torch.randn(2, 3, 300), torch.ones(2, 3, dtype=torch.bool)).shape
        torch.Size([2, 300])
    """

    symbols: ClassVar[dict[str, str]] = {"hidden.weight": "W(1)", "hidden.bias": "b(1)", "score": "w"}

    def __init__(self, input_size: Size, *, activation: Activation = "elu", dropout: float = 0.0) -> None:
        super().__init__()
        self.input_size = self.width = input_size
        self.hidden = dense(input_size, input_size)
        self.score = glorot_vector(input_size)
        self.activation = activation_function(activation)
        self.dropout = Dropout(dropout)

    def weights(self, x_ND: Tensor, layout: Layout) -> Tensor:
        """Return softmax(f) (B, T), a distribution over the words of each sentence."""
        hidden_ND = self.activation(self.hidden(self.dropout(x_ND)))
        scores_BT = layout.grid(self.dropout(hidden_ND) @ self.score)
        return masked_softmax(scores_BT, layout.grid_mask_BT, dim=1)

    def encode(self, x_ND: Tensor, layout: Layout) -> Tensor:
        return masked_sum(self.weights(x_ND, layout)[..., None], layout.grid(x_ND), layout.grid_mask_BT)

    def maps(self, x_ND: Tensor, layout: Layout) -> dict[str, Tensor]:
        return {"additive": self.weights(x_ND, layout)}
