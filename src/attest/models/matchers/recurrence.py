"""A GRU that walks over packed words from many starts at once, without padding.

A walk is the pass of a GRU over consecutive words of a sentence, from a start word forward or backward.

Legend: N rows of a layout, W walks, M steps of all walks, E features of a word, H features of a state.
"""

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attest.models.kernels.backends import backend_for
from attest.models.kernels.gru import gru as packed_gru
from attest.models.kernels.steps import rows_by_step, step_slices
from attest.models.layer_weights import layer_weights


def run_walks(
    gru: nn.GRU,
    x_NE: Tensor,
    start_W: Tensor,
    words_W: Tensor,
    *,
    backward: bool = False,
    known_lengths: Sequence[int] | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Run one direction of a bidirectional GRU, where walk w begins at the row start_W[w] and passes words_W[w] words.

    Return three things for each step of each walk: the row of the word (M,), the number of earlier steps of the walk
    (M,) and the state (M, H). W x + b is computed once per word, however many walks pass it. `known_lengths` holds
    the numbers of words in any order, if the processor knows them.
    """
    suffix = "l0_reverse" if backward else "l0"
    weight, bias, state_weight, state_bias = layer_weights(
        gru, [f"{name}_{suffix}" for name in ("weight_ih", "bias_ih", "weight_hh", "bias_hh")]
    )
    rows_M, step_M, steps = rows_by_step(start_W, words_W, backward=backward, known_lengths=known_lengths)
    gates_N3H = F.linear(x_NE, weight, bias)
    run_gru = packed_gru if backend_for(x_NE) == "native" else reference_gru
    states_MH = run_gru(gates_N3H.index_select(0, rows_M), state_weight.to(gates_N3H.dtype), state_bias, steps)
    return rows_M, step_M, states_MH


def reference_gru(gates_M3H: Tensor, weight_3HH: Tensor, bias_3H: Tensor, steps: Sequence[int]) -> Tensor:
    """Return the result of `kernels.gru.gru` computed in plain torch."""
    state_SH = gates_M3H.new_zeros(max(steps, default=0), weight_3HH.shape[1])
    states = [state_SH[:0]]
    for _, step in step_slices(steps):
        gates_S3H = gates_M3H[step]
        recurrent_S3H = F.linear(state_SH[: len(gates_S3H)], weight_3HH, bias_3H.to(weight_3HH.dtype))
        state_SH = gru_step(gates_S3H, recurrent_S3H, state_SH[: len(gates_S3H)])
        states.append(state_SH)
    return torch.cat(states)


def gru_step(input_S3H: Tensor, recurrent_S3H: Tensor, state_SH: Tensor) -> Tensor:
    """Return the next state h' (S, H), from W x + b, U h + c (both (S, 3 H)) and h."""
    (r_x, z_x, n_x), (r_h, z_h, n_h) = input_S3H.chunk(3, -1), recurrent_S3H.chunk(3, -1)
    reset, update = (r_x + r_h).sigmoid(), (z_x + z_h).sigmoid()
    new = (n_x + reset * n_h).tanh()
    return new + update * (state_SH - new)
