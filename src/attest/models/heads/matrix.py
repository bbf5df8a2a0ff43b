"""Heads for matrix embeddings, the output of structured self-attention: Lin et al. 2017, Appendices A and B.

Legend: B batch, W = R U width of a sentence vector, R rows of M (hops, the paper's r), U numbers in a row (2u), P units
for each row (p), Q units for each column (q), C classes.
"""

from typing import ClassVar

import torch
from torch import Tensor, nn

from attest.models.arguments import Size
from attest.models.encoders.base import Activation, activation_function, dense
from attest.models.heads.base import Head
from attest.models.heads.classifiers import Classifier
from attest.models.kernels.dropout import Dropout


def row_length(width: int, rows: int) -> int:
    """Return the length U of a row of a matrix with `rows` rows and `width` numbers, or raise ValueError."""
    if rows < 1 or width % rows:
        raise ValueError(
            f"rows is {rows}, which does not divide the sentence vector of {width}; use the encoder's hops"
        )
    return width // rows


def glorot_parameter(*shape: int) -> nn.Parameter:
    """Return a Glorot-uniform parameter of this shape.

    For a shape (X, Y, Z) the fan-out is X Z and the fan-in Y Z, as in Lasagne, which the authors used.
    """
    return nn.Parameter(nn.init.xavier_uniform_(torch.empty(*shape)))


class GatedEncoder(nn.Module):
    """The gated encoder of the relation between two sentences: Lin et al. 2017, Appendix B.

    F_h = batcheddot(M_h, W_fh),  F_p = batcheddot(M_p, W_fp),  F_r = F_h (.) F_p      (eq. 10 to 12)

    M_p, M_h (B, R, U) -> F_r (B, R, U). Each row of M has a separate matrix in W: `hypothesis` is W_fh and `premise`
    W_fp, both (R, U, U).
    """

    symbols: ClassVar[dict[str, str]] = {"hypothesis": "W_fh", "premise": "W_fp"}

    def __init__(self, rows: int, size: int) -> None:
        super().__init__()
        self.hypothesis = glorot_parameter(rows, size, size)
        self.premise = glorot_parameter(rows, size, size)

    def forward(self, premise_BRU: Tensor, hypothesis_BRU: Tensor) -> Tensor:
        return batched_dot(hypothesis_BRU, self.hypothesis) * batched_dot(premise_BRU, self.premise)


def batched_dot(matrix_BRU: Tensor, weights_RUP: Tensor) -> Tensor:
    """Return the products (B, R, P) of each row of a matrix (B, R, U) with its own weights (R, U, P)."""
    return (matrix_BRU.transpose(0, 1) @ weights_RUP).transpose(0, 1)


class PrunedHidden(nn.Module):
    """A hidden layer with most weights pruned: Lin et al. 2017, Appendix A.

    M (B, R, U) -> (B, R P + U Q), before the activation. The first part, M_v, has P units for each row of M, which are
    connected to that row alone. The second part, M_h, has Q units for each column, which are connected to that column
    alone.
    """

    symbols: ClassVar[dict[str, str]] = {
        "rows": "weights of M_v",
        "row_bias": "biases of M_v",
        "columns": "weights of M_h",
        "column_bias": "biases of M_h",
    }

    def __init__(self, rows: int, size: int, row_units: int, column_units: int) -> None:
        super().__init__()
        self.rows = glorot_parameter(rows, size, row_units)
        self.columns = glorot_parameter(size, rows, column_units)
        self.row_bias = nn.Parameter(torch.zeros(rows * row_units))
        self.column_bias = nn.Parameter(torch.zeros(size * column_units))

    @property
    def width(self) -> int:
        """The number of units, R P + U Q."""
        return len(self.row_bias) + len(self.column_bias)

    def forward(self, matrix_BRU: Tensor) -> Tensor:
        of_rows = batched_dot(matrix_BRU, self.rows).flatten(1) + self.row_bias
        of_columns = batched_dot(matrix_BRU.transpose(1, 2), self.columns).flatten(1) + self.column_bias
        return torch.cat([of_rows, of_columns], dim=1)


