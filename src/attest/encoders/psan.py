"""Phrase-level Self-Attention Network: Wu et al. 2018, sections 2.2 to 2.4.

Legend: B batch, T time, N rows of a layout (words), D features, as many as the word vectors have.
"""

from collections.abc import Sequence
from typing import ClassVar, Literal

import torch
from torch import Tensor, nn

from attest.attention import Layout, attend_phrases, phrase_weights
from attest.encoders.base import (
    Activation,
    Encoder,
    Initialisation,
    activation_named,
    check_choice,
    dense,
    initialise,
)
from attest.encoders.source2token import SourceToTokenPooling
from attest.kernels.dropout import Dropout

Memory = Literal["gated", "concatenated", "none"]
LoneWord = Literal["zero", "itself"]
DropoutAt = Literal["dense", "words"]


class PhraseAttention(nn.Module):
    """Phrase-level Self-Attention (PSA): every word beside what it looks at in its own phrase.

    p~_i = sum_j softmax_j(sigma(W(a1) p_i + W(a2) p_j + b(a)) + M_ij) (.) p_j     (eqs. 1 and 2)
    c_i  = sigma(W(c) [|p_i - p~_i|; p_i (.) p~_i] + b(c))                         (eq. 3)

    M leaves out the word itself. A phrase of one word leaves nothing then: p~ is 0, or where `lone_word` is itself, p.
    Dropout falls on the input of both layers, never on the weights nor on what is attended to.
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
        size: int,
        *,
        lone_word: LoneWord = "zero",
        activation: Activation = "elu",
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        check_choice("lone_word", lone_word, LoneWord)
        self.lone = lone_word == "itself"
        self.query = dense(size, size)
        self.key = dense(size, size, bias=False)
        self.compare = dense(2 * size, size)
        self.activation = activation_named(activation)
        self.dropout = Dropout(dropout)

    def forward(self, p_ND: Tensor, layout: Layout, level: int) -> Tensor:
        """C (N, D)."""
        dropped_ND = self.dropout(p_ND)
        keys_ND, queries_ND = self.key(dropped_ND), self.query(dropped_ND)
        attended_ND = attend_phrases(keys_ND, queries_ND, p_ND, layout, level, self.activation, lone=self.lone)
        compared_N2D = torch.cat([(p_ND - attended_ND).abs(), p_ND * attended_ND], dim=-1)
        return self.activation(self.compare(self.dropout(compared_N2D)))

    def weights(self, p_ND: Tensor, layout: Layout, level: int) -> Tensor:
        """(B, query, key, D), without dropout."""
        return phrase_weights(self.key(p_ND), self.query(p_ND), layout, level, self.activation, lone=self.lone)


class GatedMemory(nn.Module):
    """What a word was, refined by what it is in a larger phrase.

    G = sigmoid(W(g) [M; C] + b(g)),  M' = G (.) sigma(W(m) [M; C] + b(m))      (eq. 4)

    With `carry`, M' = G (.) sigma(...) + (1 - G) (.) M, as in the highway networks that the text refers to.
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
        self.activation = activation_named(activation)
        self.dropout = Dropout(dropout)

    def forward(self, m_ND: Tensor, c_ND: Tensor) -> tuple[Tensor, Tensor]:
        """M' and G, both (N, D)."""
        both_N2D = self.dropout(torch.cat([m_ND, c_ND], dim=-1))
        gate_ND = torch.sigmoid(self.gate(both_N2D))
        new_ND = gate_ND * self.activation(self.update(both_N2D))
        return (new_ND + (1 - gate_ND) * m_ND if self.carry else new_ND), gate_ND


