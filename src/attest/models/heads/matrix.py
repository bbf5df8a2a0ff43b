"""From matrix embeddings to predictions: Lin et al. 2017, Appendices A and B.

Legend: B batch, R rows of M (hops), U numbers in a row (2u), P units for each row, Q units for each column, C classes.
"""

from typing import ClassVar

import torch
from torch import Tensor, nn

from attest.models.encoders.base import Activation, activation_function, dense
from attest.models.heads.base import Head
from attest.models.heads.classifiers import Classifier
from attest.models.kernels.dropout import Dropout


def row_length(width: int, rows: int) -> int:
    """U of a sentence vector that is a matrix, row after row."""
    if rows < 1 or width % rows:
        raise ValueError(f"rows divide the sentence vector of {width} numbers; got {rows} (an encoder's hops)")
    return width // rows


def glorot_parameter(*shape: int) -> nn.Parameter:
    """Glorot's bound as Lasagne has it for three dimensions, and so the authors: the last one counts on both sides."""
    return nn.Parameter(nn.init.xavier_uniform_(torch.empty(*shape)))


class GatedEncoder(nn.Module):
    """How two sentences are related, a matrix like theirs: section B.

    F_h = batcheddot(M_h, W_fh),  F_p = batcheddot(M_p, W_fp),  F_r = F_h (.) F_p      (eq. 10 to 12)

    Each row of M has a matrix of its own in W.
    """

    symbols: ClassVar[dict[str, str]] = {"hypothesis": "W_fh", "premise": "W_fp"}

    def __init__(self, rows: int, size: int) -> None:
        super().__init__()
        self.hypothesis = glorot_parameter(rows, size, size)
        self.premise = glorot_parameter(rows, size, size)

    def forward(self, premise_BRU: Tensor, hypothesis_BRU: Tensor) -> Tensor:
        return batched_dot(hypothesis_BRU, self.hypothesis) * batched_dot(premise_BRU, self.premise)


def batched_dot(matrix_BRU: Tensor, weights_RUP: Tensor) -> Tensor:
    """(B, R, P): each row with its own weights."""
    return (matrix_BRU.transpose(0, 1) @ weights_RUP).transpose(0, 1)


class PrunedHidden(nn.Module):
    """A hidden layer without most of its weights: section A.

    M_v: of the first part, group i has P units, which see row i of M alone; M_h: of the second part, group j has Q
    units, which see column j of M alone. Before the activation; (B, R P + U Q).
    """

    symbols: ClassVar[dict[str, str]] = {
        "rows": "weights of M_v",
        "row_bias": "biases of M_v",
        "columns": "weights of M_h",
        "column_bias": "biases of M_h",
    }

    def __init__(self, rows: int, size: int, row_units: int, column_units: int) -> None:
        super().__init__()
        if row_units < 1 or column_units < 1:
            raise ValueError(f"row_units >= 1, column_units >= 1; got {row_units}, {column_units}")
        self.rows = glorot_parameter(rows, size, row_units)
        self.columns = glorot_parameter(size, rows, column_units)
        self.row_bias = nn.Parameter(torch.zeros(rows * row_units))
        self.column_bias = nn.Parameter(torch.zeros(size * column_units))

    @property
    def width(self) -> int:
        return len(self.row_bias) + len(self.column_bias)

    def forward(self, matrix_BRU: Tensor) -> Tensor:
        of_rows = batched_dot(matrix_BRU, self.rows).flatten(1) + self.row_bias
        of_columns = batched_dot(matrix_BRU.transpose(1, 2), self.columns).flatten(1) + self.column_bias
        return torch.cat([of_rows, of_columns], dim=1)


class GatedPairClassifier(Classifier):
    """The relation between two matrices, then a hidden layer and one logit per class; dropout falls on both inputs."""

    def __init__(
        self,
        width: int,
        classes: int,
        *,
        rows: int = 30,
        hidden_size: int = 4000,
        activation: Activation = "relu",
        dropout: float = 0.0,
    ) -> None:
        super().__init__(width, classes, hidden_size, activation, dropout, bias=True)
        self.rows = rows
        self.relation = GatedEncoder(rows, row_length(width, rows))

    def forward(self, premise_BW: Tensor, hypothesis_BW: Tensor) -> Tensor:
        premise_BRU, hypothesis_BRU = (vector.unflatten(1, (self.rows, -1)) for vector in (premise_BW, hypothesis_BW))
        return self.logits(self.relation(premise_BRU, hypothesis_BRU).flatten(1))


class PrunedClassifier(Head):
    """As a classifier with a full hidden layer, with a pruned one in its place. The logits have no bias (Table 4)."""

    symbols: ClassVar[dict[str, str]] = {"output.weight": "output layer, weights"}

    def __init__(
        self,
        width: int,
        classes: int,
        *,
        rows: int = 30,
        row_units: int = 150,
        column_units: int = 10,
        activation: Activation = "relu",
        dropout: float = 0.0,
    ) -> None:
        """`row_units`: the paper's p; `column_units`: its q."""
        super().__init__()
        self.rows = rows
        self.hidden = PrunedHidden(rows, row_length(width, rows), row_units, column_units)
        self.output = dense(self.hidden.width, classes, bias=False)
        self.activation = activation_function(activation)
        self.dropout = Dropout(dropout)

    def logits(self, matrix_BRU: Tensor) -> Tensor:
        return self.output(self.dropout(self.activation(self.hidden(self.dropout(matrix_BRU)))))

    def to_matrix(self, vector_BW: Tensor) -> Tensor:
        """(B, R, U)."""
        return vector_BW.unflatten(1, (self.rows, -1))


class PrunedSentenceClassifier(PrunedClassifier):
    """The class of one sentence."""

    def forward(self, sentence_BW: Tensor) -> Tensor:
        return self.logits(self.to_matrix(sentence_BW))


class PrunedPairClassifier(PrunedClassifier):
    """The relation between two matrices, seen through a pruned hidden layer."""

    def __init__(
        self,
        width: int,
        classes: int,
        *,
        rows: int = 30,
        row_units: int = 300,
        column_units: int = 10,
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
        return self.logits(self.relation(self.to_matrix(premise_BW), self.to_matrix(hypothesis_BW)))
