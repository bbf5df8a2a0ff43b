"""The Directional Self-Attention Network (DiSAN): Shen et al. 2018, section 4.

Legend: N rows of a layout (words), D features.
"""

from collections.abc import Sequence
from typing import Literal

from torch import Tensor

from attest.models.arguments import Size
from attest.models.attention import Direction, Layout
from attest.models.encoders.blocks import ParallelBlocks
from attest.models.encoders.disa import DirectionalBlock, Fusion, GateBiases, Scores
from attest.models.encoders.source2token import SourceToTokenPooling
from attest.models.kernels.dropout import Dropout
from attest.models.layers import Activation

DropoutAt = Literal["dense", "units", "words"]


class DiSAN(ParallelBlocks):
    """The Directional Self-Attention Network: Shen et al. 2018, section 4 and Figure 4.

        u_fw = DiSA_fw(x),   u_bw = DiSA_bw(x)            (eqs. 14 to 20, see DirectionalBlock)
        s    = source2token([u_fw; u_bw])                 (eqs. 12 and 13, see SourceToTokenPooling)

    x (B, T, E) -> s (B, W), with E = `input_size` and W = `hidden_size` for each block. `directions` names the mask of
    each block: forward and backward in the paper's model, diagonal twice in its "DiSAN without directions". The paper
    gives a dropout probability but not where it applies; `dropout_at` is one of

        dense  the input of every dense layer, but nothing that is attended to or mixed (authors' code)
        units  x, h, s and u themselves, so that all layers that use them see it (the dropout of Srivastava et al. 2014)
        words  the word vectors x alone

    The other settings are those of a block (eqs. 14 to 20), whose symbols are the paper's:

        activation    sigma_h of the hidden layer, h = sigma_h(W(h) x + b(h))
        scale         c in the scores, c tanh([W(1) h_i + W(2) h_j + b(1)] / c)
        fusion        gate: u = F (.) h + (1 - F) (.) s, with the gate F; sum: u = h + s; none: u = s
        gate_biases   3: b(f) and a redundant bias for each of W(f1) and W(f2), as Table 1's 2.35m counts; 1: b(f) alone
        scores        features: a score for each feature; scalar: one score for all features
        decay_scores  whether the L2 penalty includes W(1) and W(2)

    Two sentences of at most three words:

        >>> encoder = DiSAN(input_size=300, hidden_size=300)
        >>> x, mask = torch.randn(2, 3, 300), torch.tensor([[True, True, True], [True, True, False]])
        >>> encoder(x, mask).shape
        torch.Size([2, 600])
        >>> sorted(encoder.attend(x, mask))
        ['attention_0_forward', 'attention_1_backward', 'gate_0_forward', 'gate_1_backward', 'source2token']
    """

    def __init__(
        self,
        input_size: Size,
        hidden_size: Size = 300,
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
        at_dense, at_units = (dropout if dropout_at == place else 0.0 for place in ("dense", "units"))
        super().__init__(
            input_size,
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
                unit_dropout=at_units,
            ),
            lambda width: SourceToTokenPooling(width, activation=activation, dropout=at_dense),
        )
        self.word_dropout, self.unit_dropout = Dropout(dropout if dropout_at != "dense" else 0.0), Dropout(at_units)

    def encode_words(self, x_ND: Tensor, layout: Layout) -> Tensor:
        return self.unit_dropout(super().encode_words(self.word_dropout(x_ND), layout))
