"""Functions for heads that reshape a sentence vector into a matrix and give each of its rows separate weights.

Legend: B batch, W = R U width of a sentence vector, R rows of a matrix (hops, the paper's r), U numbers in a row (2u),
P units for each row.
"""

import torch
from torch import Tensor, nn


def row_length(width: int, rows: int) -> int:
    """Return the length U of a row of a matrix with `rows` rows and `width` numbers, or raise ValueError."""
    if rows < 1 or width % rows:
        raise ValueError(
            f"rows is {rows}, which does not divide the sentence vector of {width}; use the encoder's hops"
        )
    return width // rows


def to_matrix(vector_BW: Tensor, rows: int) -> Tensor:
    """Return flattened matrices (B, W) as (B, R, U), where `rows` is R."""
    return vector_BW.unflatten(1, (rows, -1))


def glorot_parameter(*shape: int) -> nn.Parameter:
    """Return a Glorot-uniform parameter of this shape.

    For a shape (X, Y, Z) the fan-out is X Z and the fan-in Y Z, as in Lasagne, which the authors used.
    """
    return nn.Parameter(nn.init.xavier_uniform_(torch.empty(*shape)))


def batched_dot(matrix_BRU: Tensor, weights_RUP: Tensor) -> Tensor:
    """Return the products (B, R, P) of each row of a matrix (B, R, U) with its own weights (R, U, P)."""
    return (matrix_BRU.transpose(0, 1) @ weights_RUP).transpose(0, 1)
