"""The Phrase-level Self-Attention Network (PSAN): Wu et al. 2018, section 2.

Legend: N rows of a layout (words), D features, as many as the word vectors have.
"""

from collections.abc import Sequence
from typing import ClassVar, Literal

import torch
from torch import Tensor, nn

from attest.models.arguments import Size
from attest.models.attention import Layout
from attest.models.encoders.base import Encoder
from attest.models.encoders.psa import GatedMemory, LoneWord, PhraseAttention
from attest.models.encoders.source2token import SourceToTokenPooling
from attest.models.initialisation import GlorotOrTorch, initialise_dense
from attest.models.kernels.dropout import Dropout
from attest.models.layers import Activation, activation_function, dense

Memory = Literal["gated", "concatenated", "none"]
DropoutAt = Literal["words", "dense"]


class PSAN(Encoder):
    """The Phrase-level Self-Attention Network: Wu et al. 2018, section 2, equations 1 to 5.

        M(0) = x
        C(t) = PSA(M(t-1)) within the phrases of level divisions[t]     (eqs. 1 to 3, see PhraseAttention)
        M(t) = memory(M(t-1), C(t))                                     (eq. 4, see GatedMemory)
        s    = source2token(M(T))                                       (eq. 5, see SourceToTokenPooling)

    x (B, T, D) and `phrases` (B, T) -> s (B, D), with D = `input_size`. `divisions` holds the level of the phrases in
    each step, from small phrases to large ones: (3, 2, 1) in the paper's model. The phrases of level 1 are the children
    of the tree's root, and each further level divides them once more; level 0 is the whole sentence. `memory` is one of

        gated         eq. 4; with `carry`, M(t) = G (.) sigma(...) + (1 - G) (.) M(t-1), as in highway networks
        concatenated  every PSA reads the word vectors, and a layer sigma(W [C(1); ...; C(T)] + b) joins their outputs
        none          M(t) = C(t)

    By default each step has a separate PSA and all steps share one gate, which agrees with the paper's 2.0M parameters;
    `shared_attention` and `shared_gate` select otherwise. The text gives a dropout probability but not where it
    applies; `dropout_at` is words, the word vectors alone, or dense, the input of every dense layer. `lone_word` says
    what the word of a one-word phrase attends to: zero, nothing, or itself. `activation` is sigma. `initialisation` is
    uniform or normal (all matrices Glorot-uniform or Glorot-normal, all biases 0), or torch (torch's own values).

    A sentence of four words, whose two phrases of level 1 begin at the words 0 and 2. Bit t - 1 of `phrases` is set
    where a phrase of level t begins:

        >>> encoder, mask = PSAN(300, divisions=(1, 0)), torch.ones(1, 4, dtype=torch.bool)
        >>> encoder(torch.randn(1, 4, 300), mask, phrases=torch.tensor([[1, 0, 1, 0]])).shape
        torch.Size([1, 300])
    """

    takes_phrases: ClassVar[bool] = True
    symbols: ClassVar[dict[str, str]] = {"join.weight": "W", "join.bias": "b"}

    def __init__(
        self,
        input_size: Size,
        *,
        divisions: Sequence[int] = (3, 2, 1),
        memory: Memory = "gated",
        carry: bool = False,
        shared_attention: bool = False,
        shared_gate: bool = True,
        lone_word: LoneWord = "zero",
        initialisation: GlorotOrTorch = "normal",
        activation: Activation = "elu",
        dropout: float = 0.0,
        dropout_at: DropoutAt = "dense",
    ) -> None:
        super().__init__()
        if not divisions or min(divisions) < 0:
            raise ValueError(f"divisions is {list(divisions)}; name at least one level, and none below 0")
        if memory != "gated" and (carry or not shared_gate):
            raise ValueError(f"carry, shared_gate: memory={memory} has no gate; leave them out or use memory=gated")
        self.input_size = self.width = input_size
        self.divisions, self.levels = tuple(divisions), max(divisions)
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
        self.word_dropout = Dropout(dropout if dropout_at == "words" else 0.0)
        initialise_dense(self, initialisation)

    def encode(self, x_ND: Tensor, layout: Layout) -> Tensor:
        return self.pooling(self.refine(x_ND, layout), layout)

    def refine(self, x_ND: Tensor, layout: Layout, maps: dict[str, Tensor] | None = None) -> Tensor:
        """Return the words after the last step, M(T) (N, D); add the attention and gate of each step to `maps`."""
        m_ND, outputs = self.word_dropout(x_ND), []
        for step, level in enumerate(self.divisions):
            attention = self.attention[step % len(self.attention)]
            assert isinstance(attention, PhraseAttention)
            c_ND = attention(m_ND, layout, level)
            name = f"{step}_level_{level}" if level else f"{step}_sentence"
            if maps is not None:
                maps[f"attention_{name}"] = attention.weights(m_ND, layout, level)
            if self.join is not None:
                outputs.append(c_ND)
            elif len(self.memory):
                m_ND, gate_ND = self.memory[step % len(self.memory)](m_ND, c_ND)
                if maps is not None:
                    maps[f"gate_{name}"] = layout.grid(gate_ND)
            else:
                m_ND = c_ND
        return m_ND if self.join is None else self.activation(self.join(self.dropout(torch.cat(outputs, dim=-1))))

    def maps(self, x_ND: Tensor, layout: Layout) -> dict[str, Tensor]:
        maps: dict[str, Tensor] = {}
        m_ND = self.refine(x_ND, layout, maps)
        return {**maps, "source2token": self.pooling.weights(m_ND, layout)}
