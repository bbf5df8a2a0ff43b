"""Classifiers of matrix embeddings whose hidden layer is pruned: Lin et al. 2017, Appendix A.

Legend: B batch, W = R U width of a sentence vector, R rows of M (hops, the paper's r), U numbers in a row (2u), P units
for each row (p), Q units for each column (q), C classes.
"""

from typing import ClassVar

import torch
from torch import Tensor, nn

from attest.models.arguments import Size
from attest.models.heads.base import Head
from attest.models.heads.matrix.gated import GatedEncoder
from attest.models.heads.matrix.rows import batched_dot, glorot_parameter, row_length, to_matrix
from attest.models.kernels.dropout import Dropout
from attest.models.layers import Activation, activation_function, dense


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
        return self.logits(to_matrix(sentence_BW, self.rows))


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
        premise_BRU, hypothesis_BRU = to_matrix(premise_BW, self.rows), to_matrix(hypothesis_BW, self.rows)
        return self.logits(self.relation(premise_BRU, hypothesis_BRU))
