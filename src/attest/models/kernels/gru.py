"""A GRU over packed words, step by step. The gradient of its weights is one product for all steps.

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


def gru(gates_M3H: Tensor, weight_3HH: Tensor, bias_3H: Tensor, steps: Sequence[int]) -> Tensor:
    """Return the states h (M, H) of a GRU; `gates` are W x + b, `weight` is U, `bias` is c.

    `steps` holds the number of sequences in each step, as `rows_by_step` returns it.

    r, z = sigmoid of the first two thirds of W x + b + U h_previous + c
    n = tanh(W_n x + b_n + r (.) (U_n h_previous + c_n)),   h = (1 - z) (.) n + z (.) h_previous

    Raise ValueError if the shapes do not fit each other.
    """
    check_shapes(gates_M3H, weight_3HH, 3, steps)
    return GRU.apply(*kernel_inputs(gates_M3H, weight_3HH), bias_3H.float().contiguous(), steps)  # type: ignore[no-any-return]


GRU_FORWARD = Kernel(
    "gru_forward",
    """
    gates: T (S, 3H)
    product: T (S+, 3H)?
    bias: float32 (3H)
    previous: T (S, H)?
    S, H, T
    inner, state: T (S, H)
    """,
)
GRU_BACKWARD = Kernel(
    "gru_backward",
    """
    gates: T (S, 3H)
    inner: T (S, H)
    previous: T (S, H)?
    gradient: T (S, H)
    next_gradient: T (S+, H)
    S, H, T
    direct_gradient: float32 (S+, H)
    to_gates, to_product: T (S, 3H)
    """,
)


class GRU(torch.autograd.Function):
    """The autograd function of `gru`."""

    @staticmethod
    def forward(ctx: Any, gates_M3H: Tensor, weight_3HH: Tensor, bias_3H: Tensor, steps: Sequence[int]) -> Tensor:
        hidden = weight_3HH.shape[1]
        gates_M3H = gates_M3H.clone()  # overwritten by r, z, n
        inner_MH = gates_M3H.new_empty(len(gates_M3H), hidden)
        state_MH = gates_M3H.new_zeros(padded_rows(len(gates_M3H)) + 64, hidden)
        products_S3H = gates_M3H.new_empty(padded_rows(max(steps, default=0)), 3 * hidden)
        for previous, step in step_slices(steps):
            previous_state = product = None
            if previous is not None:
                previous_state = state_MH[previous]
                product = multiply_into(state_MH, previous, weight_3HH.T, products_S3H)
            GRU_FORWARD(gates_M3H[step], product, bias_3H, previous_state, inner_MH[step], state_MH[step])
        ctx.save_for_backward(weight_3HH, gates_M3H, inner_MH, state_MH)
        ctx.steps = steps
        return state_MH[: len(gates_M3H)].clone()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:  # pyright: ignore
        refuse_second_derivative()
        weight_3HH, gates_M3H, inner_MH, state_MH = ctx.saved_tensors
        hidden, most = weight_3HH.shape[1], max(ctx.steps, default=0)
        gradient_MH = gradients[0].to(gates_M3H.dtype).contiguous()
        to_gates_M3H, to_products_M3H = torch.empty_like(gates_M3H), gates_M3H.new_zeros(len(state_MH), 3 * hidden)
        direct_gradient_SH = gates_M3H.new_zeros(most, hidden, dtype=torch.float32)
        next_gradient_SH = gates_M3H.new_zeros(padded_rows(most), hidden)
        for previous, step in reversed(list(step_slices(ctx.steps))):
            previous_state = None if previous is None else state_MH[previous]
            states = gates_M3H[step], inner_MH[step], previous_state
            gradients_of_state = gradient_MH[step], next_gradient_SH, direct_gradient_SH
            GRU_BACKWARD(*states, *gradients_of_state, to_gates_M3H[step], to_products_M3H[step])
            if previous is not None:
                multiply_into(to_products_M3H, step, weight_3HH, next_gradient_SH)
        to_weight_3HH = to_products_M3H.T @ previous_states(state_MH, ctx.steps)
        return to_gates_M3H, to_weight_3HH, to_products_M3H.sum(0, dtype=torch.float32), None
