"""A convolution with max pooling: the second baseline of Table 1 of Lin et al. 2017 (SSA).

Legend: B batch, T time, N rows of a layout, E word vector, D features.
"""

from typing import ClassVar

from torch import Tensor, nn

from attest.models.arguments import Size
from attest.models.attention import Layout
from attest.models.encoders.pooled import MaxPooling, PooledEncoder
from attest.models.kernels.dropout import Dropout
from attest.models.layers import Activation, activation_function


class CNNMax(PooledEncoder):
    """The baseline "CNN + Max Pooling" of Lin et al. 2017 (Table 1): filters over `window` words, then the maximum.

        h_i = sigma(W [x_(i-k); ...; x_(i+k)] + b),   s = max_i h_i, per feature,   window = 2k + 1

    x (B, T, E) -> s (B, 2 hidden_size), with E = `input_size`. The text names neither the number of filters nor their
    width. There are 2 hidden_size filters, so that the width is that of a Bi-LSTM with the same setting. Zeros stand
    beyond the ends of a sentence. `window` is odd, `activation` is sigma. `dropout` falls on the word vectors.

        >>> CNNMax(300, 300, window=3)(torch.randn(2, 3, 300), torch.ones(2, 3, dtype=torch.bool)).shape
        torch.Size([2, 600])
    """

    symbols: ClassVar[dict[str, str]] = {"filters.weight": "W", "filters.bias": "b"}

    def __init__(
        self,
        input_size: Size,
        hidden_size: Size = 300,
        *,
        window: Size = 3,
        activation: Activation = "relu",
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        if window % 2 == 0:
            raise ValueError(f"window is {window}; use an odd number of words")
        self.input_size, self.width = input_size, 2 * hidden_size
        self.filters = nn.Conv1d(input_size, self.width, window, padding=window // 2)
        nn.init.xavier_uniform_(self.filters.weight)
        nn.init.zeros_(self.filters.get_parameter("bias"))
        self.activation = activation_function(activation)
        self.dropout = Dropout(dropout)
        self.pooling = MaxPooling()

    def encode_words(self, x_ND: Tensor, layout: Layout) -> Tensor:
        """Return the feature maps h (N, W)."""
        x_BTE = layout.grid(self.dropout(x_ND))
        return layout.rows_of_grid(self.activation(self.filters(x_BTE.transpose(1, 2)).transpose(1, 2)))
