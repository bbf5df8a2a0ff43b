"""Feature-wise attention between the words of a phrase: PSAN, equations 1 and 2.

Legend: B sentences, T time (Q as query, K as key), P phrases of one length L, N rows of a layout
(words), M rows of all these phrases, D features.
"""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from attest.models.attention.directions import allowed_keys, allowed_pairs
from attest.models.attention.layout import Layout
from attest.models.attention.masked import at_least_fp32, in_type_of, masked_softmax
from attest.models.attention.phrase_spans import PhraseSpans
from attest.models.kernels.attention import attend_ranges
from attest.models.kernels.backends import backend_for
from attest.models.kernels.elu import elu
from attest.models.kernels.library import kernel_inputs

Activation = Callable[[Tensor], Tensor]


def phrase_weights(
    keys_ND: Tensor,
    queries_ND: Tensor,
    layout: Layout,
    level: int,
    activation: Activation,
    *,
    lone_words_attend: bool = False,
) -> Tensor:
    """Return the weights (B, Q, K, D) of a query over the other words of its phrase of the level.

    They are the softmax over j of a_ij = sigma(W(a1) p_i + W(a2) p_j + b(a)) + M_ij, where `queries` (N, D) hold
    W(a1) p_i + b(a), `keys` (N, D) hold W(a2) p_j and M leaves out the query itself. The word of a one-word phrase
    attends to itself if `lone_words_attend` is true, else its weights are zeros. `activation` is sigma; the rows are
    those of `layout`.
    """
    keys_BTD, queries_BTD = layout.grid(at_least_fp32(keys_ND)), layout.grid(at_least_fp32(queries_ND))
    phrase_N = tensor_to_device(PhraseSpans(layout.on_host, level).phrase_N, keys_ND.device)
    phrase_BT, real_BT = layout.grid(phrase_N), layout.grid_mask_BT
    other_QK = allowed_keys("diagonal", real_BT.shape[1], real_BT.device)
    together_BQK = (phrase_BT[:, :, None] == phrase_BT[:, None, :]) & allowed_pairs("none", real_BT)
    allowed_BQK = together_BQK & (
        other_QK | (together_BQK.sum(2, keepdim=True) == 1) if lone_words_attend else other_QK
    )
    scores_BQKD = activation(keys_BTD[:, None] + queries_BTD[:, :, None])
    return masked_softmax(scores_BQKD, allowed_BQK[..., None], dim=2)


def attend_phrases(
    keys_ND: Tensor,
    queries_ND: Tensor,
    values_ND: Tensor,
    layout: Layout,
    level: int,
    activation: Activation,
    *,
    lone_words_attend: bool = False,
) -> Tensor:
    """Return p~ (N, D), p~_i = sum_j weights_ij (.) p_j (eq. 2), with the weights of `phrase_weights`.

    At level 0 the phrase is the whole sentence. `values` (N, D) hold p; `keys`, `queries`, `activation` and
    `lone_words_attend` are those of `phrase_weights`. The back end in use computes the result; for
    activations other than ELU, which the C++ kernel lacks, it is computed in torch. Raise ValueError if the matrices do
    not have the rows of the layout, and one width.
    """
    layout.check_rows(keys=keys_ND, queries=queries_ND, values=values_ND)
    spans = PhraseSpans(layout.on_host, level)
    with torch.autocast(values_ND.device.type, enabled=False):
        if activation in (elu, F.elu) and backend_for(keys_ND, queries_ND, values_ND) == "native":
            return attend_by_kernel(keys_ND, queries_ND, values_ND, spans, lone_words_attend=lone_words_attend)
        attended_ND = attend_in_blocks(
            at_least_fp32(keys_ND),
            at_least_fp32(queries_ND),
            at_least_fp32(values_ND),
            spans,
            activation,
            lone_words_attend=lone_words_attend,
        )
    return in_type_of(values_ND, attended_ND)


def attend_by_kernel(
    keys_ND: Tensor, queries_ND: Tensor, values_ND: Tensor, spans: PhraseSpans, *, lone_words_attend: bool
) -> Tensor:
    """Compute `attend_phrases` for ELU with the C++ kernel of `attend_words`."""
    start_N, end_N = spans.key_range()
    keys_ND, queries_ND, values_ND = kernel_inputs(keys_ND, queries_ND, values_ND)
    attended_ND = attend_ranges(
        keys_ND,
        queries_ND,
        values_ND,
        sentences=(spans.layout.first_B, spans.layout.length_B),
        ranges=(start_N, end_N),
        skip_self=True,
        scale=None,
    )
    return torch.where((end_N - start_N == 1)[:, None], values_ND, attended_ND) if lone_words_attend else attended_ND


def attend_in_blocks(
    keys_ND: Tensor,
    queries_ND: Tensor,
    values_ND: Tensor,
    spans: PhraseSpans,
    activation: Activation,
    *,
    lone_words_attend: bool,
) -> Tensor:
    """Compute `attend_phrases` in torch, for all phrases of one length at a time.

    Phrases of equal length need no padding, so only pairs of words within a phrase are computed. The spans are on the
    host, so that which lengths there are takes no wait for the device.
    """
    lengths = [length for length in spans.length_P.unique().tolist() if length > 1 or lone_words_attend]
    rows = [spans.first_P[spans.length_P == length][:, None] + torch.arange(length, device="cpu") for length in lengths]
    row_M = tensor_to_device(torch.cat([spans.first_P[:0], *map(torch.flatten, rows)]), values_ND.device)
    words = [row_PL.numel() for row_PL in rows]
    keys, queries, values = (x.index_select(0, row_M).split(words) for x in (keys_ND, queries_ND, values_ND))
    blocks = [attend_block(*block, activation) for block in zip(keys, queries, values, lengths, strict=True)]
    return torch.zeros_like(values_ND).index_copy(0, row_M, torch.cat([values_ND[:0], *blocks]))


def attend_block(keys_MD: Tensor, queries_MD: Tensor, values_MD: Tensor, length: int, activation: Activation) -> Tensor:
    """Return p~ (M, D) of phrases of one length; the word of a one-word phrase attends to itself."""
    if length == 1:
        return values_MD
    keys_PLD, queries_PLD, values_PLD = (x.unflatten(0, (-1, length)) for x in (keys_MD, queries_MD, values_MD))
    itself_LL1 = torch.eye(length, dtype=torch.bool, device=values_MD.device)[..., None]
    scores_PQKD = activation(keys_PLD[:, None] + queries_PLD[:, :, None])
    weights_PQKD = scores_PQKD.masked_fill(itself_LL1, -torch.inf).softmax(2)
    return (weights_PQKD * values_PLD[:, None]).sum(2).flatten(0, 1)


def tensor_to_device(x: Tensor, device: torch.device) -> Tensor:
    """Return a copy of a tensor of the host on a device; the host does not wait for it if the device is a GPU."""
    return x.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else x.to(device)
