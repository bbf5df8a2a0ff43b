from dataclasses import replace

import numpy as np
import pytest
import torch

from attest.config.settings import Protocol
from attest.data.batches.batch import gather
from attest.data.batches.evaluation import EvaluationBatches
from attest.data.batches.protocol import training_batches
from attest.data.batches.sorted_batches import BatchesByLength, BatchesOfEqualLengths, batch_starts
from attest.data.batches.training import BatchesInOrder, TrainingBatches, UnsortedBatches
from attest.data.splits.split import Ragged, Split


def split_of(size: int) -> Split:
    """Example i has i % 3 + 1 tokens, all i + 2, and label i."""
    sentences = Ragged.from_lists([[i + 2] * (i % 3 + 1) for i in range(size)])
    return Split((sentences, sentences), np.arange(size), np.arange(size), np.full(size, -1, np.int16))


def drawn(batches: TrainingBatches) -> list[int]:
    return [int(label) for batch in batches for label in batch.labels]


def test_every_pass_draws_every_example_once_in_another_order():
    passes = np.array(drawn(UnsortedBatches(split_of(11), 3, seed=0, stop=22))).reshape(6, 11)
    assert all(sorted(order) == list(range(11)) for order in passes.tolist())
    assert len({tuple(order) for order in passes.tolist()}) == 6


def test_batches_run_over_the_border_of_an_epoch():
    batches = list(UnsortedBatches(split_of(5), 3, seed=0, stop=4))
    assert [len(batch.labels) for batch in batches] == [3, 3, 3, 3]


def test_a_batch_depends_on_seed_and_step_alone():
    whole = list(UnsortedBatches(split_of(11), 3, seed=1, stop=9))
    late = UnsortedBatches(split_of(11), 3, seed=1, stop=9)
    late.start = 5
    for expected, got in zip(whole[5:], late, strict=True):
        assert expected.labels.equal(got.labels)
    assert len(late) == 9  # that of the whole training, to which Lightning counts
    assert drawn(UnsortedBatches(split_of(11), 3, seed=2, stop=3)) != drawn(
        UnsortedBatches(split_of(11), 3, seed=1, stop=3)
    )


def test_small_corpora_make_small_batches():
    batches = UnsortedBatches(split_of(2), 64, seed=0, stop=3)
    assert batches.batch_size == 2
    assert batches.steps_per_epoch == 1
    assert len(drawn(batches)) == 6


def test_batches_in_order_are_those_of_the_file_and_leave_out_the_rest():
    batches = BatchesInOrder(split_of(7), 3, stop=5)
    assert [batch.labels.tolist() for batch in batches] == [[0, 1, 2], [3, 4, 5], [0, 1, 2], [3, 4, 5], [0, 1, 2]]
    batches.start = 3
    assert [batch.labels.tolist() for batch in batches] == [[3, 4, 5], [0, 1, 2]]


def test_the_order_of_an_epoch_is_drawn_once(monkeypatch):
    batches, epochs = UnsortedBatches(split_of(11), 3, seed=0, stop=11), []
    monkeypatch.setattr(batches, "draw_order", lambda epoch: epochs.append(epoch) or np.arange(11))
    assert drawn(batches) == 3 * list(range(11))
    assert epochs == [0, 1, 2]


@pytest.mark.parametrize("words", [None, 12])
def test_batches_by_length_draw_every_example_once_per_epoch(words):
    batches = BatchesByLength(split_of(11), 3, seed=0, words=words)
    batches.stop = 3 * batches.steps_per_epoch
    found = [batch.labels.tolist() for batch in batches]
    epochs = [found[start : start + batches.steps_per_epoch] for start in range(0, len(found), batches.steps_per_epoch)]
    assert all(sorted(label for batch in epoch for label in batch) == list(range(11)) for epoch in epochs)
    assert len({str(epoch) for epoch in epochs}) == 3
    assert batches.examples_per_step == 11 / batches.steps_per_epoch


