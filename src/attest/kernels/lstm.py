"""An LSTM over packed words, step by step: each step has the words that stand there, and no padding.

Sentences in the order of their lengths, longest first, are at each step the first few, so that all that a step needs
stands in one piece. What is one product for all words, W x + b and every gradient of weights, is left to one.

Legend: N rows of a layout, M words in the order of steps, S sentences of a step, H hidden features.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from attest.kernels.library import alike, call


def recurrence(gates_N4H: Tensor, weight_4HH: Tensor, order_M: Tensor, steps: Sequence[int]) -> Tensor:
    """The states h (N, H), zeros at rows that are no words; `gates` are W x + b, `weight` is U.

    i, f, g, o = sigmoid, sigmoid, tanh, sigmoid of W x + b + U h_before
    c = f (.) c_before + i (.) g,   h = o (.) tanh(c)

    `order` are the rows of the words by step, those of the longest sentences first, and `steps` how many there are of
    each step.
    """
    return Recurrence.apply(*alike(gates_N4H, weight_4HH), order_M, steps)  # type: ignore[no-any-return]


class Recurrence(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, gates_N4H: Tensor, weight_4HH: Tensor, order_M: Tensor, steps: Sequence[int]) -> Tensor:
        half, hidden = gates_N4H.dtype == torch.bfloat16, weight_4HH.shape[1]
        gates_M4H = gates_N4H[order_M]
        cell_MH = torch.empty(len(order_M), hidden)
        state_MH = gates_M4H.new_empty(len(order_M), hidden)
        products_S4H = gates_M4H.new_empty(max(steps, default=0), 4 * hidden)
        for before, here in places(steps):
            gates, cell, state, earlier, product = gates_M4H[here], cell_MH[here], state_MH[here], None, None
            if before is not None:
                earlier, product = cell_MH[before], products_S4H[: len(state)]
                torch.mm(state_MH[before], weight_4HH.T, out=product)
            call("lstm_forward", gates, product, earlier, *state.shape, half, cell, state)
        ctx.save_for_backward(weight_4HH, order_M, gates_M4H, cell_MH, state_MH)
        ctx.steps, ctx.rows = steps, len(gates_N4H)
        return state_MH.new_zeros(ctx.rows, hidden).index_copy_(0, order_M, state_MH)

    @staticmethod
    @torch.autograd.function.once_differentiable  # type: ignore[misc]
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:  # pyright: ignore
        weight_4HH, order_M, gates_M4H, cell_MH, state_MH = ctx.saved_tensors
        half, (most, hidden) = gates_M4H.dtype == torch.bfloat16, (max(ctx.steps, default=0), state_MH.shape[1])
        above_MH = gradients[0][order_M].to(gates_M4H.dtype)
        to_gates_M4H = torch.empty_like(gates_M4H)
        cells_SH, behind_SH = torch.zeros(most, hidden), gates_M4H.new_zeros(most, hidden)
        before_MH = torch.zeros_like(state_MH)
        for before, here in reversed(list(places(ctx.steps))):
            cell, to_gates = cell_MH[here], to_gates_M4H[here]
            earlier = None if before is None else cell_MH[before]
            given = gates_M4H[here], cell, earlier, above_MH[here], behind_SH
            call("lstm_backward", *given, *cell.shape, half, cells_SH, to_gates)
            if before is not None:
                torch.mm(to_gates, weight_4HH, out=behind_SH[: len(cell)])
                before_MH[here] = state_MH[before]
        to_gates_N4H = gates_M4H.new_zeros(ctx.rows, 4 * hidden).index_copy_(0, order_M, to_gates_M4H)
        before_NH = state_MH.new_zeros(ctx.rows, hidden).index_copy_(0, order_M, before_MH)
        return to_gates_N4H, to_gates_N4H.T @ before_NH, None, None


def places(steps: Sequence[int]) -> Iterator[tuple[slice | None, slice]]:
    """Of each step where the same sentences stood in the step before, if there was one, and where they stand."""
    before, first = None, 0
    for number in steps:
        yield None if before is None else slice(before, before + number), slice(first, first + number)
        before, first = first, first + number