class PSAN(Encoder):
    """PSA over the phrases of one level after the other, from small phrases to large ones, a memory that takes in each
    result, and multi-dimensional source2token attention over what has become of the words (eq. 5).

    M(0) are the word vectors themselves. `divisions` names the level of phrases of each step: (3, 2, 1) in the paper's
    model, where level 1 is cut at the root of the tree; 0 is the whole sentence. `memory` is

    gated         eq. 4
    concatenated  each PSA sees the word vectors, and a layer sigma(W [C(1); ...; C(T)] + b) joins what they say
    none          M(t) = C(t)

    Each step has a PSA of its own and all share one gate, which is what 2.0M parameters say; `shared_attention` and
    `shared_gate` choose otherwise. The text gives a chance of dropout and no place for it; `dropout_at` is the input of
    every dense layer, or words, the word vectors alone.
    """

    takes_phrases: ClassVar[bool] = True
    symbols: ClassVar[dict[str, str]] = {"join.weight": "W", "join.bias": "b"}

    def __init__(
        self,
        input_size: int,
        *,
        divisions: Sequence[int] = (3, 2, 1),
        memory: Memory = "gated",
        carry: bool = False,
        shared_attention: bool = False,
        shared_gate: bool = True,
        lone_word: LoneWord = "zero",
        initialisation: Initialisation = "normal",
        activation: Activation = "elu",
        dropout: float = 0.0,
        dropout_at: DropoutAt = "dense",
    ) -> None:
        super().__init__()
        check_choice("memory", memory, Memory)
        check_choice("dropout_at", dropout_at, DropoutAt)
        if not divisions or min(divisions) < 0:
            raise ValueError(f"divisions names at least one level, and none below 0; got {list(divisions)}")
        if memory != "gated" and (carry or not shared_gate):
            raise ValueError(f"carry and shared_gate are for memory=gated; got memory={memory}")
        self.width, self.divisions, self.levels = input_size, tuple(divisions), max(divisions)
        steps, inside = len(self.divisions), dropout if dropout_at == "dense" else 0.0
        self.attention = nn.ModuleList(
            PhraseAttention(input_size, lone_word=lone_word, activation=activation, dropout=inside)
            for _ in range(1 if shared_attention else steps)
        )
        self.memory = nn.ModuleList(
            GatedMemory(input_size, carry=carry, activation=activation, dropout=inside)
            for _ in range(0 if memory != "gated" else 1 if shared_gate else steps)
        )
        self.join = dense(steps * input_size, input_size) if memory == "concatenated" else None
        self.pooling = SourceToTokenPooling(input_size, activation=activation, dropout=inside)
        self.activation, self.dropout = activation_named(activation), Dropout(inside)
        self.words = Dropout(dropout if dropout_at == "words" else 0.0)
        initialise(self, initialisation)

    def encode(self, x_ND: Tensor, layout: Layout) -> Tensor:
        return self.pooling(self.refined(x_ND, layout), layout)

    def refined(self, x_ND: Tensor, layout: Layout, maps: dict[str, Tensor] | None = None) -> Tensor:
        """M(T) (N, D); what is seen on the way is added to `maps`."""
        m_ND, every = self.words(x_ND), []
        for step, level in enumerate(self.divisions):
            attention = self.attention[step % len(self.attention)]
            assert isinstance(attention, PhraseAttention)
            c_ND = attention(m_ND, layout, level)
            name = f"{step}_level_{level}" if level else f"{step}_sentence"
            if maps is not None:
                maps[f"attention_{name}"] = attention.weights(m_ND, layout, level)
            if self.join is not None:
                every.append(c_ND)
            elif len(self.memory):
                m_ND, gate_ND = self.memory[step % len(self.memory)](m_ND, c_ND)
                if maps is not None:
                    maps[f"gate_{name}"] = layout.grid(gate_ND)
            else:
                m_ND = c_ND
        return m_ND if self.join is None else self.activation(self.join(self.dropout(torch.cat(every, dim=-1))))

    def maps(self, x_ND: Tensor, layout: Layout) -> dict[str, Tensor]:
        maps: dict[str, Tensor] = {}
        m_ND = self.refined(x_ND, layout, maps)
        return {**maps, "source2token": self.pooling.weights(m_ND, layout)}
