"""Feature-wise attention between the words of a sentence: DiSAN, equations 11 and 15.

Legend: B batch, T time (Q as query, K as key), N rows of a layout, D features.
"""

from functools import cache, partial
from typing import Any

import torch
from torch import Tensor

from attest.models.arguments import check_argument, check_tensors
from attest.models.attention.directions import Direction, allowed_pairs
from attest.models.attention.groups import apply_in_groups
from attest.models.attention.layout import INTEGERS, Layout
from attest.models.attention.masked import at_least_fp32, in_type_of, masked_softmax, word_mask
from attest.models.kernels.attention import attend_ranges
from attest.models.kernels.backends import backend_for
from attest.models.kernels.library import kernel_inputs

SMALLEST_SCALE = 1e-6
"""The smallest scale c. Scores lie between -c and c, so that smaller ones would not change the weights, and near 1e-38
the kernels' 2 k / c is infinite."""


def feature_weights(
    keys_BTD: Tensor,
    queries_BTD: Tensor,
    *,
    direction: Direction,
    lengths: Tensor,
    scale: float = 5.0,
    vector_D: Tensor | None = None,
) -> Tensor:
    """Return DiSAN's weights P (B, Q, K, D), a distribution over the keys for each query and feature.

        f(h_i, h_j) = c tanh([W(1) h_i + W(2) h_j + b(1)] / c) + M_ij 1      (eq. 15)

    `keys` hold W(1) h_i and `queries` W(2) h_j + b(1), both (B, T, D); `scale` is c, `direction` that of M,
    `lengths` (B,) the number of words per sentence. A query without an allowed key gets zeros. With a `vector` w there
    is a single score for all features, w^T c tanh(...) + M_ij, and P is (B, Q, K, 1).
    """
    real_BT = word_mask(keys_BTD, lengths)
    # The padding is zeroed because tanh would pass a NaN that stands there on to the gradients.
    keys_BTD, queries_BTD = (at_least_fp32(x).masked_fill(~real_BT[..., None], 0.0) for x in (keys_BTD, queries_BTD))
    tanh_BQKD = torch.tanh((keys_BTD[:, None] + queries_BTD[:, :, None]) / scale)
    scores_BQKD = scale * tanh_BQKD if vector_D is None else (tanh_BQKD @ (scale * at_least_fp32(vector_D)))[..., None]
    return masked_softmax(scores_BQKD, allowed_pairs(direction, real_BT)[..., None], dim=2)


def reference_attention(
    keys_BTD: Tensor,
    queries_BTD: Tensor,
    values_BTD: Tensor,
    *,
    direction: Direction,
    lengths: Tensor,
    scale: float,
    vector_D: Tensor | None = None,
) -> Tensor:
    """Return DiSAN's attention s (B, T, D) on padded batches, computed in plain torch from all weights P.

        s_j = sum_i P_i^j (.) h_i     (eq. 11)

    keys, queries, values (h): (B, T, D); the arguments are those of `feature_weights`.
    """
    weights_BQKD = feature_weights(
        keys_BTD, queries_BTD, direction=direction, lengths=lengths, scale=scale, vector_D=vector_D
    )
    values_BTD = values_BTD.masked_fill(~word_mask(values_BTD, lengths)[..., None], 0.0)
    if vector_D is not None:
        return weights_BQKD.squeeze(3) @ values_BTD
    return (weights_BQKD * values_BTD[:, None]).sum(2)


def check_scale(scale: float) -> None:
    """Raise ValueError unless the scale c of DiSAN's scores is a number of at least SMALLEST_SCALE."""
    check_argument("scale", scale, float)
    if scale < SMALLEST_SCALE:
        raise ValueError(f"scale (the paper's c) is {scale}; use a positive number of at least {SMALLEST_SCALE:g}")


@cache
def compiled_attention() -> Any:
    """Return `reference_attention` wrapped by torch.compile, which compiles it on the first call."""
    return torch.compile(reference_attention, dynamic=True)


def attend_words(
    keys_ND: Tensor,
    queries_ND: Tensor,
    values_ND: Tensor,
    layout: Layout,
    *,
    direction: Direction,
    scale: float = 5.0,
    vector_D: Tensor | None = None,
) -> Tensor:
    """Return DiSAN's attention s (N, D) on the rows of a layout, computed by the back end in use.

        s_j = sum_i P_i^j (.) h_i     (eq. 11)

    keys, queries, values (h): (N, D); `direction`, `scale` and `vector` are those of `feature_weights`. If there is a
    `vector`, the native back end computes in torch on groups of sentences of similar length, because its C++ kernel
    takes none. Raise ValueError if the matrices do not have the rows of the layout, and one width.
    """
    layout.check_rows(keys=keys_ND, queries=queries_ND, values=values_ND)
    check_scale(scale)
    backend = backend_for(keys_ND, queries_ND, values_ND, scale=scale)
    if backend == "native" and vector_D is None:
        return attend_ranges(
            *kernel_inputs(keys_ND, queries_ND, values_ND),
            sentences=(layout.first_B, layout.length_B),
            ranges=layout.key_range(direction),
            skip_self=direction == "diagonal",
            scale=scale,
        )
    function = partial(
        compiled_attention() if backend == "compiled" else reference_attention,
        direction=direction,
        scale=scale,
        vector_D=vector_D,
    )
    inputs = (at_least_fp32(x) for x in (keys_ND, queries_ND, values_ND))
    with torch.autocast(values_ND.device.type, enabled=False):
        if backend == "native":
            s_ND = apply_in_groups(layout, lambda group, *x: function(*x, lengths=group.length_B), *inputs)
        else:
            s_ND = layout.rows_of_grid(function(*map(layout.grid, inputs), lengths=layout.length_B))
    return in_type_of(values_ND, s_ND)


def feature_attention(
    keys: Tensor,
    queries: Tensor,
    values: Tensor,
    *,
    direction: Direction,
    lengths: Tensor,
    scale: float = 5.0,
) -> Tensor:
    """Return DiSAN's attention s (B, T, D) on padded batches, computed by the back end in use.

        s_j = sum_i P_i^j (.) h_i     (eq. 11)

    keys, queries, values (h): (B, T, D), `direction` and `scale`, as in `feature_weights`; lengths: (B,), the number
    of words of each sentence, on any device; the words stand in front of the padding. The result is zero at padding,
    and what the arguments hold there has no influence. Raise ValueError if the shapes are others.

        >>> keys, queries, values = torch.randn(3, 2, 4, 300)
        >>> feature_attention(keys, queries, values, direction="forward", lengths=torch.tensor([4, 2])).shape
        torch.Size([2, 4, 300])
    """
    check_tensors(keys=keys, queries=queries, values=values, lengths=lengths)
    if keys.dim() != 3 or not keys.shape == queries.shape == values.shape or lengths.shape != keys.shape[:1]:
        shapes = ", ".join(str(tuple(x.shape)) for x in (keys, queries, values, lengths))
        raise ValueError(
            f"keys, queries, values, lengths are {shapes}; use (batch, time, features) thrice and (batch,)"
        )
    if lengths.dtype not in INTEGERS or ((lengths < 0) | (lengths > keys.shape[1])).any():
        raise ValueError(f"lengths are {lengths.tolist()}; use whole numbers of words from 0 to {keys.shape[1]}")
    layout = Layout(word_mask(values, lengths), packed=False)
    keys_ND, queries_ND, values_ND = keys.flatten(0, 1), queries.flatten(0, 1), values.flatten(0, 1)
    return attend_words(keys_ND, queries_ND, values_ND, layout, direction=direction, scale=scale).reshape(values.shape)
