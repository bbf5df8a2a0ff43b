"""Multi-head attention, then source2token self-attention: the third baseline of DiSAN's Table 1.

Legend: B batch, T time (Q as query, K as key), N rows of a layout, E word vector, H heads, S features per head,
W = H S.
"""

from typing import ClassVar, Literal

import torch
from torch import Tensor, nn

from attest.models.arguments import Size
from attest.models.attention import Layout, masked_softmax
from attest.models.attention.masked import at_least_fp32
from attest.models.encoders.pooled import PooledEncoder
from attest.models.encoders.source2token import SourceToTokenPooling
from attest.models.kernels.dropout import Dropout
from attest.models.layers import Activation, dense

DropoutAt = Literal["dense", "words"]
Positions = Literal["authors", "vaswani"]
EXPONENTS: dict[Positions, float] = {"authors": 2.0, "vaswani": 1.0}
"""The factor of the exponent i/E of a wavelength, for the even feature i of a sine and a cosine."""


def position_encodings(position_N: Tensor, size: int, positions: Positions = "authors", *, like: Tensor) -> Tensor:
    """Return sinusoidal position encodings (N, E): a sine for each even feature i, and a cosine for i + 1.

    vaswani: the wavelength grows as 10000^(i/E), as in Vaswani et al. 2017. authors: as 10000^(2i/E), as in the later
    code of DiSAN's authors, where half of the features hardly change over a sentence. `like` gives device and dtype;
    angles are computed at least in fp32, since 16 bits cannot count the positions of a long sentence.
    """
    feature_E, kind = torch.arange(size, device=like.device), at_least_fp32(like.new_empty(())).dtype
    even_E = (feature_E // 2 * 2).to(kind)
    angle_NE = position_N[:, None].to(kind) / 10000.0 ** (EXPONENTS[positions] * even_E / size)
    return torch.where(feature_E % 2 == 0, angle_NE.sin(), angle_NE.cos()).to(like.dtype)


class MultiHead(PooledEncoder):
    """The baseline "Multi-head with s2t self-attention" of Shen et al. 2018, Table 1, after Vaswani et al. 2017.

        x'     = x + position encodings
        head_h = softmax(x' W^Q_h (x' W^K_h)^T / sqrt(S)) x' W^V_h,   u = [head_1; ...; head_H]
        s      = source2token(u)                                      (DiSAN's eqs. 12 and 13)

    x (B, T, E) -> s (B, 2 hidden_size), with E = `input_size`; the `heads` together have 2 hidden_size features, as
    DiSAN's two blocks have. As in the authors' later code there is no bias, output projection, residual, normalisation
    or feed-forward layer. `dropout_at` says where `dropout` falls: dense, their choice: the inputs of the projections
    and the attention weights (their code draws one input mask per head and projection, here the three projections share
    one); or words: the word vectors with their position encodings. `activation` is that of source2token. `positions`
    says which wavelengths the position encodings have: authors, those of their later code; or vaswani, those that the
    paper refers to.

        >>> MultiHead(300, 300, heads=8)(torch.randn(2, 3, 300), torch.ones(2, 3, dtype=torch.bool)).shape
        torch.Size([2, 600])
    """

    symbols: ClassVar[dict[str, str]] = {"query.weight": "W^Q", "key.weight": "W^K", "value.weight": "W^V"}

    def __init__(
        self,
        input_size: Size,
        hidden_size: Size = 300,
        *,
        heads: Size = 8,
        activation: Activation = "elu",
        dropout: float = 0.0,
        dropout_at: DropoutAt = "dense",
        positions: Positions = "authors",
    ) -> None:
        super().__init__()
        self.input_size, self.width = input_size, 2 * hidden_size
        if self.width % heads:
            raise ValueError(
                f"heads is {heads}, which does not divide 2 x hidden_size = {self.width}; choose a divisor"
            )
        self.heads = heads
        self.positions: Positions = positions
        self.query = dense(input_size, self.width, bias=False)
        self.key = dense(input_size, self.width, bias=False)
        self.value = dense(input_size, self.width, bias=False)
        # The bound is Glorot's for the (E, S) matrix of one head, not for the stacked matrix of all heads.
        bound = (6.0 / (input_size + self.width // heads)) ** 0.5
        for projection in (self.query, self.key, self.value):
            nn.init.uniform_(projection.weight, -bound, bound)
        inside = dropout if dropout_at == "dense" else 0.0
        self.word_dropout, self.dropout = Dropout(dropout), Dropout(inside)
        self.pooling = SourceToTokenPooling(self.width, activation=activation, dropout=inside)

    def project(self, x_NE: Tensor, layout: Layout) -> tuple[Tensor, Tensor, Tensor]:
        """Return queries, keys and values, each (B, H, T, S)."""
        dropped_NE = self.word_dropout(
            x_NE + position_encodings(layout.position_N, x_NE.shape[1], self.positions, like=x_NE)
        )

        def split(projection: nn.Linear) -> Tensor:
            return layout.grid(projection(dropped_NE)).unflatten(-1, (self.heads, -1)).transpose(1, 2)

        return split(self.query), split(self.key), split(self.value)

    def weights(self, query_BHQS: Tensor, key_BHKS: Tensor, layout: Layout) -> Tensor:
        """Return the attention weights (B, H, Q, K)."""
        scores_BHQK = query_BHQS @ key_BHKS.transpose(-1, -2) / query_BHQS.shape[-1] ** 0.5
        return masked_softmax(scores_BHQK, layout.grid_mask_BT[:, None, None, :], dim=-1)

    def encode_words(self, x_ND: Tensor, layout: Layout) -> Tensor:
        """Return the words in context u (N, W)."""
        query_BHQS, key_BHKS, value_BHKS = self.project(x_ND, layout)
        weights_BHQK = self.dropout(self.weights(query_BHQS, key_BHKS, layout))
        return layout.rows_of_grid((weights_BHQK.to(value_BHKS.dtype) @ value_BHKS).transpose(1, 2).flatten(2))

    def maps(self, x_ND: Tensor, layout: Layout) -> dict[str, Tensor]:
        query_BHQS, key_BHKS, _ = self.project(x_ND, layout)
        attention_BQKH = self.weights(query_BHQS, key_BHKS, layout).movedim(1, -1)
        attention_BQKH = attention_BQKH.masked_fill(~layout.grid_mask_BT[:, :, None, None], 0.0)
        return {"attention": attention_BQKH, **super().maps(x_ND, layout)}
