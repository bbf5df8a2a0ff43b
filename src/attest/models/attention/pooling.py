"""Pooling of the words of a sentence to one vector: feature-wise attention (DiSAN, eqs. 12 and 13), maximum and sum.

Legend: B sentences, T time, N rows of a layout, D features.
"""

import torch
from torch import Tensor

from attest.models.attention.layout import Layout
from attest.models.attention.masked import at_least_fp32, in_type_of, masked_softmax, masked_sum
from attest.models.kernels.attention import source2token
from attest.models.kernels.backends import backend_for
from attest.models.kernels.library import kernel_inputs


def pool_words(scores_ND: Tensor, values_ND: Tensor, layout: Layout) -> Tensor:
    """Return s (B, D), per feature the mean of a sentence's words, weighted by the softmax of their scores.

    scores and values: (N, D), the rows of the layout. A sentence without words gives zeros. Raise ValueError if the
    shapes are others.
    """
    layout.check_rows(scores=scores_ND, values=values_ND)
    if backend_for(scores_ND, values_ND) == "native":
        return source2token(*kernel_inputs(scores_ND, values_ND), layout.first_B, layout.length_B)[0]
    with torch.autocast(values_ND.device.type, enabled=False):
        s_BD = masked_sum(pooling_weights(scores_ND, layout), layout.grid(values_ND), layout.grid_mask_BT)
    return in_type_of(values_ND, s_BD)


def pooling_weights(scores_ND: Tensor, layout: Layout) -> Tensor:
    """Return the weights P (B, T, D) of `pool_words`, per feature a distribution over the words of a sentence.

    scores: (N, D), the rows of `layout`.
    """
    return masked_softmax(layout.grid(scores_ND), layout.grid_mask_BT[..., None], dim=1)


def max_words(values_ND: Tensor, layout: Layout) -> Tensor:
    """Return s (B, D), per feature the highest value among a sentence's words; zeros for a sentence without words.

    values: (N, D), the rows of `layout`.
    """
    return masked_grid(values_ND, layout).amax(1).masked_fill((layout.length_B == 0)[:, None], 0.0)


def max_weights(values_ND: Tensor, layout: Layout) -> Tensor:
    """Return weights (B, T, D) that are 1 at the word with the highest value of a feature (the first of equals).

    values: (N, D), the rows of `layout`.
    """
    grid_BTD = masked_grid(values_ND, layout)
    weights_BTD = torch.zeros_like(grid_BTD).scatter(1, grid_BTD.argmax(1, keepdim=True), 1.0)
    real_BT = layout.grid_mask_BT
    return weights_BTD[:, : real_BT.shape[1]].masked_fill(~real_BT[..., None], 0.0)


def masked_grid(values_ND: Tensor, layout: Layout) -> Tensor:
    """Return the grid (B, T, D) of rows (N, D), with the lowest number of their type at padding.

    If T is 0, the grid has one position of padding, since a maximum of no numbers is an error.
    """
    lowest = torch.finfo(values_ND.dtype).min
    grid_BTD = layout.grid(values_ND).masked_fill(~layout.grid_mask_BT[..., None], lowest)
    return grid_BTD if grid_BTD.shape[1] else grid_BTD.new_full((len(grid_BTD), 1, grid_BTD.shape[2]), lowest)


def sum_words(values_ND: Tensor, layout: Layout) -> Tensor:
    """Return s (B, D), per feature the sum over a sentence's words, at least in fp32.

    values: (N, D), the rows of `layout`. A GPU adds one word after another in the type of the sum: in bf16, a sum of
    1,600 words would stop growing.
    """
    words_ND = at_least_fp32(values_ND).masked_fill(~layout.real_N[:, None], 0)
    s_BD = words_ND.new_zeros(len(layout.length_B), words_ND.shape[1])
    return s_BD.index_add(0, layout.sentence_N, words_ND)
