"""The table of word vectors, of which some rows are trained and others are fixed.

Legend: N tokens, V rows of the table, E features.
"""

from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

Unknown = Literal["uniform", "normal", "neighbours", "hashed"]


class WordVectors(nn.Module):
    """A table that maps tokens (N,) to word vectors (N, E).

    The first `reserved` rows (padding and unknown word) are zero and never trained. The next `training_words` rows are
    trained if `trained` is true. The rows behind them are of words that only dev and test contain; they keep their
    pretrained values. If `sparse` is true, the gradient holds only the rows of the batch.
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
        """Copy `table_VE`, and draw random vectors for its rows of NaN, which are those of words without a vector.

        If `unknown` is uniform or hashed, these vectors are uniform within +-unknown_range; else they are normal with
        the standard deviation unknown_range. If `unit_length` is true, all rows but zeros are scaled to length 1.
        """
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
        """Append vectors that are not trained to the table, and return the range of their tokens."""
        first = len(self.trained) + len(self.fixed)
        vectors_VE = F.normalize(vectors_VE, dim=-1) if self.unit_length else vectors_VE
        self.fixed = torch.cat([self.fixed, vectors_VE.to(self.fixed)])
        return range(first, first + len(vectors_VE))

    def forward(self, tokens_N: Tensor) -> Tensor:
        if tokens_N.dtype not in (torch.int32, torch.int64):
            raise ValueError(f"tokens are {tokens_N.dtype}; use torch.int64, the rows of the table")
        words, reserved = len(self.trained), self.reserved
        is_trained_N = (tokens_N >= reserved) & (tokens_N < reserved + words)
        fixed_N = torch.where(tokens_N < reserved, tokens_N, tokens_N - words)
        x_NE = F.embedding(fixed_N.masked_fill(is_trained_N, 0), self.fixed)
        trained = F.embedding(tokens_N[is_trained_N] - reserved, self.trained, sparse=self.sparse)
        return x_NE.index_put((is_trained_N,), trained)
