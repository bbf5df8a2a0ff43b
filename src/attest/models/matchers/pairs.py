"""Scores of pairs by a network whose hidden layer is never stored as a whole.

Legend: B pairs of sentences, I items of the first and J items of the second sentence, H hidden features.
"""

from typing import Any

import torch
from torch import Tensor

from attest.models.attention.masked import at_least_fp32
from attest.models.kernels.backends import backend_for
from attest.models.kernels.derivatives import refuse_second_derivative
from attest.models.kernels.kernel import Kernel

BLOCK = 2**18
"""The number of values of the hidden layer that a processor stores at a time: a megabyte, which fits into a cache."""

BLOCK_OF_OTHER_DEVICES = 2**26
"""The number of values of the hidden layer that other devices, such as GPUs, store at a time: 256 megabytes. Each block
costs dozens of short operations there."""


FORWARD = Kernel(
    "pair_scores_forward",
    """
    first: float32 (B, I, H)
    second: float32 (B, J, H)
    weight: float32 (B, H)
    B, I, J, H
    scores: float32 (B, I, J)
    """,
)
BACKWARD = Kernel(
    "pair_scores_backward",
    """
    first: float32 (B, I, H)
    second: float32 (B, J, H)
    weight: float32 (B, H)
    gradient: float32 (B, I, J)
    B, I, J, H
    to_first: float32 (B, I, H)
    to_second: float32 (B, J, H)
    to_weight: float32 (B, H)
    """,
)


def pair_scores(first_BIH: Tensor, second_BJH: Tensor, weight_BH: Tensor) -> Tensor:
    """Return the scores e_ij = w^T relu(a_i + b_j) (B, I, J).

    a (B, I, H), b (B, J, H), w (B, H). The hidden layer has I x J x H values per pair, which makes attention by a
    network slow and large. Therefore it is computed in blocks, and again in the backward pass, always in fp32. Raise
    ValueError if the shapes are others.
    """
    shapes = [tuple(x.shape) for x in (first_BIH, second_BJH, weight_BH)]
    if [*map(len, shapes)] != [3, 3, 2] or not shapes[0][::2] == shapes[1][::2] == shapes[2]:
        given = ", ".join(map(str, shapes))
        raise ValueError(f"items and weights are {given}; use (pairs, I, hidden), (pairs, J, hidden), (pairs, hidden)")
    with torch.autocast(first_BIH.device.type, enabled=False):
        inputs = [at_least_fp32(x).contiguous() for x in (first_BIH, second_BJH, weight_BH)]
        return PairScores.apply(*inputs)  # type: ignore[no-any-return]


class PairScores(torch.autograd.Function):
    """The autograd function of `pair_scores`."""

    @staticmethod
    def forward(ctx: Any, first_BIH: Tensor, second_BJH: Tensor, weight_BH: Tensor) -> Tensor:
        ctx.save_for_backward(first_BIH, second_BJH, weight_BH)
        if backend_for(first_BIH) == "native":
            scores_BIJ = first_BIH.new_empty(*first_BIH.shape[:2], second_BJH.shape[1])
            FORWARD(first_BIH, second_BJH, weight_BH, scores_BIJ)
            return scores_BIJ
        blocks = [
            (hidden_of_pairs(part_BiH, second_BJH) @ weight_BH[:, :, None])
            .unflatten(1, (part_BiH.shape[1], second_BJH.shape[1]))
            .squeeze(-1)
            for part_BiH in first_BIH.split(items_per_block(second_BJH), dim=1)
        ]
        return torch.cat(blocks, dim=1)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, Tensor]:  # pyright: ignore
        refuse_second_derivative("use another attention than feed_forward")
        (gradient_BIJ,) = gradients
        first_BIH, second_BJH, weight_BH = inputs = ctx.saved_tensors
        if backend_for(first_BIH) == "native":
            results = torch.empty_like(first_BIH), torch.empty_like(second_BJH), torch.empty_like(weight_BH)
            BACKWARD(*inputs, gradient_BIJ.contiguous(), *results)
            return results
        items, of_first = items_per_block(second_BJH), []
        of_second_BJH, of_weight_BH = torch.zeros_like(second_BJH), torch.zeros_like(weight_BH)
        for part_BiH, part_BiJ in zip(first_BIH.split(items, dim=1), gradient_BIJ.split(items, dim=1), strict=True):
            hidden_BPH, gradient_BP1 = hidden_of_pairs(part_BiH, second_BJH), part_BiJ.flatten(1)[..., None]
            of_weight_BH += (hidden_BPH.mT @ gradient_BP1).squeeze(-1)
            alive_BPH = hidden_BPH.sign_().mul_(gradient_BP1)  # the gradient where a_i + b_j is above 0
            alive_BiJH = alive_BPH.unflatten(1, part_BiJ.shape[1:])
            of_first.append(alive_BiJH.sum(2) * weight_BH[:, None])
            of_second_BJH += alive_BiJH.sum(1)
        return torch.cat(of_first, dim=1), of_second_BJH.mul_(weight_BH[:, None]), of_weight_BH


def hidden_of_pairs(part_BiH: Tensor, second_BJH: Tensor) -> Tensor:
    """Return relu(a_i + b_j) for all pairs of a block (B, i x J, H)."""
    return (part_BiH[:, :, None] + second_BJH[:, None]).relu_().flatten(1, 2)


def items_per_block(second_BJH: Tensor) -> int:
    """Return the number of items i in a block."""
    block = BLOCK if second_BJH.device.type == "cpu" else BLOCK_OF_OTHER_DEVICES
    return max(1, block // max(1, second_BJH.numel()))
