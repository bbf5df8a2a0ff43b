"""The table of word vectors: pretrained rows, random rows, trained rows and rows that stay.

Legend: N tokens, V rows of the table, E features.
"""

from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

Unknown = Literal["uniform", "normal", "neighbours", "hashed"]


class WordVectors(nn.Module):
    """Tokens (N,) to vectors (N, E).

    The first `reserved` rows (padding and unknown) are zero and stay so, the next `training_words` rows are trained,
    all rows behind them (words that only dev and test contain) keep their pretrained values. With `sparse`, the
    gradient holds only the rows of the batch.
    """

    def __init__(
        self,
        table_VE: Tensor,
        training_words: int,
        *,
        trained: bool,
        unknown: Unknown = "uniform",
        unknown_range: float,
        sparse: bool,
        unit_length: bool = False,
        reserved: int = 2,
    ) -> None:
        """NaN in the table marks words without a vector: uniform in +-unknown_range, or normal with it. With
        `unit_length`, all rows but the `reserved` ones begin with length 1."""
        super().__init__()
        table_VE = table_VE.clone()
        missing = table_VE.isnan()
        start = torch.empty(int(missing.sum()))
        if unknown in ("uniform", "hashed"):
            start.uniform_(-unknown_range, unknown_range)
        else:
            start.normal_(std=unknown_range)
        table_VE[missing] = start
        if unit_length:
            table_VE = F.normalize(table_VE, dim=-1)
        self.unit_length = unit_length
        self.reserved = reserved
        end = reserved + training_words
        self.sparse = sparse
        self.trained = nn.Parameter(table_VE[reserved:end], requires_grad=trained)
        self.fixed: Tensor
        self.register_buffer("fixed", torch.cat([table_VE[:reserved], table_VE[end:]]))

    def extend(self, vectors_VE: Tensor) -> range:
        """Further rows that are not trained; the numbers of their words."""
        first = len(self.trained) + len(self.fixed)
        vectors_VE = F.normalize(vectors_VE, dim=-1) if self.unit_length else vectors_VE
        self.fixed = torch.cat([self.fixed, vectors_VE.to(self.fixed)])
        return range(first, first + len(vectors_VE))

    def forward(self, tokens_N: Tensor) -> Tensor:
        words, reserved = len(self.trained), self.reserved
        is_trained_N = (tokens_N >= reserved) & (tokens_N < reserved + words)
        fixed_N = torch.where(tokens_N < reserved, tokens_N, tokens_N - words)
        x_NE = F.embedding(fixed_N.masked_fill(is_trained_N, 0), self.fixed)
        trained = F.embedding(tokens_N[is_trained_N] - reserved, self.trained, sparse=self.sparse)
        return x_NE.index_put((is_trained_N,), trained)
