import numpy as np
import torch

from attest.batching import EvaluationBatches, TrainingBatches, gather
from attest.corpus import Ragged, Split


def split_of(size: int) -> Split:
    """Example i has i % 3 + 1 tokens, all i + 2, and label i."""
    sentences = Ragged.of([[i + 2] * (i % 3 + 1) for i in range(size)])
    return Split((sentences, sentences), np.arange(size), np.arange(size), np.full(size, -1, np.int16))


def drawn(batches: TrainingBatches) -> list[int]:
    return [int(label) for batch in batches for label in batch.labels]


def test_every_pass_draws_every_example_once_in_another_order():
    passes = np.array(drawn(TrainingBatches(split_of(11), 3, seed=0, stop=22))).reshape(6, 11)
    assert all(sorted(order) == list(range(11)) for order in passes.tolist())
    assert len({tuple(order) for order in passes.tolist()}) == 6


def test_batches_run_over_the_border_of_an_epoch():
    batches = list(TrainingBatches(split_of(5), 3, seed=0, stop=4))
    assert [len(batch.labels) for batch in batches] == [3, 3, 3, 3]


def test_a_batch_depends_on_seed_and_step_alone():
    whole = list(TrainingBatches(split_of(11), 3, seed=1, stop=9))
    late = TrainingBatches(split_of(11), 3, seed=1, stop=9)
    late.start = 5
    for expected, got in zip(whole[5:], late, strict=True):
        assert expected.labels.equal(got.labels)
    assert drawn(TrainingBatches(split_of(11), 3, seed=2, stop=3)) != drawn(
        TrainingBatches(split_of(11), 3, seed=1, stop=3)
    )


def test_small_corpora_make_small_batches():
    batches = TrainingBatches(split_of(2), 64, seed=0, stop=3)
    assert batches.batch_size == 2
    assert batches.steps_per_epoch == 1
    assert len(drawn(batches)) == 6


def test_evaluation_sees_every_example_once():
    batches = list(EvaluationBatches(split_of(11), 3))
    assert sorted(int(i) for batch in batches for i in batch.index) == list(range(11))
    assert len(batches) == len(EvaluationBatches(split_of(11), 3)) == 4
    widths = [batch.sentences[0].shape[1] for batch in batches]
    assert widths == sorted(widths)


def test_masks_mark_tokens():
    batch = gather(split_of(7), np.array([2, 0]))
    assert batch.sentences[0].tolist() == [[4, 4, 4], [2, 0, 0]]
    assert batch.masks[0].tolist() == [[True, True, True], [True, False, False]]
    assert batch.to(torch.device("cpu")).labels.tolist() == [2, 0]
