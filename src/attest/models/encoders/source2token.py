"""Multi-dimensional source2token self-attention: DiSAN section 3.2, equations 12 and 13.

Legend: B batch, T time, N rows of a layout, D features.
"""

from typing import ClassVar

from torch import Tensor

from attest.models.arguments import Size
from attest.models.attention import Layout, pool_words, pooling_weights
from attest.models.encoders.pooled import PooledEncoder, Pooling
from attest.models.kernels.dropout import Dropout
from attest.models.layers import Activation, activation_function, dense


class SourceToTokenPooling(Pooling):
    """Source2token self-attention: Shen et al. 2018, section 3.2. It has a separate softmax over the words per feature.

    f(x_i) = W^T sigma(W(1) x_i + b(1)) + b      (eq. 12)
    s      = sum_i P_i (.) x_i                   (eq. 13)

    x (N, D), the rows of a layout -> s (B, D). `hidden` is W(1) and b(1), `score` is W and b; the score has no
    activation. Dropout falls on the input of both layers, never on the weights P or on the words that are summed
    (authors' code).
    """

    map_name: ClassVar[str] = "source2token"
    symbols: ClassVar[dict[str, str]] = {
        "hidden.weight": "W(1)",
        "hidden.bias": "b(1)",
        "score.weight": "W",
        "score.bias": "b",
    }

    def __init__(self, size: int, *, activation: Activation = "elu", dropout: float = 0.0) -> None:
        super().__init__()
        self.hidden = dense(size, size)
        self.score = dense(size, size)
        self.activation = activation_function(activation)
        self.dropout = Dropout(dropout)

    def scores(self, x_ND: Tensor) -> Tensor:
        """Return the scores f(x_i) (N, D)."""
        return self.score(self.dropout(self.activation(self.hidden(self.dropout(x_ND)))))

    def forward(self, x_ND: Tensor, layout: Layout) -> Tensor:
        return pool_words(self.scores(x_ND), x_ND, layout)

    def weights(self, x_ND: Tensor, layout: Layout) -> Tensor:
        """Return the weights P (B, T, D), per feature a distribution over the words."""
        return pooling_weights(self.scores(x_ND), layout)


class SourceToToken(PooledEncoder):
    """The baseline "Word Embedding with s2t self-attention" of Shen et al. 2018, Table 1: DiSAN without DiSA blocks.

        f(x_i) = W^T sigma(W(1) x_i + b(1)) + b      (eq. 12)
        s      = sum_i P_i (.) x_i                   (eq. 13; P is the softmax of f over the words, for each feature)

    x (B, T, D) -> s (B, D), with D = `input_size`. `activation` is sigma; dropout falls on the input of both layers.

        >>> SourceToToken(300)(torch.randn(2, 3, 300), torch.ones(2, 3, dtype=torch.bool)).shape
        torch.Size([2, 300])
    """

    def __init__(self, input_size: Size, *, activation: Activation = "elu", dropout: float = 0.0) -> None:
        super().__init__()
        self.input_size = self.width = input_size
        self.pooling = SourceToTokenPooling(input_size, activation=activation, dropout=dropout)

    def encode_words(self, x_ND: Tensor, layout: Layout) -> Tensor:
        return x_ND
