"""Factorised attention (Fast-DiSA): each weight is a factor per pair of words times a factor per word and feature.

Shen et al., arXiv 1805.00912, following the authors' code. No tensor of all pairs and all features is needed.

Legend: B batch, T time (Q as query, K as key), N rows of a layout, D features.
"""

from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from attest.models.arguments import check_choice
from attest.models.attention.directions import Direction, allowed_pairs
from attest.models.attention.groups import apply_in_groups
from attest.models.attention.layout import Layout
from attest.models.attention.masked import at_least_fp32, in_type_of, masked_softmax, word_mask

PairWeight = Literal["sigmoid", "exp"]
"""The function g that makes the factor of a pair of words from their scaled dot product."""

MAX_EXPONENT = 60.0
"""The largest exponent whose exp still fits into fp32 after it is summed over words and multiplied by values."""

SMALL_PRODUCT = -16.0
"""The scaled dot product up to which sigmoids are small: below 1.2e-7, so that their products with E could underflow.
If no product of a query exceeds it, the sigmoids of the query are divided by the largest of them."""


def attend_factorised(
    queries_ND: Tensor,
    keys_ND: Tensor,
    scores_ND: Tensor,
    values_ND: Tensor,
    layout: Layout,
    *,
    direction: Direction,
    pair_weight: PairWeight,
) -> Tensor:
    """Return the attention s (N, D) = A (E (.) v) / (A E), with A and E of `pair_and_word_factors`; 0 where A E is 0.

    queries, keys, scores (l) and values (v): (N, D), the rows of `layout`. `direction` is that of the
    positional mask, and `pair_weight` names the function g of A. Raise ValueError if the shapes are others.
    """
    check_choice("pair_weight", pair_weight, PairWeight)
    layout.check_rows(queries=queries_ND, keys=keys_ND, scores=scores_ND, values=values_ND)

    def attend(group: Layout, words_BK2D: Tensor, compared_BT2D: Tensor) -> Tensor:
        queries_BTD, keys_BTD = compared_BT2D.chunk(2, dim=-1)
        pairs_BQK = pair_factors(
            queries_BTD, keys_BTD, group.grid_mask_BT, direction=direction, pair_weight=pair_weight
        )
        return pairs_BQK @ words_BK2D

    with torch.autocast(values_ND.device.type, enabled=False):
        words_ND = word_factors(at_least_fp32(scores_ND), layout)
        weighted_N2D = torch.cat([words_ND * at_least_fp32(values_ND), words_ND], dim=-1)
        compared_N2D = at_least_fp32(torch.cat([queries_ND, keys_ND], dim=-1))
        sums_N2D = apply_in_groups(layout, attend, weighted_N2D, compared_N2D)
        numerators_ND, denominators_ND = sums_N2D.chunk(2, dim=-1)
        s_ND = numerators_ND / nonzero(denominators_ND)
    return in_type_of(values_ND, s_ND)


def factorised_weights(pairs_BQK: Tensor, words_BKD: Tensor) -> Tensor:
    """Return the weights P (B, Q, K, D), P_jik = A_ji E_ik / (A E)_jk, which `attend_factorised` never forms.

    `pairs` hold A (B, Q, K) and `words` hold E (B, K, D), as `pair_and_word_factors` returns them.
    """
    return pairs_BQK[..., None] * words_BKD[:, None] / nonzero(pairs_BQK @ words_BKD)[:, :, None]


