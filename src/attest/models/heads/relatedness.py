"""Relatedness scores as distributions over grades: Tai, Socher and Manning 2015, section 4.2.

Legend: B examples, K grades, W width of a sentence vector.
"""

from typing import ClassVar

import torch
import torch.nn.functional as F
from torch import Tensor

from attest.models.arguments import Size
from attest.models.attention.masked import at_least_fp32
from attest.models.heads.base import Head
from attest.models.initialisation import GlorotOrTorch, initialise_dense
from attest.models.kernels.dropout import Dropout
from attest.models.layers import Activation, activation_function, dense

HIGHEST_GRADE = 5
"""The highest grade: SICK has the grades 1 to 5, STS 0 to 5."""
MIN_PROBABILITY = 1e-10
"""The lower bound to which probabilities are clamped before the logarithm (authors' code)."""


class RelatednessScorer(Head):
    """The head for the relatedness of two sentences: Tai, Socher and Manning 2015, section 4.2.

        h_s = sigma(W(x) (a (.) b) + W(+) |a - b| + b(h)),   y = W(p) h_s + b(p)

    sentence vectors a, b (B, W) -> logits y (B, K), one per grade, with W = `width` and K = `classes`. As in the later
    code of the DiSAN authors, sigma (`activation`) is ReLU by default, where Tai et al. have a sigmoid. The hidden
    layer has `hidden_size` units, and `dropout` falls on the input of every layer. `initialisation` is uniform or
    normal (all matrices Glorot-uniform or Glorot-normal, all biases 0), or torch (torch's own values). `expected_grade`
    of the same module turns logits into scores.

        >>> RelatednessScorer(600, classes=5)(torch.randn(2, 600), torch.randn(2, 600)).shape
        torch.Size([2, 5])
    """

    version: ClassVar[int] = 2
    """The version of the code. Version 1 computed the divergence in bf16 if the layers were in bf16."""
    symbols: ClassVar[dict[str, str]] = {
        "product.weight": "W(x)",
        "difference.weight": "W(+)",
        "difference.bias": "b(h)",
        "output.weight": "W(p)",
        "output.bias": "b(p)",
    }

    def __init__(
        self,
        width: Size,
        classes: Size,
        *,
        hidden_size: Size = 300,
        activation: Activation = "relu",
        initialisation: GlorotOrTorch = "uniform",
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.width = width
        self.product = dense(width, hidden_size, bias=False)
        self.difference = dense(width, hidden_size)
        self.output = dense(hidden_size, classes)
        initialise_dense(self, initialisation)
        self.activation = activation_function(activation)
        self.dropout = Dropout(dropout)

    def forward(self, first_BW: Tensor, second_BW: Tensor) -> Tensor:
        self.check_vectors(first_BW, second_BW)
        product, difference = first_BW * second_BW, (first_BW - second_BW).abs()
        hidden = self.activation(self.product(self.dropout(product)) + self.difference(self.dropout(difference)))
        return self.output(self.dropout(hidden))


def expected_grade(logits_BK: Tensor) -> Tensor:
    """Return the expected grade r^T p (B,), where p is the softmax of the logits and r holds the grades."""
    p_BK = at_least_fp32(logits_BK).softmax(-1)
    return (p_BK * grades(p_BK.shape[1], p_BK)).sum(-1)


def grades(number: int, like: Tensor) -> Tensor:
    """Return the grades r (K,), the last of which is HIGHEST_GRADE, with the dtype and device of `like`."""
    return torch.arange(HIGHEST_GRADE + 1 - number, HIGHEST_GRADE + 1, dtype=like.dtype, device=like.device)


def divergence(logits_BK: Tensor, scores_B: Tensor) -> Tensor:
    """Return the loss, the mean of KL(t || p) over examples: p is the softmax of the logits, t are the `soft_labels`.

    The loss is computed at least in fp32, since near a good fit p - t is below the resolution of bf16. An example whose
    gold grades have probabilities below MIN_PROBABILITY has almost no gradient, as in the authors' code.
    """
    p_BK = at_least_fp32(logits_BK).softmax(-1)
    target_BK = soft_labels(scores_B, p_BK.shape[1]).to(p_BK.dtype).clamp(min=MIN_PROBABILITY)
    log_p_BK = p_BK.clamp(min=MIN_PROBABILITY).log()
    return F.kl_div(log_p_BK, target_BK, reduction="batchmean")


def soft_labels(scores_B: Tensor, number: int) -> Tensor:
    """Return the target distributions t (B, K) of scores, such that r^T t is the score.

    The two grades around a score share the probability: a score of 3.6 gives 0.4 to grade 3 and 0.6 to grade 4.
    """
    return (1 - (scores_B[:, None] - grades(number, scores_B)).abs()).clamp(min=0)
