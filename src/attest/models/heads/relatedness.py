"""A score as a distribution over grades: Tai, Socher and Manning 2015, section 5.2.

Legend: B examples, K grades, W width of a sentence vector.
"""

from typing import ClassVar

import torch
import torch.nn.functional as F
from torch import Tensor

from attest.models.attention.masked import at_least_fp32
from attest.models.encoders.base import Activation, Initialisation, activation_function, dense, initialise
from attest.models.heads.base import Head
from attest.models.kernels.dropout import Dropout

HIGHEST = 5
"""The best grade, of five from 1 (SICK) as of six from 0 (STS)."""
LEAST = 1e-10
"""Probabilities count as at least so much (authors' code), so that no logarithm is infinite."""


class RelatednessScorer(Head):
    """How closely two sentences are related: one logit per grade, after Tai, Socher and Manning 2015.

    h = sigma(W(x) (p (.) h) + W(+) |p - h| + b(h)), as in the authors' later code with ReLU where Tai et al. have a
    sigmoid; dropout falls on the input of every layer.
    """

    version: ClassVar[int] = 2
    """1 was pulled to the gold scores by a divergence in bf16 where its layers were."""
    symbols: ClassVar[dict[str, str]] = {
        "product.weight": "W(x)",
        "difference.weight": "W(+)",
        "difference.bias": "b(h)",
        "output.weight": "W(p)",
        "output.bias": "b(p)",
    }

    def __init__(
        self,
        width: int,
        classes: int,
        *,
        hidden_size: int = 300,
        activation: Activation = "relu",
        initialisation: Initialisation = "uniform",
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.product = dense(width, hidden_size, bias=False)
        self.difference = dense(width, hidden_size)
        self.output = dense(hidden_size, classes)
        initialise(self, initialisation)
        self.activation = activation_function(activation)
        self.dropout = Dropout(dropout)

    def forward(self, first_BW: Tensor, second_BW: Tensor) -> Tensor:
        product, difference = first_BW * second_BW, (first_BW - second_BW).abs()
        hidden = self.activation(self.product(self.dropout(product)) + self.difference(self.dropout(difference)))
        return self.output(self.dropout(hidden))


def expected_grade(logits_BK: Tensor) -> Tensor:
    """r^T p (B,)."""
    p_BK = at_least_fp32(logits_BK).softmax(-1)
    return (p_BK * grades(p_BK.shape[1], p_BK)).sum(-1)


def grades(number: int, like: Tensor) -> Tensor:
    """r (K,)."""
    return torch.arange(HIGHEST + 1 - number, HIGHEST + 1, dtype=like.dtype, device=like.device)


def divergence(logits_BK: Tensor, scores_B: Tensor) -> Tensor:
    """KL(t || p), averaged over examples. In fp32 at least: near a good fit, p - t is lost among the digits of bf16."""
    p_BK = at_least_fp32(logits_BK).softmax(-1)
    target_BK = soft_labels(scores_B, p_BK.shape[1]).to(p_BK.dtype).clamp(min=LEAST)
    log_p_BK = p_BK.clamp(min=LEAST).log()
    return F.kl_div(log_p_BK, target_BK, reduction="batchmean")


def soft_labels(scores_B: Tensor, number: int) -> Tensor:
    """t (B, K): the two grades around a score share it, so that r^T t is the score. 3.6 is 0.4 of 3 and 0.6 of 4."""
    return (1 - (scores_B[:, None] - grades(number, scores_B)).abs()).clamp(min=0)
