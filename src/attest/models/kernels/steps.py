"""The steps of a recurrence over packed words: each has the sequences that have not ended yet, and no padding.

Sequences are ordered by length, longest first. The sequences of a step are therefore the first of those of the
previous step, and the operands of a step are contiguous.

Legend: W sequences, M words in the order of steps, S sequences of a step, T steps, H hidden features.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate

import torch
from torch import Tensor

UNPADDED_ROWS = 128
"""The number of rows above which a product is padded to a multiple of 64 rows. A product in bf16 is planned for each
new number of rows, which takes longer than the product itself."""


def rows_by_step(
    start_W: Tensor, words_W: Tensor, *, backward: bool, known_lengths: Sequence[int] | None = None
) -> tuple[Tensor, Tensor, list[int]]:
    """Return the order in which a recurrence visits the rows of several sequences.

    Sequence w has words_W[w] rows: start_W[w] and those after it or, if `backward`, those before it. The result is the
    row of each visit (M,), ordered by step and within a step by length, longest sequences first; the step of each visit
    (M,); and the number of sequences in each step. If `known_lengths` holds the numbers of `words` in any order,
    nothing waits for the device of the tensors.
    """
    words_W, order_W = words_W.sort(descending=True, stable=True)
    steps = sequences_by_step(words_W.tolist() if known_lengths is None else known_lengths)
    step_T = torch.arange(len(steps), device=words_W.device)
    number_T = (words_W[:, None] > step_T).sum(0)
    step_M = step_T.repeat_interleave(number_T, output_size=sum(steps))
    place_M = torch.arange(len(step_M), device=step_M.device) - (number_T.cumsum(0) - number_T)[step_M]
    return start_W[order_W][place_M] + (-step_M if backward else step_M), step_M, steps


def sequences_by_step(words: Sequence[int]) -> list[int]:
    """Return the number of sequences in each step, where a sequence of n words is in the first n steps."""
    ended = Counter(words)
    return list(accumulate((-ended[step] for step in range(max(words, default=0))), initial=len(words)))[1:]


def check_shapes(gates: Tensor, weight: Tensor, number: int, steps: Sequence[int]) -> None:
    """Raise ValueError unless `gates` are (M, number H), `weight` is (number H, H) and `steps` are those of M words."""
    fit = gates.dim() == weight.dim() == 2 and gates.shape[1] == weight.shape[0] == number * weight.shape[1]
    falling = list(steps) == sorted(steps, reverse=True) and min(steps, default=0) >= 0
    if not (fit and falling and sum(steps) == len(gates)):
        raise ValueError(
            f"gates are {tuple(gates.shape)}, weight is {tuple(weight.shape)} and steps are {list(steps)}; use "
            f"(words, {number} H), ({number} H, H) and the steps of rows_by_step, whose sum is the number of words"
        )


def step_slices(steps: Sequence[int]) -> Iterator[tuple[slice | None, slice]]:
    """Yield two slices of M for each step: its sequences' words in the previous step (None in step 0) and in it."""
    previous_first, first = None, 0
    for number in steps:
        previous = None if previous_first is None else slice(previous_first, previous_first + number)
        yield previous, slice(first, first + number)
        previous_first, first = first, first + number


def padded_rows(rows: int) -> int:
    """Return the number of rows to which a product of `rows` rows is padded (see UNPADDED_ROWS)."""
    return rows if rows <= UNPADDED_ROWS else -(-rows // 64) * 64


def multiply_into(rows_MX: Tensor, step: slice, weight_XY: Tensor, out_SY: Tensor) -> Tensor:
    """Write the product of rows_MX[step] and a matrix into the first rows of `out`, and return `out`.

    The product is padded (see `padded_rows`) by the rows that follow those of the step, of which up to 63 must exist.
    Their results are replaced by zeros.
    """
    number = step.stop - step.start
    padded = padded_rows(number)
    torch.mm(rows_MX[step.start : step.start + padded], weight_XY, out=out_SY[:padded])
    out_SY[number:padded].zero_()
    return out_SY


def previous_states(state_MH: Tensor, steps: Sequence[int]) -> Tensor:
    """Return for each word the state of its sequence after the previous word (M, H); zeros at first words."""
    previous_MH = torch.zeros_like(state_MH)
    for previous, step in step_slices(steps):
        if previous is not None:
            previous_MH[step] = state_MH[previous]
    return previous_MH
