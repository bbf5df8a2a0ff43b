"""Sentences in groups of similar length, which need less padding than all sentences of a batch together.

Legend: B sentences, b sentences of one group, T positions of the longest sentence, N rows, D features.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from attest.models.attention.layout import Layout

SENTENCES_PER_GROUP = 16
"""The number of sentences that are padded together on a processor. Other devices, such as GPUs, get all sentences as
one group: further groups cost more time there than the padding that they save."""


def sentence_groups(layout: Layout) -> tuple[Tensor, list[Layout]]:
    """Return the sentences in groups of similar length: the rows of the words, group by group, and each group's layout.

    Empty sentences are in no group. The layout keeps its groups, as it keeps its cached properties, so that all blocks
    of an encoder share them.
    """
    kept = vars(layout)
    if "groups" not in kept:
        kept["groups"] = group_sentences(layout)
    return kept["groups"]  # type: ignore[no-any-return]


def group_sentences(layout: Layout) -> tuple[Tensor, list[Layout]]:
    """Compute `sentence_groups`."""
    order_B = layout.length_B.argsort()
    lengths = sorted(layout.length_B.tolist() if layout.known_lengths is None else layout.known_lengths)
    size = SENTENCES_PER_GROUP if order_B.device.type == "cpu" else max(1, len(lengths))
    rows, groups = [order_B[:0]], []
    for begin in range(lengths.count(0), len(lengths), size):
        sentence_b, length_b = order_B[begin : begin + size], lengths[begin : begin + size]
        group = Layout(layout.grid_mask_BT[sentence_b, : length_b[-1]], packed=True, known_lengths=length_b)
        rows.append(layout.first_B[sentence_b][group.sentence_N] + group.position_N)
        groups.append(group)
    return torch.cat(rows), groups


def apply_in_groups(layout: Layout, function: Callable[..., Tensor], *x_ND: Tensor) -> Tensor:
    """Call `function` with the layout and the grids (b, T, D) of each group of sentences; return the results (N, D).

    `x` are rows (N, D) of `layout`. The results for rows without a word are zero.
    """
    rows_N, groups = sentence_groups(layout)
    words = [group.word_count for group in groups]
    split = (x.index_select(0, rows_N).split(words) for x in x_ND)
    results = [
        group.rows_of_grid(function(group, *map(group.grid, x))) for group, *x in zip(groups, *split, strict=True)
    ]
    return torch.zeros_like(x_ND[0]).index_copy(0, rows_N, torch.cat([x_ND[0][:0], *results]))
