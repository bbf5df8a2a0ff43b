"""Batches on the device that computes with them.

On a GPU, the data of a split are copied once, and batches are packed there by the positions of their examples, which
are copied once an epoch. If the data do not fit, batches are packed on the CPU and copied one by one. Phrases stay on
the CPU (see `Batch.phrases`).

Legend: B batch, T tokens of the longest sentence, N sentences.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from attest.data.batches.batch import Batch, batch_lengths, batch_phrases, gather
from attest.data.splits.split import PADDING, Ragged, Split
from attest.system.devices import free_bytes

LARGEST_SHARE = 0.25
"""The largest share of a device's free memory that the data of a split may take. The rest is for training steps."""


def batches_on(
    device: torch.device, split: Split, examples: Callable[[int], np.ndarray], steps: range, block: int
) -> Iterator[Batch]:
    """Yield the batch of each step on the device; `examples` returns the positions of its examples in the split.

    A GPU gets the positions for `block` steps at a time.
    """
    if device.type == "cpu":
        for step in steps:
            yield gather(split, examples(step))
    elif not fits(split, device):
        for step in steps:
            yield gather(split, examples(step)).pinned(device).to(device)
    else:
        resident, block = DeviceSplit(split, device), max(1, block)
        for first in range(steps.start, steps.stop, block):
            positions = [examples(step) for step in range(first, min(first + block, steps.stop))]
            places = array_to_device(np.concatenate(positions), device).split([len(index) for index in positions])
            yield from map(resident.batch, positions, places)


def split_bytes(split: Split) -> int:
    """Return the number of bytes that a split takes on a device."""
    arrays = [array for ragged in split.sentences for array in (ragged.tokens, ragged.offsets)]
    return sum(array.nbytes for array in (*arrays, split.labels, split.scores) if array is not None)


def fits(split: Split, device: torch.device) -> bool:
    """Return whether a split may stay in the memory of a device; it may if the free memory is unknown."""
    free = free_bytes(device)
    return free is None or split_bytes(split) <= LARGEST_SHARE * free


def describe_data_placement(split: Split, device: torch.device) -> str:
    """Return a sentence that says that a split does not fit on the device, or "" if it does or is not copied."""
    if device.type == "cpu" or fits(split, device):
        return ""
    return (
        f"the training data take {split_bytes(split) / 2**30:.1f} GiB, more than a quarter of the free memory of the "
        "device; each batch is copied there for its step"
    )


def describe_limit(device: torch.device) -> str:
    """Return "; training data of up to X GiB stay in its memory", to append to a line about the device.

    Return "" if the free memory of the device is unknown.
    """
    free = free_bytes(device)
    return "" if free is None else f"; training data of up to {LARGEST_SHARE * free / 2**30:.1f} GiB stay in its memory"


def array_to_device(array: np.ndarray, device: torch.device) -> Tensor:
    """Return a copy of an array on a device. The CPU does not wait for it if the device is a GPU."""
    tensor = torch.from_numpy(np.array(array))
    return tensor.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else tensor.to(device)


@dataclass(frozen=True)
class ResidentRagged:
    """Sentences in the memory of a device, one after another, followed by one place of padding."""

    tokens: Tensor
    offsets: Tensor

    @classmethod
    def copy(cls, ragged: Ragged, device: torch.device) -> "ResidentRagged":
        """Return a copy of the sentences on a device."""
        tokens = np.append(ragged.tokens, np.array(PADDING, ragged.tokens.dtype))
        return cls(array_to_device(tokens, device), array_to_device(ragged.offsets, device))

    def padded_tokens(self, place_B: Tensor, longest: int) -> Tensor:
        """Return (B, T) int64 the tokens of the sentences at `place_B`, followed by padding."""
        start_B, end_B = self.offsets[place_B], self.offsets[place_B + 1]
        where_BT = start_B[:, None] + torch.arange(max(1, longest), device=place_B.device)
        padding = len(self.tokens) - 1
        return self.tokens[where_BT.clamp(max=padding).where(where_BT < end_B[:, None], padding)].long()


class DeviceSplit:
    """A split in the memory of a device."""

    def __init__(self, split: Split, device: torch.device) -> None:
        self.split = split
        self.sentences = [ResidentRagged.copy(ragged, device) for ragged in split.sentences]
        self.labels = array_to_device(split.labels, device)
        self.scores = None if split.scores is None else array_to_device(np.asarray(split.scores, np.float32), device)

    def batch(self, index: np.ndarray, place_B: Tensor) -> Batch:
        """Return the batch that `gather` returns for `index`, on the device; `place_B` is a copy of `index` there."""
        lengths = batch_lengths(self.split, index)
        sides = zip(self.sentences, lengths, strict=True)
        return Batch(
            tuple(sentences.padded_tokens(place_B, max(known, default=0)) for sentences, known in sides),
            self.labels[place_B],
            index,
            None if self.scores is None else self.scores[place_B],
            batch_phrases(self.split, index),
            lengths,
        )
