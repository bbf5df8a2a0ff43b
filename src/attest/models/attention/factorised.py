"""Attention whose weights are products of a weight per pair of words and a weight per word and feature: Fast-DiSA.

Shen et al., arXiv 1805.00912, after the authors' code. Such weights need no tensor of all pairs and all features.

Legend: B batch, T time (Q as query, K as key), N rows of a layout, D features.
"""

from typing import Literal

import torch
from torch import Tensor

from attest.models.attention.directions import Direction, allowed_keys
from attest.models.attention.feature import word_mask
from attest.models.attention.layout import Layout
from attest.models.attention.masked import at_least_fp32, masked_softmax

PairWeight = Literal["sigmoid", "exp"]

HIGHEST = 60.0
"""exp of this, times words and values, still fits into fp32."""


def attend_factorised(
    queries_ND: Tensor,
    keys_ND: Tensor,
    scores_ND: Tensor,
    values_ND: Tensor,
    layout: Layout,
    *,
    mask: Direction,
    pair_weight: PairWeight,
) -> Tensor:
    """s (N, D), two matrix products: s = A (E (.) v) / (A E) with A and E of `factors`; 0 where A E is 0."""

    def attend(part: Layout, queries: Tensor, keys: Tensor, scores: Tensor, values_BKD: Tensor) -> Tensor:
        pairs_BQK, words_BKD = pair_and_word_factors(
            queries, keys, scores, mask=mask, lengths=part.length_B, pair_weight=pair_weight
        )
        return pairs_BQK @ (words_BKD * values_BKD) / normalisers(pairs_BQK, words_BKD)

    with torch.autocast(values_ND.device.type, enabled=False):
        return layout.apply_in_parts(attend, *map(at_least_fp32, (queries_ND, keys_ND, scores_ND, values_ND)))


def factorised_weights(pairs_BQK: Tensor, words_BKD: Tensor) -> Tensor:
    """P (B, Q, K, D), the tensor that `attend_factorised` never forms: A_ji E_ik / (A E)_jk."""
    return pairs_BQK[..., None] * words_BKD[:, None] / normalisers(pairs_BQK, words_BKD)[:, :, None]


def pair_and_word_factors(
    queries_BTD: Tensor,
    keys_BTD: Tensor,
    scores_BTD: Tensor,
    *,
    mask: Direction,
    lengths: Tensor,
    pair_weight: PairWeight,
) -> tuple[Tensor, Tensor]:
    """A_ji = g(q_j . k_i / sqrt(D)), 0 where j may not attend to i, and E_ik = exp(l_ik); g is sigmoid or exp.

    A factor that all keys of a query share cancels in P, whatever the mask. So nothing overflows: for g = exp, A is
    divided by its sum over the allowed keys, and E by the exp of an origin for each sentence and feature. What
    does not fit into fp32 beside the rest is lost: words more than 147 below the highest score of their sentence.
    """
    real_BT = word_mask(scores_BTD, lengths)
    queries_BTD, keys_BTD = (x.masked_fill(~real_BT[..., None], 0.0) for x in (queries_BTD, keys_BTD))
    allowed_BQK = allowed_keys(mask, real_BT.shape[1], real_BT.device) & real_BT[:, None, :] & real_BT[:, :, None]
    products_BQK = queries_BTD @ keys_BTD.transpose(1, 2) / queries_BTD.shape[-1] ** 0.5
    if pair_weight == "exp":
        pairs_BQK = masked_softmax(products_BQK, allowed_BQK, dim=2)
    else:
        pairs_BQK = products_BQK.sigmoid().masked_fill(~allowed_BQK, 0.0)
    shifted_BTD = scores_BTD - score_origin(scores_BTD.detach(), real_BT)
    return pairs_BQK, shifted_BTD.masked_fill(~real_BT[..., None], -torch.inf).exp()


def score_origin(scores_BTD: Tensor, real_BT: Tensor) -> Tensor:
    """(B, 1, D): the middle of the scores of each sentence and feature, or 60 below their highest if that is higher.

    The highest itself, as in a softmax, would leave words that see only low scores with nothing 87 below it.
    """
    padding_BT1 = ~real_BT[..., None]
    highest_B1D = scores_BTD.masked_fill(padding_BT1, -torch.inf).amax(1, keepdim=True)
    lowest_B1D = scores_BTD.masked_fill(padding_BT1, torch.inf).amin(1, keepdim=True)
    return highest_B1D - ((highest_B1D - lowest_B1D) / 2).clamp(max=HIGHEST)


def normalisers(pairs_BQK: Tensor, words_BKD: Tensor) -> Tensor:
    """A E (B, Q, D), and 1 where that is no positive number: there s and P are 0 (authors' code)."""
    sums_BQD = pairs_BQK @ words_BKD
    return sums_BQD.where(sums_BQD > torch.finfo(sums_BQD.dtype).tiny, 1.0)
