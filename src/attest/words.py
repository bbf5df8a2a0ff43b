"""The table of word vectors: pretrained rows, random rows, trained rows and rows that stay.

Legend: B batch, T time, V rows, E features.
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attest.corpus import FIRST_WORD


class WordVectors(nn.Module):
    """Tokens (B, T) to vectors (B, T, E).

    Rows 0 and 1 (padding and unknown) are zero and stay so, the next `training_words` rows are trained, all
    rows behind them (words that only dev and test contain) keep their pretrained values. With `sparse`, the
    gradient holds only the rows of the batch.
    """

    def __init__(
        self, table_VE: Tensor, training_words: int, *, trained: bool, unknown_range: float, sparse: bool
    ) -> None:
        """NaN in the table marks training words without a vector: uniform in +-unknown_range."""
        super().__init__()
        table_VE = table_VE.clone()
        missing = table_VE.isnan()
        table_VE[missing] = torch.empty(int(missing.sum())).uniform_(-unknown_range, unknown_range)
        end = FIRST_WORD + training_words
        self.sparse = sparse
        self.trained = nn.Parameter(table_VE[FIRST_WORD:end], requires_grad=trained)
        self.fixed: Tensor
        self.register_buffer("fixed", torch.cat([table_VE[:FIRST_WORD], table_VE[end:]]))

    def forward(self, tokens_BT: Tensor) -> Tensor:
        words = len(self.trained)
        is_trained_BT = (tokens_BT >= FIRST_WORD) & (tokens_BT < FIRST_WORD + words)
        fixed_BT = torch.where(tokens_BT < FIRST_WORD, tokens_BT, tokens_BT - words)
        x_BTE = F.embedding(fixed_BT.masked_fill(is_trained_BT, 0), self.fixed)
        trained = F.embedding(tokens_BT[is_trained_BT] - FIRST_WORD, self.trained, sparse=self.sparse)
        return x_BTE.masked_scatter(is_trained_BT[..., None], trained)
