"""A sentence's words to one vector: feature-wise attention (DiSAN, equations 12 and 13) and max pooling.

Legend: B sentences, T time, N rows of a layout, D features.
"""

import torch
from torch import Tensor

from attest.models.attention.layout import Layout
from attest.models.attention.masked import masked_softmax
from attest.models.kernels import attention as native
from attest.models.kernels.backends import backend_for
from attest.models.kernels.library import kernel_inputs


def pool_words(scores_ND: Tensor, values_ND: Tensor, layout: Layout) -> Tensor:
    """s (B, D): for each feature the mean of a sentence's words under the softmax of their scores.

    A sentence without words gives zeros.
    """
    if backend_for(values_ND) == "native":
        return native.source2token(*kernel_inputs(scores_ND, values_ND), layout.first_B, layout.length_B)[0]
    with torch.autocast(values_ND.device.type, enabled=False):
        weights_BTD = pooling_weights(scores_ND, layout)
        values_BTD = layout.grid(values_ND).masked_fill(~layout.front_BT[..., None], 0.0)
        return (weights_BTD * values_BTD).sum(1)


def pooling_weights(scores_ND: Tensor, layout: Layout) -> Tensor:
    """P (B, T, D): for each feature a distribution over the words of a sentence."""
    return masked_softmax(layout.grid(scores_ND), layout.front_BT[..., None], dim=1)


def max_words(values_ND: Tensor, layout: Layout) -> Tensor:
    """s (B, D): of each feature the highest value among a sentence's words. A sentence without words gives zeros."""
    lowest = torch.finfo(values_ND.dtype).min
    highest_BD = layout.grid(values_ND).masked_fill(~layout.front_BT[..., None], lowest).amax(1)
    return highest_BD.masked_fill((layout.length_B == 0)[:, None], 0.0)


def max_weights(values_ND: Tensor, layout: Layout) -> Tensor:
    """(B, T, D): for each feature 1 at the word that has the highest value, the first of equals."""
    lowest = torch.finfo(values_ND.dtype).min
    first_BD = layout.grid(values_ND).masked_fill(~layout.front_BT[..., None], lowest).argmax(1)
    chosen_BTD = torch.zeros_like(layout.grid(values_ND)).scatter(1, first_BD[:, None], 1.0)
    return chosen_BTD.masked_fill(~layout.front_BT[..., None], 0.0)
