"""Batches that are packed on a device are those that are packed on the host."""

import numpy as np
import pytest
import torch

from attest.config.settings import Protocol
from attest.data.batches import device as device_batches
from attest.data.batches.batch import gather
from attest.data.batches.device import DeviceSplit, batches_on, describe_data_placement, describe_limit
from attest.data.batches.protocol import training_batches
from attest.data.splits.split import Ragged, Split

CPU, META = torch.device("cpu"), torch.device("meta")
ORDERS = ("unsorted", "in_order", "by_length", "equal_lengths")


def split_of(*, phrases: bool = False, scores: bool = False) -> Split:
    """Return 23 pairs of sentences of 0 to 6 words, of which the last is the longest."""
    rng = np.random.default_rng(0)
    sides = []
    for _ in range(2):
        ragged = Ragged.from_lists([rng.integers(1, 99, size=length) for length in [*rng.integers(0, 6, 22), 6]])
        bits = rng.integers(0, 8, len(ragged.tokens)).astype(np.uint8) if phrases else None
        sides.append(Ragged(ragged.tokens, ragged.offsets, bits))
    grades = rng.uniform(0, 5, 23) if scores else None
    return Split(tuple(sides), rng.integers(0, 3, 23), np.arange(23), np.full(23, -1), grades)


def assert_equal(one, other):
    """Check that two batches hold equal tensors of equal types, and equal facts on the host."""
    np.testing.assert_array_equal(one.index, other.index)
    assert one.lengths == other.lengths
    for name in ("sentences", "labels", "scores", "phrases"):
        torch.testing.assert_close(getattr(one, name), getattr(other, name), rtol=0, atol=0)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("facts", [{}, {"phrases": True}, {"scores": True}])
def test_a_device_packs_the_batches_of_the_host(order, facts):
    split = split_of(**facts)
    batches = training_batches(split, Protocol(name="paper", batches=order, batch_size=4, steps=20), seed=1)
    there = DeviceSplit(split, CPU)
    for step, batch in enumerate(batches):
        index = batches.examples(step)
        assert_equal(batch, there.batch(index, torch.from_numpy(index)))


def test_sentences_without_words_take_one_place():
    split = Split.from_sentences(Ragged.from_lists([[], []]))
    assert_equal(gather(split, np.array([1])), DeviceSplit(split, CPU).batch(np.array([1]), torch.tensor([1])))


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("start", [0, 7])
def test_positions_are_copied_once_an_epoch(order, start, monkeypatch):
    copied = []
    plainly = device_batches.array_to_device

    def noting(array, device):
        copied.append(len(array))
        return plainly(array, device)

    batches = training_batches(split_of(), Protocol(name="paper", batches=order, batch_size=4, steps=30), seed=1)
    batches.start = start
    on_host = list(batches)
    batches.device = META
    monkeypatch.setattr(device_batches, "array_to_device", noting)
    on_device = list(batches)
    assert [batch.index.tolist() for batch in on_device] == [batch.index.tolist() for batch in on_host]
    assert [batch.sentences[0].shape for batch in on_device] == [batch.sentences[0].shape for batch in on_host]
    assert all(tokens.device == META for batch in on_device for tokens in (*batch.sentences, batch.labels))
    split_parts = 2 * len(batches.split.sentences) + 1
    assert len(copied) == split_parts + -(-(30 - start) // batches.steps_per_epoch)


def test_data_that_do_not_fit_are_copied_batch_by_batch(monkeypatch):
    split = split_of()
    assert describe_limit(CPU) == describe_limit(META) == ""
    assert describe_data_placement(split, META) == describe_data_placement(split, CPU) == ""
    monkeypatch.setattr(device_batches, "free_bytes", lambda device: 4 * device_batches.split_bytes(split))
    assert describe_data_placement(split, META) == ""
    monkeypatch.setattr(
        device_batches, "free_bytes", lambda device: 4 * device_batches.split_bytes(split) - 4
    )  # by one byte
    assert "each batch is copied" in describe_data_placement(split, META)
    assert (
        describe_limit(META)
        == f"; training data of up to {device_batches.split_bytes(split) / 2**30:.1f} GiB stay in its memory"
    )
    monkeypatch.setattr(device_batches, "DeviceSplit", None)
    (batch,) = batches_on(META, split, lambda step: np.arange(3), range(1), 1)
    assert batch.sentences[0].device == META
    assert batch.lengths == gather(split, np.arange(3)).lengths
