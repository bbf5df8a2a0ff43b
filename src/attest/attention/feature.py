"""Feature-wise attention between the words of one sentence: DiSAN, equations 11 and 15.

Legend: B batch, T time (Q as query, K as key), D features.
"""

import torch
from torch import Tensor

from attest.attention.directions import Direction, allowed_keys
from attest.attention.masked import masked_softmax


def feature_weights(
    keys_BTD: Tensor, queries_BTD: Tensor, *, mask: Direction, lengths: Tensor, scale: float = 5.0
) -> Tensor:
    """P of DiSAN (B, Q, K, D): one distribution over the keys for each query and each feature.

    f(h_i, h_j) = c tanh([W(1) h_i + W(2) h_j + b(1)] / c) + M_ij 1      (eq. 15)

    `keys` hold W(1) h_i, `queries` W(2) h_j + b(1), `scale` is c. Queries without an allowed key get zeros.
    """
    real_BT = real_tokens(keys_BTD, lengths)
    # Zeroed here, since tanh would hand a NaN that stands in the padding on to the gradients.
    keys_BTD, queries_BTD = (x.masked_fill(~real_BT[..., None], 0.0) for x in (keys_BTD, queries_BTD))
    sum_BQKD = keys_BTD[:, None] + queries_BTD[:, :, None]
    scores_BQKD = scale * torch.tanh(sum_BQKD / scale)
    allowed_BQK = allowed_keys(mask, keys_BTD.shape[1], keys_BTD.device) & real_BT[:, None, :] & real_BT[:, :, None]
    return masked_softmax(scores_BQKD, allowed_BQK[..., None], dim=2)


def feature_attention(
    keys: Tensor,
    queries: Tensor,
    values: Tensor,
    *,
    mask: Direction,
    lengths: Tensor,
    scale: float = 5.0,
) -> Tensor:
    """s of DiSAN (B, T, D): s_j = sum_i P_i^j (.) h_i, equation 11.

    keys, queries, values: (B, T, D); lengths: (B,), the tokens in front of the padding. Rows of the result
    that stand for padding are zero, and nothing that stands in the padding of the arguments has any influence.
    """
    weights_BQKD = feature_weights(keys, queries, mask=mask, lengths=lengths, scale=scale)
    values_BTD = values.masked_fill(~real_tokens(values, lengths)[..., None], 0.0)
    return (weights_BQKD * values_BTD[:, None]).sum(2)


def real_tokens(x_BTD: Tensor, lengths_B: Tensor) -> Tensor:
    """Boolean (B, T), True at tokens."""
    return torch.arange(x_BTD.shape[1], device=x_BTD.device) < lengths_B[:, None]
