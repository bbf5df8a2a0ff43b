"""A GRU that walks over packed words: from every start at once, and only as far as each start's words reach.

Legend: N rows of a layout, M walks that still go on, E features of a word, H features of a state.
"""

from collections.abc import Iterator

import torch.nn.functional as F
from torch import Tensor, nn


def walk(
    gru: nn.GRU, x_NE: Tensor, start_M: Tensor, words_M: Tensor, *, backward: bool = False
) -> Iterator[tuple[Tensor, Tensor]]:
    """One walk per start, over as many words as it has, in one of the two directions of `gru`.

    Yields after each step the rows (M,) where the walks that got there stand, and their states (M, H):

    r = sigmoid(W_r x + b_r + U_r h + c_r),   z = sigmoid(W_z x + b_z + U_z h + c_z)
    n = tanh(W_n x + b_n + r (.) (U_n h + c_n)),   h' = (1 - z) (.) n + z (.) h

    The input's part W x + b is computed once for a word, however many walks pass it.
    """
    suffix = "l0_reverse" if backward else "l0"
    weight, bias = gru.get_parameter(f"weight_hh_{suffix}"), gru.get_parameter(f"bias_hh_{suffix}")
    input_N3H = F.linear(x_NE, gru.get_parameter(f"weight_ih_{suffix}"), gru.get_parameter(f"bias_ih_{suffix}"))
    state_MH = x_NE.new_zeros(len(start_M), gru.hidden_size)
    for step in range(int(words_M.max()) if len(words_M) else 0):
        goes_on = words_M > step
        start_M, words_M, state_MH = start_M[goes_on], words_M[goes_on], state_MH[goes_on]
        rows_M = start_M - step if backward else start_M + step
        recurrent_M3H = F.linear(state_MH, weight, bias) if step else bias.expand(len(start_M), -1)
        state_MH = step_of(input_N3H[rows_M], recurrent_M3H, state_MH)
        yield rows_M, state_MH


def step_of(input_M3H: Tensor, recurrent_M3H: Tensor, state_MH: Tensor) -> Tensor:
    """h' (M, H)."""
    (r_x, z_x, n_x), (r_h, z_h, n_h) = input_M3H.chunk(3, -1), recurrent_M3H.chunk(3, -1)
    reset, update = (r_x + r_h).sigmoid(), (z_x + z_h).sigmoid()
    new = (n_x + reset * n_h).tanh()
    return new + update * (state_MH - new)
