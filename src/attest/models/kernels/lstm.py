"""An LSTM over packed words, step by step. The gradient of its weights is one product for all steps.

Legend: M words in the order of steps, S sequences of a step, H hidden features.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from attest.models.kernels.derivatives import refuse_second_derivative
from attest.models.kernels.kernel import Kernel
from attest.models.kernels.library import kernel_inputs
from attest.models.kernels.steps import check_shapes, multiply_into, padded_rows, previous_states, step_slices


def lstm(gates_M4H: Tensor, weight_4HH: Tensor, steps: Sequence[int]) -> Tensor:
    """Return the states h (M, H) of an LSTM; `gates` are W x + b, `weight` is U.

    `steps` holds the number of sequences in each step, as `rows_by_step` returns it.

    i, f, g, o = sigmoid, sigmoid, tanh, sigmoid of W x + b + U h_previous
    c = f (.) c_previous + i (.) g,   h = o (.) tanh(c)

    Raise ValueError if the shapes do not fit each other.
    """
    check_shapes(gates_M4H, weight_4HH, 4, steps)
    return LSTM.apply(*kernel_inputs(gates_M4H, weight_4HH), steps)  # type: ignore[no-any-return]


LSTM_FORWARD = Kernel(
    "lstm_forward",
    """
    gates: T (S, 4H)
    product: T (S+, 4H)?
    previous: float32 (S, H)?
    S, H, T
    cell: float32 (S, H)
    state: T (S, H)
    """,
)
LSTM_BACKWARD = Kernel(
    "lstm_backward",
    """
    gates: T (S, 4H)
    cell: float32 (S, H)
    previous: float32 (S, H)?
    gradient: T (S, H)
    next_gradient: T (S+, H)
    S, H, T
    cell_gradient: float32 (S+, H)
    to_gates: T (S, 4H)
    """,
)


class LSTM(torch.autograd.Function):
    """The autograd function of `lstm`."""

    @staticmethod
    def forward(ctx: Any, gates_M4H: Tensor, weight_4HH: Tensor, steps: Sequence[int]) -> Tensor:
        hidden = weight_4HH.shape[1]
        gates_M4H = gates_M4H.clone()  # overwritten by i, f, g, o
        cell_MH = gates_M4H.new_empty(len(gates_M4H), hidden, dtype=torch.float32)
        state_MH = gates_M4H.new_zeros(padded_rows(len(gates_M4H)) + 64, hidden)
        products_S4H = gates_M4H.new_empty(padded_rows(max(steps, default=0)), 4 * hidden)
        for previous, step in step_slices(steps):
            previous_cell, product = None, None
            if previous is not None:
                previous_cell, product = (
                    cell_MH[previous],
                    multiply_into(state_MH, previous, weight_4HH.T, products_S4H),
                )
            LSTM_FORWARD(gates_M4H[step], product, previous_cell, cell_MH[step], state_MH[step])
        ctx.save_for_backward(weight_4HH, gates_M4H, cell_MH, state_MH)
        ctx.steps = steps
        return state_MH[: len(gates_M4H)].clone()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:  # pyright: ignore
        refuse_second_derivative()
        weight_4HH, gates_M4H, cell_MH, state_MH = ctx.saved_tensors
        hidden, most = weight_4HH.shape[1], max(ctx.steps, default=0)
        gradient_MH = gradients[0].to(gates_M4H.dtype).contiguous()
        to_gates_M4H = gates_M4H.new_zeros(len(state_MH), 4 * hidden)
        cell_gradient_SH = gates_M4H.new_zeros(most, hidden, dtype=torch.float32)
        next_gradient_SH = gates_M4H.new_zeros(padded_rows(most), hidden)
        for previous, step in reversed(list(step_slices(ctx.steps))):
            previous_cell = None if previous is None else cell_MH[previous]
            states = gates_M4H[step], cell_MH[step], previous_cell
            LSTM_BACKWARD(*states, gradient_MH[step], next_gradient_SH, cell_gradient_SH, to_gates_M4H[step])
            if previous is not None:
                multiply_into(to_gates_M4H, step, weight_4HH, next_gradient_SH)
        return to_gates_M4H[: len(gates_M4H)], to_gates_M4H.T @ previous_states(state_MH, ctx.steps), None
