"""Files of the best weights, without a run."""

import pytest
import torch
from runs.made_records import made_record

from attest.runs.notes.unfinished import note_start
from attest.runs.run_folder import keep_weights, weights_file
from attest.training.selection import BestWeights


@pytest.fixture
def best(tmp_path):
    return BestWeights(tmp_path)


def evaluate(best, step, value):
    """Let weights that hold the number of their step have a measure on dev."""
    module = torch.nn.Linear(1, 1, bias=False)
    torch.nn.init.constant_(module.weight, step)
    best.save_if_best(module, step, value)


def steps_on_disk(best):
    return sorted(int(path.stem.removeprefix("best-")) for path in best.folder.glob("best-*.pt"))


def test_the_first_of_the_highest_values_is_kept(best):
    for step, value in ((2, 60.0), (4, 70.0), (6, 70.0), (8, 65.0), (10, float("nan"))):
        evaluate(best, step, value)
    assert (best.step, best.value) == (4, 70.0)
    assert steps_on_disk(best) == [4]
    assert torch.load(best.file, weights_only=True)["weight"].item() == 4


def test_the_best_weights_of_the_last_checkpoint_outlive_better_ones_until_the_next_checkpoint(best):
    evaluate(best, 2, 60.0)
    best.delete_replaced_weights()
    evaluate(best, 4, 61.0)
    evaluate(best, 6, 62.0)
    assert steps_on_disk(best) == [2, 6]
    best.delete_replaced_weights()
    assert steps_on_disk(best) == [6]


def test_a_run_that_resumes_keeps_the_weights_of_its_checkpoint(best):
    evaluate(best, 2, 60.0)
    later = BestWeights(best.folder)
    later.resume(best.step, best.value)
    evaluate(later, 4, 60.0)
    assert later.file == best.file
    evaluate(later, 6, 61.0)
    assert steps_on_disk(later) == [2, 6]


def test_before_the_first_evaluation_there_are_no_best_weights(best):
    assert best.step == 0


def test_nothing_is_deleted_if_the_weights_to_keep_are_not_there(best):
    evaluate(best, 2, 60.0)
    keep_weights(best.folder, 3)
    assert steps_on_disk(best) == [2]
    keep_weights(best.folder, 3, 2)
    assert steps_on_disk(best) == [2]


def test_a_repetition_keeps_the_weights_of_the_finished_run(tmp_path):
    """They were deleted, so that a repetition that failed left a finished run, or parser, without weights."""
    weights_file(tmp_path, 6).touch()
    note_start(tmp_path, made_record(selected={"step": 6}))
    best = BestWeights(tmp_path)
    evaluate(best, 2, 60.0)
    best.delete_replaced_weights()
    evaluate(best, 4, 61.0)
    assert steps_on_disk(best) == [2, 4, 6]
    best.delete_replaced_weights()
    assert steps_on_disk(best) == [4, 6]
