"""Pooling of the words of a sentence to one vector: feature-wise attention (DiSAN, eqs. 12 and 13) and maximum.

Legend: B sentences, T time, N rows of a layout, D features.
"""

import torch
from torch import Tensor

from attest.models.attention.layout import Layout
from attest.models.attention.masked import in_type_of, masked_softmax, masked_sum
from attest.models.kernels import attention as native
from attest.models.kernels.backends import backend_for
from attest.models.kernels.library import kernel_inputs


def pool_words(scores_ND: Tensor, values_ND: Tensor, layout: Layout) -> Tensor:
    """Return s (B, D), per feature the mean of a sentence's words, weighted by the softmax of their scores.

    scores and values: (N, D), the rows of the layout. A sentence without words gives zeros. Raise ValueError if the
    shapes are others.
    """
    layout.check_rows(scores=scores_ND, values=values_ND)
    if backend_for(scores_ND, values_ND) == "native":
        return native.source2token(*kernel_inputs(scores_ND, values_ND), layout.first_B, layout.length_B)[0]
    with torch.autocast(values_ND.device.type, enabled=False):
        s_BD = masked_sum(pooling_weights(scores_ND, layout), layout.grid(values_ND), layout.front_BT)
    return in_type_of(values_ND, s_BD)


def pooling_weights(scores_ND: Tensor, layout: Layout) -> Tensor:
    """Return the weights P (B, T, D) of `pool_words`, per feature a distribution over the words of a sentence.

    scores: (N, D), the rows of `layout`.
    """
    return masked_softmax(layout.grid(scores_ND), layout.front_BT[..., None], dim=1)


def max_words(values_ND: Tensor, layout: Layout) -> Tensor:
    """Return s (B, D), per feature the highest value among a sentence's words; zeros for a sentence without words.

    values: (N, D), the rows of `layout`.
    """
    lowest = torch.finfo(values_ND.dtype).min
    highest_BD = layout.grid(values_ND).masked_fill(~layout.front_BT[..., None], lowest).amax(1)
    return highest_BD.masked_fill((layout.length_B == 0)[:, None], 0.0)


def max_weights(values_ND: Tensor, layout: Layout) -> Tensor:
    """Return weights (B, T, D) that are 1 at the word with the highest value of a feature (the first of equals).

    values: (N, D), the rows of `layout`.
    """
    lowest = torch.finfo(values_ND.dtype).min
    first_BD = layout.grid(values_ND).masked_fill(~layout.front_BT[..., None], lowest).argmax(1)
    weights_BTD = torch.zeros_like(layout.grid(values_ND)).scatter(1, first_BD[:, None], 1.0)
    return weights_BTD.masked_fill(~layout.front_BT[..., None], 0.0)