def pair_and_word_factors(
    queries_BTD: Tensor,
    keys_BTD: Tensor,
    scores_BTD: Tensor,
    *,
    direction: Direction,
    lengths: Tensor,
    pair_weight: PairWeight,
) -> tuple[Tensor, Tensor]:
    """Return the factor A (B, Q, K) of each pair of words and the factor E (B, K, D) of each word and feature.

        A_ji = g(q_j . k_i / sqrt(D)), with g sigmoid or exp, and 0 where j may not attend to i;   E_ik = exp(l_ik)

    `queries` hold q, `keys` k and `scores` l, all (B, T, D). `direction` is that of the mask, `lengths` (B,) the
    number of words of each sentence, and `pair_weight` names g.

    The weights P stay the same if A is divided by a number per query, or E by a number per sentence and feature. To
    prevent overflow and underflow, A is divided by its sum over the allowed keys if g is exp, and, if g is sigmoid, by
    its largest value for queries whose products are all at most `SMALL_PRODUCT`; E is divided by
    exp(`score_origin`). These numbers still underflow to 0 in fp32: E of words whose score is more than 147 below the
    highest of their sentence; A E of words more than 131 below it, if g is sigmoid; and A of pairs whose product is
    more than 70 below the highest of their query.
    """
    real_BT = word_mask(scores_BTD, lengths)
    queries_BTD, keys_BTD, scores_BTD = (at_least_fp32(x) for x in (queries_BTD, keys_BTD, scores_BTD))
    queries_BTD, keys_BTD = (x.masked_fill(~real_BT[..., None], 0.0) for x in (queries_BTD, keys_BTD))
    pairs_BQK = pair_factors(queries_BTD, keys_BTD, real_BT, direction=direction, pair_weight=pair_weight)
    shifted_BTD = scores_BTD - score_origin(scores_BTD.detach(), real_BT)
    return pairs_BQK, shifted_BTD.masked_fill(~real_BT[..., None], -torch.inf).exp()


def pair_factors(
    queries_BTD: Tensor, keys_BTD: Tensor, real_BT: Tensor, *, direction: Direction, pair_weight: PairWeight
) -> Tensor:
    """Return the factor A (B, Q, K) of `pair_and_word_factors` from queries and keys that are 0 at padding."""
    check_choice("pair_weight", pair_weight, PairWeight)
    allowed_BQK = allowed_pairs(direction, real_BT)
    products_BQK = queries_BTD @ keys_BTD.transpose(1, 2) / queries_BTD.shape[-1] ** 0.5
    if pair_weight == "exp":
        return masked_softmax(products_BQK, allowed_BQK, dim=2)
    return sigmoid_factors(products_BQK, allowed_BQK)


def sigmoid_factors(products_BQK: Tensor, allowed_BQK: Tensor) -> Tensor:
    """Return the sigmoid of the products of allowed pairs, and 0 for others.

    If all products of a query are at most `SMALL_PRODUCT`, its sigmoids are divided by the largest of them.
    """
    highest_BQ1 = products_BQK.detach().masked_fill(~allowed_BQK, -torch.inf).amax(2, keepdim=True)
    small_BQ1 = highest_BQ1 <= SMALL_PRODUCT
    origin_BQ1 = F.logsigmoid(highest_BQ1).clamp(min=torch.finfo(highest_BQ1.dtype).min).masked_fill(~small_BQ1, 0.0)
    # Masked before exp: the gradient of an infinite exp of another pair would be NaN.
    shifted_BQK = (F.logsigmoid(products_BQK) - origin_BQ1).masked_fill(~allowed_BQK, -torch.inf).exp()
    return torch.where(small_BQ1, shifted_BQK, products_BQK.sigmoid().masked_fill(~allowed_BQK, 0.0))


def word_factors(scores_ND: Tensor, layout: Layout) -> Tensor:
    """Return the factor E (N, D) of `pair_and_word_factors` for the rows of `layout`; 0 for rows without a word."""
    origin_BD = score_origin(layout.grid(scores_ND.detach()), layout.grid_mask_BT).squeeze(1)
    shifted_ND = scores_ND - origin_BD[layout.sentence_N]
    return shifted_ND.masked_fill(~layout.real_N[:, None], -torch.inf).exp()


def score_origin(scores_BTD: Tensor, real_BT: Tensor) -> Tensor:
    """Return the number (B, 1, D), per sentence and feature, that is subtracted from the scores before exp.

    The number is the midpoint between the lowest and the highest score or, if this is higher, 60 below the highest
    score. A softmax subtracts the highest score itself. Here that would fail: a word may attend to some words alone,
    and if all of their scores were 87 or more below the highest of the sentence, exp would be 0 for each of them.
    """
    padding_BT1 = ~real_BT[..., None]
    highest_B1D = scores_BTD.masked_fill(padding_BT1, -torch.inf).amax(1, keepdim=True)
    lowest_B1D = scores_BTD.masked_fill(padding_BT1, torch.inf).amin(1, keepdim=True)
    return highest_B1D - ((highest_B1D - lowest_B1D) / 2).clamp(max=MAX_EXPONENT)


def nonzero(sums: Tensor) -> Tensor:
    """Return the sums A E, where 0 is replaced by 1, so that s and P are 0 there (authors' code)."""
    return sums.where(sums > torch.finfo(sums.dtype).tiny, 1.0)
