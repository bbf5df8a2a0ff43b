"""The gated encoder of the relation between two matrix embeddings: Lin et al. 2017, Appendix B.

Legend: B batch, W = R U width of a sentence vector, R rows of M (hops, the paper's r), U numbers in a row (2u),
C classes.
"""

from typing import ClassVar

from torch import Tensor, nn

from attest.models.arguments import Size
from attest.models.heads.classifiers import Classifier
from attest.models.heads.matrix.rows import batched_dot, glorot_parameter, row_length, to_matrix
from attest.models.layers import Activation


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
        premise_BRU, hypothesis_BRU = to_matrix(premise_BW, self.rows), to_matrix(hypothesis_BW, self.rows)
        return self.logits(self.relation(premise_BRU, hypothesis_BRU).flatten(1))