class GatedPairClassifier(Classifier):
    """The classifier of a pair of sentences for matrix embeddings: Lin et al. 2017, section 4.3 and Appendix B.

    premise, hypothesis (B, W), flattened matrices M -> F_r (eqs. 10 to 12) -> a hidden layer of `hidden_size` units
    with `activation` -> logits (B, C), with W = `width` and C = `classes`. `rows` is the number of hops of the encoder.
    `dropout` falls on the input of both layers.

        >>> GatedPairClassifier(800, classes=3, rows=4)(torch.randn(2, 800), torch.randn(2, 800)).shape
        torch.Size([2, 3])
    """

    def __init__(
        self,
        width: Size,
        classes: Size,
        *,
        rows: Size = 30,
        hidden_size: Size = 4000,
        activation: Activation = "relu",
        dropout: float = 0.0,
    ) -> None:
        super().__init__(width, classes, hidden_size, activation, dropout, bias=True)
        self.width, self.rows = width, rows
        self.relation = GatedEncoder(rows, row_length(width, rows))

    def forward(self, premise_BW: Tensor, hypothesis_BW: Tensor) -> Tensor:
        self.check_vectors(premise_BW, hypothesis_BW)
        premise_BRU, hypothesis_BRU = (vector.unflatten(1, (self.rows, -1)) for vector in (premise_BW, hypothesis_BW))
        return self.logits(self.relation(premise_BRU, hypothesis_BRU).flatten(1))


class PrunedClassifier(Head):
    """The base class of classifiers with a pruned hidden layer: Lin et al. 2017, Appendix A and Table 4.

    `row_units` is the paper's p and `column_units` its q. The output layer has no bias, as the counts of Table 4 say.
    """

    symbols: ClassVar[dict[str, str]] = {"output.weight": "output layer, weights"}

    def __init__(
        self,
        width: Size,
        classes: Size,
        *,
        rows: Size = 30,
        row_units: Size = 150,
        column_units: Size = 10,
        activation: Activation = "relu",
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.width, self.rows = width, rows
        self.hidden = PrunedHidden(rows, row_length(width, rows), row_units, column_units)
        self.output = dense(self.hidden.width, classes, bias=False)
        self.activation = activation_function(activation)
        self.dropout = Dropout(dropout)

    def logits(self, matrix_BRU: Tensor) -> Tensor:
        """Return the logits (B, C) of a matrix (B, R, U)."""
        return self.output(self.dropout(self.activation(self.hidden(self.dropout(matrix_BRU)))))

    def to_matrix(self, vector_BW: Tensor) -> Tensor:
        """Return a flattened matrix as (B, R, U)."""
        return vector_BW.unflatten(1, (self.rows, -1))


class PrunedSentenceClassifier(PrunedClassifier):
    """The classifier of a sentence with a pruned hidden layer: Lin et al. 2017, Appendix A.

    A flattened matrix M (B, W) -> logits (B, C), with W = `width` and C = `classes`. `rows` is the number of hops of
    the encoder, which divides W. The hidden layer has `row_units` (p) units for each row of M and `column_units` (q)
    for each column, with `activation`; `dropout` falls on the input of both layers.

        >>> PrunedSentenceClassifier(800, classes=5, rows=4)(torch.randn(2, 800)).shape
        torch.Size([2, 5])
    """

    def forward(self, sentence_BW: Tensor) -> Tensor:
        self.check_vectors(sentence_BW)
        return self.logits(self.to_matrix(sentence_BW))


class PrunedPairClassifier(PrunedClassifier):
    """The classifier of a pair of sentences with a pruned hidden layer: Lin et al. 2017, Appendices A and B.

    premise, hypothesis (B, W), flattened matrices M -> F_r (eqs. 10 to 12) -> pruned layer -> logits (B, C). The
    arguments are those of PrunedSentenceClassifier.

        >>> PrunedPairClassifier(800, classes=3, rows=4)(torch.randn(2, 800), torch.randn(2, 800)).shape
        torch.Size([2, 3])
    """

    def __init__(
        self,
        width: Size,
        classes: Size,
        *,
        rows: Size = 30,
        row_units: Size = 300,
        column_units: Size = 10,
        activation: Activation = "relu",
        dropout: float = 0.0,
    ) -> None:
        super().__init__(
            width,
            classes,
            rows=rows,
            row_units=row_units,
            column_units=column_units,
            activation=activation,
            dropout=dropout,
        )
        self.relation = GatedEncoder(rows, row_length(width, rows))

    def forward(self, premise_BW: Tensor, hypothesis_BW: Tensor) -> Tensor:
        self.check_vectors(premise_BW, hypothesis_BW)
        return self.logits(self.relation(self.to_matrix(premise_BW), self.to_matrix(hypothesis_BW)))
