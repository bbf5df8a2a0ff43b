"""LSTM and GRU over packed words: each step has the sequences that have not ended yet, and no padding.

Sequences are ordered by length, longest first. The sequences of a step are therefore the first of those of the step
before, and the operands of a step are contiguous. The gradients of the weights are one product for all steps.

Legend: W sequences, M words in the order of steps, S sequences of a step, T steps, H hidden features.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from attest.models.kernels.kernel import Kernel
from attest.models.kernels.library import kernel_inputs

UNPADDED_ROWS = 128
"""The number of rows above which a product is padded to a multiple of 64 rows. A product in bf16 is planned for each
new number of rows, which takes longer than the product itself."""


def rows_by_step(
    start_W: Tensor, words_W: Tensor, *, backward: bool, known: Sequence[int] | None = None
) -> tuple[Tensor, Tensor, list[int]]:
    """Return the order in which a recurrence visits the rows of several sequences.

    Sequence w has words_W[w] rows: start_W[w] and those after it or, if `backward`, those before it. The result is the
    row of each visit (M,), ordered by step and within a step by length, longest sequences first; the step of each visit
    (M,); and the number of sequences in each step. If `known` holds the numbers of `words` in any order, nothing waits
    for the device of the tensors.
    """
    words_W, order_W = words_W.sort(descending=True, stable=True)
    steps = sequences_by_step(words_W.tolist() if known is None else known)
    step_T = torch.arange(len(steps), device=words_W.device)
    number_T = (words_W[:, None] > step_T).sum(0)
    step_M = step_T.repeat_interleave(number_T, output_size=sum(steps))
    place_M = torch.arange(len(step_M), device=step_M.device) - (number_T.cumsum(0) - number_T)[step_M]
    return start_W[order_W][place_M] + (-step_M if backward else step_M), step_M, steps


def sequences_by_step(words: Sequence[int]) -> list[int]:
    """Return the number of sequences in each step, where a sequence of n words is in the first n steps."""
    ended = Counter(words)
    return list(accumulate((-ended[step] for step in range(max(words, default=0))), initial=len(words)))[1:]


def lstm(gates_M4H: Tensor, weight_4HH: Tensor, steps: Sequence[int]) -> Tensor:
    """Return the states h (M, H) of an LSTM; `gates` are W x + b, `weight` is U, `steps` the sequences in each step.

    i, f, g, o = sigmoid, sigmoid, tanh, sigmoid of W x + b + U h_before
    c = f (.) c_before + i (.) g,   h = o (.) tanh(c)

    Raise ValueError if the shapes do not fit each other.
    """
    check_shapes(gates_M4H, weight_4HH, 4, steps)
    return LSTM.apply(*kernel_inputs(gates_M4H, weight_4HH), steps)  # type: ignore[no-any-return]


def gru(gates_M3H: Tensor, weight_3HH: Tensor, bias_3H: Tensor, steps: Sequence[int]) -> Tensor:
    """Return the states h (M, H) of a GRU; `gates` are W x + b, `weight` is U, `bias` is c, `steps` as in `lstm`.

    r, z = sigmoid of the first two thirds of W x + b + U h_before + c
    n = tanh(W_n x + b_n + r (.) (U_n h_before + c_n)),   h = (1 - z) (.) n + z (.) h_before

    Raise ValueError if the shapes do not fit each other.
    """
    check_shapes(gates_M3H, weight_3HH, 3, steps)
    return GRU.apply(*kernel_inputs(gates_M3H, weight_3HH), bias_3H.float().contiguous(), steps)  # type: ignore[no-any-return]


def check_shapes(gates: Tensor, weight: Tensor, number: int, steps: Sequence[int]) -> None:
    """Raise ValueError unless `gates` are (M, number H), `weight` is (number H, H) and `steps` are those of M words."""
    fit = gates.dim() == weight.dim() == 2 and gates.shape[1] == weight.shape[0] == number * weight.shape[1]
    falling = list(steps) == sorted(steps, reverse=True) and min(steps, default=0) >= 0
    if not (fit and falling and sum(steps) == len(gates)):
        raise ValueError(
            f"gates are {tuple(gates.shape)}, weight is {tuple(weight.shape)} and steps are {list(steps)}; use "
            f"(words, {number} H), ({number} H, H) and the steps of rows_by_step, whose sum is the number of words"
        )


LSTM_FORWARD = Kernel(
    "lstm_forward",
    """
    gates: T (S, 4H)
    product: T (S+, 4H)?
    before: float32 (S, H)?
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
    before: float32 (S, H)?
    above: T (S, H)
    behind: T (S+, H)
    S, H, T
    cells: float32 (S+, H)
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
        for before, here in step_slices(steps):
            cell, earlier, product = cell_MH[here], None, None
            if before is not None:
                earlier, product = cell_MH[before], multiply_into(state_MH, before, weight_4HH.T, products_S4H)
            LSTM_FORWARD(gates_M4H[here], product, earlier, cell, state_MH[here])
        ctx.save_for_backward(weight_4HH, gates_M4H, cell_MH, state_MH)
        ctx.steps = steps
        return state_MH[: len(gates_M4H)].clone()

    @staticmethod
    @once_differentiable  # type: ignore[misc]
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:  # pyright: ignore
        weight_4HH, gates_M4H, cell_MH, state_MH = ctx.saved_tensors
        hidden, most = weight_4HH.shape[1], max(ctx.steps, default=0)
        above_MH = gradients[0].to(gates_M4H.dtype).contiguous()
        to_gates_M4H = gates_M4H.new_zeros(len(state_MH), 4 * hidden)
        to_cell_SH = gates_M4H.new_zeros(most, hidden, dtype=torch.float32)
        behind_SH = gates_M4H.new_zeros(padded_rows(most), hidden)
        for before, here in reversed(list(step_slices(ctx.steps))):
            cell, earlier = cell_MH[here], None if before is None else cell_MH[before]
            given = gates_M4H[here], cell, earlier, above_MH[here], behind_SH
            LSTM_BACKWARD(*given, to_cell_SH, to_gates_M4H[here])
            if before is not None:
                multiply_into(to_gates_M4H, here, weight_4HH, behind_SH)
        return to_gates_M4H[: len(gates_M4H)], to_gates_M4H.T @ states_before(state_MH, ctx.steps), None


