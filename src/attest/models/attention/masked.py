"""Softmax and sums over real tokens only.

One convention everywhere: a mask is True where there is a token. A row without any token gives zeros, as in
the DiSAN authors' code, never NaN and never a uniform average over padding.

Legend: B batch, T time, D features.
"""

import torch
from torch import Tensor


def at_least_fp32(x: Tensor) -> Tensor:
    """What is in 16 bits in fp32: attention is computed so also where dense layers are not."""
    return x.float() if x.dtype in (torch.bfloat16, torch.float16) else x


def masked_softmax(scores: Tensor, mask: Tensor, dim: int) -> Tensor:
    """Softmax of `scores` along `dim` over the places where `mask` is True; zero at all others. In fp32 at least."""
    scores = at_least_fp32(scores)
    lowest = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(~mask, lowest).softmax(dim)
    return weights.masked_fill(~mask, 0.0)


def masked_sum(weights_BTD: Tensor, values_BTD: Tensor, mask_BT: Tensor) -> Tensor:
    """Sum over time of weights times values, (B, D); whatever stands in the padding does not matter."""
    return (weights_BTD * values_BTD.masked_fill(~mask_BT[..., None], 0.0)).sum(1)