def test_batches_by_length_hold_like_lengths_and_the_last_one_the_rest():
    batches = BatchesByLength(split_of(11), 3, seed=0, stop=4)
    drawn_batches = list(batches)
    assert sorted(len(batch.labels) for batch in drawn_batches) == [2, 3, 3, 3]
    spread = [np.ptp(batches.key_N[batch.index]) for batch in drawn_batches]
    assert max(spread) <= 2  # of 2, 4 and 6 words a pair, neighbours at most meet


def test_a_budget_of_words_is_kept_unless_one_example_is_longer():
    batches = BatchesByLength(split_of(11), 3, seed=0, stop=40, words=9)
    assert all(batches.key_N[batch.index].sum() <= 9 for batch in batches)
    assert batch_starts(np.array([2, 4, 9, 20]), 10) == [0, 2, 3]


def test_a_batch_by_length_depends_on_seed_and_step_alone():
    whole = list(BatchesByLength(split_of(11), 3, seed=1, stop=9))
    late = BatchesByLength(split_of(11), 3, seed=1, stop=9)
    late.start = 5
    for expected, got in zip(whole[5:], late, strict=True):
        assert expected.labels.equal(got.labels)
    assert len(late) == 9  # that of the whole training, to which Lightning counts


def test_batches_of_equal_lengths_pad_neither_side():
    lengths = [(2, 1), (1, 2), (2, 2), (2, 1), (2, 1), (1, 2), (2, 1), (2, 1)]  # 5, 2 and 1 alike: 3 + 1 + 1 batches
    first, second = (Ragged.from_lists([[7] * pair[side] for pair in lengths]) for side in (0, 1))
    split = Split((first, second), np.arange(8), np.arange(8), np.full(8, -1, np.int16))
    batches = BatchesOfEqualLengths(split, 2, seed=0, stop=10)
    assert batches.steps_per_epoch == 5
    assert batches.steps_for(1.5) == 8
    passes = [list(batches)[:5], list(batches)[5:]]
    assert all(
        sorted(int(label) for batch in batches for label in batch.labels) == list(range(8)) for batches in passes
    )
    for batch in batches:
        assert {lengths[label] for label in batch.labels} == {tuple(tokens.shape[1] for tokens in batch.sentences)}
        assert all(tokens.all() for tokens in batch.sentences)
        assert len(batch.labels) <= 2


def test_equal_lengths_under_a_numpy_that_returns_the_inverse_as_a_column(monkeypatch):
    """As numpy 2.0.0 does: every batch of an epoch then held one example."""
    plainly = np.unique

    def unique(*arguments, **options):
        values, inverse, count = plainly(*arguments, **options)
        return values, inverse[:, None], count

    monkeypatch.setattr(np, "unique", unique)
    assert sorted(drawn(BatchesOfEqualLengths(split_of(11), 2, seed=0, stop=6))) == list(range(11))


def test_the_protocol_says_how_many_steps():
    protocol = Protocol(name="paper", batch_size=4, steps=7)
    assert training_batches(split_of(11), protocol, 0).stop == 7
    assert training_batches(split_of(11), replace(protocol, epochs=1.5), 0).stop == 5  # 16.5 examples, 4 a step
    assert training_batches(split_of(11), replace(protocol, epochs=2, batches="by_length"), 0).stop == 6
    assert training_batches(split_of(11), replace(protocol, epochs=2, batches="in_order"), 0).stop == 4  # 3 left out
    assert training_batches(split_of(11), replace(protocol, epochs=2, batches="equal_lengths"), 0).stop == 6
    assert training_batches(split_of(11), replace(protocol, epochs=3), 0).stop == 7  # whichever comes first
    assert training_batches(split_of(11), replace(protocol, steps=None, epochs=3), 0).stop == 9


def test_evaluation_sees_every_example_once():
    batches = list(EvaluationBatches(split_of(11), 3, torch.device("cpu")))
    assert sorted(int(i) for batch in batches for i in batch.index) == list(range(11))
    assert len(batches) == 4
    widths = [batch.sentences[0].shape[1] for batch in batches]
    assert widths == sorted(widths)


def test_padding_stands_behind_the_words():
    batch = gather(split_of(7), np.array([2, 0]))
    assert batch.sentences[0].tolist() == [[4, 4, 4], [2, 0, 0]]
    assert batch.to(torch.device("cpu")).labels.tolist() == [2, 0]