GRU_FORWARD = Kernel(
    "gru_forward",
    """
    gates: T (S, 3H)
    product: T (S+, 3H)?
    bias: float32 (3H)
    before: T (S, H)?
    S, H, T
    inner, state: T (S, H)
    """,
)
GRU_BACKWARD = Kernel(
    "gru_backward",
    """
    gates: T (S, 3H)
    inner: T (S, H)
    before: T (S, H)?
    above: T (S, H)
    behind: T (S+, H)
    S, H, T
    straight: float32 (S+, H)
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
        for before, here in step_slices(steps):
            inner, earlier, product = inner_MH[here], None, None
            if before is not None:
                earlier, product = state_MH[before], multiply_into(state_MH, before, weight_3HH.T, products_S3H)
            given = gates_M3H[here], product, bias_3H, earlier
            GRU_FORWARD(*given, inner, state_MH[here])
        ctx.save_for_backward(weight_3HH, gates_M3H, inner_MH, state_MH)
        ctx.steps = steps
        return state_MH[: len(gates_M3H)].clone()

    @staticmethod
    @once_differentiable  # type: ignore[misc]
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:  # pyright: ignore
        weight_3HH, gates_M3H, inner_MH, state_MH = ctx.saved_tensors
        hidden, most = weight_3HH.shape[1], max(ctx.steps, default=0)
        above_MH = gradients[0].to(gates_M3H.dtype).contiguous()
        to_gates_M3H, to_products_M3H = torch.empty_like(gates_M3H), gates_M3H.new_zeros(len(state_MH), 3 * hidden)
        straight_SH = gates_M3H.new_zeros(most, hidden, dtype=torch.float32)
        behind_SH = gates_M3H.new_zeros(padded_rows(most), hidden)
        for before, here in reversed(list(step_slices(ctx.steps))):
            inner, earlier = inner_MH[here], None if before is None else state_MH[before]
            given = gates_M3H[here], inner, earlier, above_MH[here], behind_SH
            GRU_BACKWARD(*given, straight_SH, to_gates_M3H[here], to_products_M3H[here])
            if before is not None:
                multiply_into(to_products_M3H, here, weight_3HH, behind_SH)
        to_weight_3HH = to_products_M3H.T @ states_before(state_MH, ctx.steps)
        return to_gates_M3H, to_weight_3HH, to_products_M3H.sum(0, dtype=torch.float32), None


def step_slices(steps: Sequence[int]) -> Iterator[tuple[slice | None, slice]]:
    """Yield two slices of M for each step: its sequences' words in the step before (None in step 0) and in it."""
    before, first = None, 0
    for number in steps:
        yield None if before is None else slice(before, before + number), slice(first, first + number)
        before, first = first, first + number


def padded_rows(rows: int) -> int:
    """Return the number of rows to which a product of `rows` rows is padded (see UNPADDED_ROWS)."""
    return rows if rows <= UNPADDED_ROWS else -(-rows // 64) * 64


def multiply_into(rows_MX: Tensor, here: slice, weight_XY: Tensor, out_SY: Tensor) -> Tensor:
    """Write the product of rows_MX[here] and a matrix into the first rows of `out`, and return `out`.

    The product is padded (see `padded_rows`) by the rows that follow `here`, of which up to 63 must exist. Their
    results are replaced by zeros.
    """
    number = here.stop - here.start
    padded = padded_rows(number)
    torch.mm(rows_MX[here.start : here.start + padded], weight_XY, out=out_SY[:padded])
    out_SY[number:padded].zero_()
    return out_SY


def states_before(state_MH: Tensor, steps: Sequence[int]) -> Tensor:
    """Return for each word the state of its sequence after the word before (M, H); zeros at first words."""
    before_MH = torch.zeros_like(state_MH)
    for before, here in step_slices(steps):
        if before is not None:
            before_MH[here] = state_MH[before]
    return before_MH
