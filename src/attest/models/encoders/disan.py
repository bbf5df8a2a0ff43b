"""Directional Self-Attention Network: Shen et al. 2018, section 4.

Legend: N rows of a layout (words), E width of the word vectors.
"""

from collections.abc import Sequence
from typing import Literal

from torch import Tensor

from attest.models.attention import Direction, Layout
from attest.models.encoders.base import Activation, check_choice
from attest.models.encoders.blocks import SideBySide
from attest.models.encoders.disa import DirectionalBlock, Fusion, GateBiases, Scores
from attest.models.encoders.source2token import SourceToTokenPooling
from attest.models.kernels.dropout import Dropout

DropoutAt = Literal["dense", "units", "words"]


class DiSAN(SideBySide):
    """Two DiSA blocks with weights of their own, side by side, then source2token attention (Figure 4).

    `directions` names the mask of each block: forward and backward in the paper's model, diagonal twice in its
    "DiSAN without directions". The sentence vector has hidden_size features per block. The paper gives a chance of
    dropout and no place for it; `dropout_at` is one of

    dense  the input of every dense layer, while what is attended to and mixed stays whole (authors' code)
    units  x, h, s and u themselves, for all that reads them (as the cited Srivastava et al. 2014 drop units)
    words  the word vectors x alone

    and the other settings are those of a block.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int = 300,
        *,
        directions: Sequence[Direction] = ("forward", "backward"),
        activation: Activation = "elu",
        scale: float = 5.0,
        fusion: Fusion = "gate",
        gate_biases: GateBiases = 3,
        scores: Scores = "features",
        decay_scores: bool = False,
        dropout: float = 0.0,
        dropout_at: DropoutAt = "dense",
    ) -> None:
        check_choice("dropout_at", dropout_at, DropoutAt)
        at_dense, at_units = (dropout if dropout_at == place else 0.0 for place in ("dense", "units"))
        super().__init__(
            hidden_size,
            directions,
            lambda direction: DirectionalBlock(
                input_size,
                hidden_size,
                direction,
                activation=activation,
                scale=scale,
                fusion=fusion,
                gate_biases=gate_biases,
                scores=scores,
                decay_scores=decay_scores,
                dropout=at_dense,
                units=at_units,
            ),
            lambda width: SourceToTokenPooling(width, activation=activation, dropout=at_dense),
        )
        self.words, self.units = Dropout(dropout if dropout_at != "dense" else 0.0), Dropout(at_units)

    def encode_words(self, x_NE: Tensor, layout: Layout) -> Tensor:
        return self.units(super().encode_words(self.words(x_NE), layout))
