"""Phrase-level Self-Attention Network: Wu et al. 2018, section 2.

Legend: N rows of a layout (words), D features, as many as the word vectors have.
"""

from collections.abc import Sequence
from typing import ClassVar, Literal

import torch
from torch import Tensor, nn

from attest.models.attention import Layout
from attest.models.encoders.base import (
    Activation,
    Encoder,
    Initialisation,
    activation_function,
    check_choice,
    dense,
    initialise,
)
from attest.models.encoders.psa import GatedMemory, LoneWord, PhraseAttention
from attest.models.encoders.source2token import SourceToTokenPooling
from attest.models.kernels.dropout import Dropout

Memory = Literal["gated", "concatenated", "none"]
DropoutAt = Literal["words", "dense"]


class PSAN(Encoder):
    """PSA over the phrases of one level after the other, from small phrases to large ones, a memory that takes in each
    result, and multi-dimensional source2token attention over what has become of the words (eq. 5).

    M(0) are the word vectors themselves. `divisions` names the level of phrases of each step: (3, 2, 1) in the paper's
    model, where level 1 is cut at the root of the tree; 0 is the whole sentence. `memory` is

    gated         eq. 4
    concatenated  each PSA sees the word vectors, and a layer sigma(W [C(1); ...; C(T)] + b) joins what they say
    none          M(t) = C(t)

    Each step has a PSA of its own and all share one gate, which is what 2.0M parameters say; `shared_attention` and
    `shared_gate` choose otherwise. The text gives a chance of dropout and no place for it; `dropout_at` is words, the
    word vectors alone, or dense, the input of every dense layer.
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
        self.activation, self.dropout = activation_function(activation), Dropout(inside)
        self.words = Dropout(dropout if dropout_at == "words" else 0.0)
        initialise(self, initialisation)

    def encode(self, x_ND: Tensor, layout: Layout) -> Tensor:
        return self.pooling(self.refine(x_ND, layout), layout)

    def refine(self, x_ND: Tensor, layout: Layout, maps: dict[str, Tensor] | None = None) -> Tensor:
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
        m_ND = self.refine(x_ND, layout, maps)
        return {**maps, "source2token": self.pooling.weights(m_ND, layout)}
