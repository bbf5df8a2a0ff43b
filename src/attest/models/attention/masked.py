"""Softmax and sums over real tokens only.

Every mask is True where there is a token. A row without any token gives zeros, as in the DiSAN authors' code, never NaN
and never an average over padding.

Legend: B batch, T time, D features.
"""

import torch
from torch import Tensor

from attest.models.arguments import check_tensors

HALF_TYPES = (torch.bfloat16, torch.float16)
"""The 16-bit types, in which no softmax is computed. The scores of MultiHead, Additive and StructuredSelfAttention have
the type of the layers that compute them; those of DiSAN and Fast-DiSAN are computed in fp32."""


def at_least_fp32(x: Tensor) -> Tensor:
    """Return `x` in fp32 if it is in bf16 or fp16, else `x` itself."""
    return x.float() if x.dtype in HALF_TYPES else x


def in_type_of(given: Tensor, result: Tensor) -> Tensor:
    """Return a result that was computed in fp32 in the 16-bit type of `given`, as a module of that type needs it.

    Under autocast, whose layers convert their inputs themselves, and for other types the result stays as it is.
    """
    if given.dtype not in HALF_TYPES or torch.is_autocast_enabled(given.device.type):
        return result
    return result.to(given.dtype)


def word_mask(x_BTD: Tensor, lengths_B: Tensor) -> Tensor:
    """Return a boolean mask (B, T), True at the first lengths_B[b] positions of sentence b.

    T and the device are those of `x`; the lengths may be on another device.
    """
    return torch.arange(x_BTD.shape[1], device=x_BTD.device) < lengths_B.to(x_BTD.device)[:, None]


def masked_softmax(scores: Tensor, mask: Tensor, dim: int) -> Tensor:
    """Return the softmax of `scores` along `dim` over the entries where `mask` is True, and zero at all others.

    The result has the shape of `scores` broadcast with `mask` and is at least in fp32.

        >>> masked_softmax(torch.zeros(1, 3), torch.tensor([[True, True, False]]), dim=1)
        tensor([[0.5000, 0.5000, 0.0000]])
    """
    check_tensors(scores=scores, mask=mask)
    if mask.dtype != torch.bool:
        raise ValueError(f"mask is {mask.dtype}; use a boolean mask, True at words")
    scores = at_least_fp32(scores)
    lowest = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(~mask, lowest).softmax(dim)
    return weights.masked_fill(~mask, 0.0)


def masked_sum(weights_BTD: Tensor, values_BTD: Tensor, mask_BT: Tensor) -> Tensor:
    """Return the sum over time of weights times values, both (B, T, D), as (B, D); `mask` (B, T) is True at words.

    Values at padding have no influence.
    """
    return (weights_BTD * values_BTD.masked_fill(~mask_BT[..., None], 0.0)).sum(1)
