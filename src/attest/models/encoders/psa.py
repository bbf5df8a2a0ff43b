"""Phrase-level self-attention and gated memory, the parts of PSAN: Wu et al. 2018, sections 2.2 and 2.3.

Legend: B batch, N rows of a layout (words), D features, as many as the word vectors have.
"""

from typing import ClassVar, Literal

import torch
from torch import Tensor, nn

from attest.models.arguments import CheckedArguments, Size
from attest.models.attention import Layout, attend_phrases, phrase_weights
from attest.models.kernels.dropout import Dropout
from attest.models.layers import Activation, activation_function, dense

LoneWord = Literal["zero", "itself"]


class PhraseAttention(CheckedArguments, nn.Module):
    """Phrase-level Self-Attention (PSA): Wu et al. 2018, section 2.2.

    p~_i = sum_j softmax_j(sigma(W(a1) p_i + W(a2) p_j + b(a)) + M_ij) (.) p_j     (eqs. 1 and 2)
    c_i  = sigma(W(c) [|p_i - p~_i|; p_i (.) p~_i] + b(c))                         (eq. 3)

    p (N, D) -> c (N, D), the rows of a layout. A word attends to the other words of its phrase: M is minus infinity for
    the word itself. The word of a one-word phrase has nothing to attend to; its p~ is 0 or, if `lone_word` is itself,
    p. Dropout falls on the input of both layers, never on the weights or on what is attended to.
    """

    symbols: ClassVar[dict[str, str]] = {
        "query.weight": "W(a1)",
        "query.bias": "b(a)",
        "key.weight": "W(a2)",
        "compare.weight": "W(c)",
        "compare.bias": "b(c)",
    }

    def __init__(
        self,
        size: Size,
        *,
        lone_word: LoneWord = "zero",
        activation: Activation = "elu",
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.lone_words_attend = lone_word == "itself"
        self.query = dense(size, size)
        self.key = dense(size, size, bias=False)
        self.compare = dense(2 * size, size)
        self.activation = activation_function(activation)
        self.dropout = Dropout(dropout)

    def forward(self, p_ND: Tensor, layout: Layout, level: int) -> Tensor:
        """Return c (N, D), for the phrases of `level`."""
        dropped_ND = self.dropout(p_ND)
        keys_ND, queries_ND = self.key(dropped_ND), self.query(dropped_ND)
        attended_ND = attend_phrases(
            keys_ND, queries_ND, p_ND, layout, level, self.activation, lone_words_attend=self.lone_words_attend
        )
        compared_N2D = torch.cat([(p_ND - attended_ND).abs(), p_ND * attended_ND], dim=-1)
        return self.activation(self.compare(self.dropout(compared_N2D)))

    def weights(self, p_ND: Tensor, layout: Layout, level: int) -> Tensor:
        """Return the weights (B, query, key, D) for the phrases of `level`, without dropout."""
        return phrase_weights(
            self.key(p_ND), self.query(p_ND), layout, level, self.activation, lone_words_attend=self.lone_words_attend
        )


class GatedMemory(nn.Module):
    """The gated memory update: Wu et al. 2018, section 2.3, equation 4.

    G = sigmoid(W(g) [M; C] + b(g)),  M' = G (.) sigma(W(m) [M; C] + b(m))      (eq. 4)

    It refines the memory M (N, D) of each word with the output C (N, D) of PSA in a larger phrase. If `carry` is true,
    M' = G (.) sigma(...) + (1 - G) (.) M, as in the highway networks that the text refers to.
    """

    symbols: ClassVar[dict[str, str]] = {
        "gate.weight": "W(g)",
        "gate.bias": "b(g)",
        "update.weight": "W(m)",
        "update.bias": "b(m)",
    }

    def __init__(self, size: int, *, carry: bool = False, activation: Activation = "elu", dropout: float = 0.0) -> None:
        super().__init__()
        self.gate = dense(2 * size, size)
        self.update = dense(2 * size, size)
        self.carry = carry
        self.activation = activation_function(activation)
        self.dropout = Dropout(dropout)

    def forward(self, m_ND: Tensor, c_ND: Tensor) -> tuple[Tensor, Tensor]:
        """Return M' and G, both (N, D)."""
        both_N2D = self.dropout(torch.cat([m_ND, c_ND], dim=-1))
        gate_ND = torch.sigmoid(self.gate(both_N2D))
        new_ND = gate_ND * self.activation(self.update(both_N2D))
        return (new_ND + (1 - gate_ND) * m_ND if self.carry else new_ND), gate_ND
