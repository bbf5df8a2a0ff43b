"""The table of word vectors, of which some rows are trained and others are fixed.

Legend: N tokens, V rows of the table, E features.
"""

from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attest.models.arguments import CheckedArguments, check_tensors

Unknown = Literal["uniform", "normal", "neighbours", "hashed"]


class WordVectors(CheckedArguments, nn.Module):
    """A table that maps tokens (N,) to word vectors (N, E).

    The first `reserved` rows (padding and unknown word; zeros in the tables of `attest`) are never trained and keep
    their values. The next `training_words` rows are trained if `trainable` is true. The rows behind them are of words
    that only dev and test contain; they keep their pretrained values. If `sparse` is true, the gradient on a processor
    holds only the rows of the batch. After `extend`, the state dict has more rows than a new module takes.

        >>> table = torch.cat([torch.zeros(2, 50), torch.randn(8, 50)])
        >>> words = WordVectors(table, training_words=8, trainable=True, unknown_range=0.05, sparse=False)
        >>> words(torch.tensor([2, 9, 0])).shape
        torch.Size([3, 50])
    """

    def __init__(
        self,
        table_VE: Tensor,
        training_words: int,
        *,
        trainable: bool,
        unknown: Unknown = "uniform",
        unknown_range: float,
        sparse: bool,
        unit_length: bool = False,
        reserved: int = 2,
    ) -> None:
        """Copy `table_VE`, and draw random vectors for its rows of NaN, which are those of words without a vector.

        If `unknown` is uniform or hashed, these vectors are uniform within +-unknown_range; else they are normal with
        the standard deviation unknown_range. If `unit_length` is true, all rows but zeros are scaled to length 1. Raise
        ValueError if a reserved row has NaN, or any row infinity.
        """
        super().__init__()
        check_table(table_VE, reserved, training_words)
        table_VE = fill_missing(table_VE, unknown, unknown_range)
        if unit_length:
            table_VE = F.normalize(table_VE, dim=-1)
        self.unit_length = unit_length
        self.reserved = reserved
        end = reserved + training_words
        self.sparse = sparse
        self.trained = nn.Parameter(table_VE[reserved:end].clone(), requires_grad=trainable)
        self.fixed: Tensor
        self.register_buffer("fixed", torch.cat([table_VE[:reserved], table_VE[end:]]))

    def extend(self, vectors_VE: Tensor) -> range:
        """Append vectors that are not trained to the table, and return the range of their tokens."""
        check_tensors(vectors=vectors_VE)
        if vectors_VE.dim() != 2 or vectors_VE.shape[1] != self.fixed.shape[1] or not vectors_VE.isfinite().all():
            raise ValueError(
                f"vectors are {tuple(vectors_VE.shape)}; use finite numbers (words, {self.fixed.shape[1]})"
            )
        first = len(self.trained) + len(self.fixed)
        vectors_VE = F.normalize(vectors_VE, dim=-1) if self.unit_length else vectors_VE
        self.fixed = torch.cat([self.fixed, vectors_VE.to(self.fixed)])
        return range(first, first + len(vectors_VE))

    def forward(self, tokens_N: Tensor) -> Tensor:
        check_tensors(tokens=tokens_N)
        if tokens_N.dtype not in (torch.int32, torch.int64):
            raise ValueError(f"tokens are {tokens_N.dtype}; use torch.int64, the rows of the table")
        words, reserved = len(self.trained), self.reserved
        is_trained_N = (tokens_N >= reserved) & (tokens_N < reserved + words)
        fixed_N = torch.where(tokens_N < reserved, tokens_N, tokens_N - words)
        try:
            x_NE = F.embedding(fixed_N.masked_fill(is_trained_N, 0), self.fixed)
        except IndexError as error:
            rows = words + len(self.fixed)
            raise ValueError(f"tokens: one is no row of the table; use 0 to {rows - 1}") from error
        if tokens_N.is_cpu:
            trained = F.embedding(tokens_N[is_trained_N] - reserved, self.trained, sparse=self.sparse)
            return x_NE.index_put((is_trained_N,), trained)
        return self.put_trained_rows(x_NE, tokens_N, is_trained_N)

    def put_trained_rows(self, x_NE: Tensor, tokens_N: Tensor, is_trained_N: Tensor) -> Tensor:
        """Return `x`, whose rows of trained words are replaced by their vectors. Nothing waits for the device.

        The gradient is dense: a device would have to count the words of the batch to give it fewer rows.
        """
        if not len(self.trained):
            return x_NE
        row_N = (tokens_N - self.reserved).masked_fill(~is_trained_N, 0)
        return torch.where(is_trained_N[..., None], F.embedding(row_N, self.trained), x_NE)


def check_table(table_VE: Tensor, reserved: int, training_words: int) -> None:
    """Raise ValueError unless `table` holds floats with at least `reserved` and `training_words` rows, no infinity, and
    no NaN in the reserved rows."""
    check_tensors(table=table_VE)
    if table_VE.dim() != 2 or not table_VE.is_floating_point():
        raise ValueError(f"the table is {table_VE.dtype} {tuple(table_VE.shape)}; use floats (words, features)")
    if reserved < 1 or training_words < 0 or reserved + training_words > len(table_VE):
        raise ValueError(
            f"reserved, training_words are {reserved}, {training_words}; use numbers of rows that the table has, "
            f"{len(table_VE)} together at most, and at least 1 that is reserved"
        )
    if table_VE[:reserved].isnan().any() or table_VE.isinf().any():
        raise ValueError(
            f"the table has infinity, or NaN in its first {reserved} rows, which are reserved; use finite numbers, "
            "and NaN for words without a vector"
        )


def fill_missing(table_VE: Tensor, unknown: Unknown, unknown_range: float) -> Tensor:
    """Return a copy of the table whose NaN are replaced by random numbers, as `WordVectors` draws them.

    Raise ValueError if `unknown_range` is negative.
    """
    if unknown_range < 0:
        raise ValueError(f"unknown_range is {unknown_range}; use 0 or a positive number")
    table_VE = table_VE.detach().clone()
    missing_VE = table_VE.isnan()
    drawn = torch.empty(int(missing_VE.sum()), dtype=table_VE.dtype, device=table_VE.device)
    if unknown in ("uniform", "hashed"):
        drawn.uniform_(-unknown_range, unknown_range)
    else:
        drawn.normal_(std=unknown_range)
    table_VE[missing_VE] = drawn
    return table_VE
