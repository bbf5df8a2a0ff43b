"""From official files to the sentences of a task."""

import numpy as np
import pytest
from write_file import write_file

from attest.errors import DataError, SettingsError
from attest.transfer.task_data import read_task, read_tasks
from attest.transfer.tasks import TASKS

FILES = {
    "cr/custrev.neg": "too loud\n\nbad\n",
    "cr/custrev.pos": "good\nit isn't loud\nso quiet\n\n",
    "trec/train_5500.label": "NUM:count How many sing ?\nHUM:ind Who 's `` he '' ?\nHUM:ind Who sings ?\n",
    "trec/TREC_10.label": "HUM:ind Who waits ?\n",
    "sick/SICK_train.txt": "1\tA cat\tA dog ran\t2.5\tNEUTRAL\n2\tA cat\tOne cat sat\t2.1\tENTAILMENT\n"
    "3\tA\tB\t1\tNEUTRAL\n",
    "sick/SICK_trial.txt": "1\tA cat\tA dog\t2.5\tNEUTRAL\n",
    "sick/SICK_test_annotated.txt": "1\tA cat\tA dog\t2.5\tCONTRADICTION\n",
    "sst/trees/train.txt": "(3 (2 It) (3 (2 -LRB-) (3 shines)))\n(2 Dull)\n",
    "sst/trees/dev.txt": "(0 (2 it) (0 drags))\n",
    "sst/trees/test.txt": "(4 (2 it) (4 shines))\n",
    "sts14/STS.input.images.txt": "A Cat sat\tA Dog\nThe dog\tOne Dog\n",
    "sts14/STS.gs.images.txt": "1.5\n4\n",
}
NAMES = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"


@pytest.fixture
def data(tmp_path):
    for name, content in FILES.items():
        write_file(tmp_path / name, (NAMES if "SICK" in name else "") + content)
    for name in ("deft-forum", "deft-news", "headlines", "OnWN", "tweet-news"):
        (tmp_path / f"sts14/STS.input.{name}.txt").write_text("a\tb\n")
        (tmp_path / f"sts14/STS.gs.{name}.txt").write_text("1\n")
    return tmp_path


def test_a_pool_by_length_then_class_with_its_empty_samples(data):
    sets = read_task(TASKS["CR"], data)
    samples = sets.splits["all"]
    assert list(samples.sentences[0]) == ["", "", "bad", "good", "too loud", "so quiet", "it is n't loud"]
    assert samples.labels.tolist() == [0, 1, 0, 1, 0, 1, 1]
    assert (sets.classes, len(samples), sets.expected) == (2, 7, {"all": 3775})


def test_questions_lose_their_quotation_marks(data):
    sets = read_task(TASKS["TREC"], data)
    assert list(sets.splits["train"].sentences[0]) == ["Who sings ?", "Who s he ?", "How many sing ?"]
    assert sets.splits["train"].labels.tolist() == [3, 3, 5]
    assert list(sets.splits) == ["train", "test"]


def test_pairs_by_both_lengths_then_label(data):
    graded, judged = read_task(TASKS["SICK-R"], data).splits["train"], read_task(TASKS["SICK-E"], data).splits["train"]
    assert list(graded.sentences[1]) == ["B", "One cat sat", "A dog ran"]
    assert graded.labels.tolist() == [1.0, 2.1, 2.5]
    assert list(judged.sentences[1]) == ["B", "A dog ran", "One cat sat"]
    assert judged.labels.tolist() == [1, 1, 2]  # contradiction, neutral, entailment


def test_trees_are_read_in_lower_case(data):
    train = read_task(TASKS["SST5"], data).splits["train"]
    assert list(train.sentences[0]) == ["dull", "it -lrb- shines"]
    assert train.labels.tolist() == [2, 3]


def test_sets_of_graded_pairs(data):
    sets = read_task(TASKS["STS14"], data)
    images = sets.splits["images"]
    assert images.sentences == (["the dog", "a cat sat"], ["one dog", "a dog"])
    assert images.labels.tolist() == [4.0, 1.5]
    assert len(sets.splits) == 6


def test_the_fingerprint_follows_the_content(data):
    before = read_task(TASKS["CR"], data).fingerprint
    assert read_task(TASKS["CR"], data).fingerprint == before
    (data / "cr/custrev.neg").write_text("too soft\n\nbad\n")
    assert read_task(TASKS["CR"], data).fingerprint != before


def test_what_is_missing_is_named(data):
    with pytest.raises(DataError, match=r"mr/: neither rt-polarity.neg nor rt-polarity.neg.xz is there"):
        read_task(TASKS["MR"], data)
    (data / "sick/SICK_trial.txt").write_text(NAMES)
    with pytest.raises(DataError, match=r"SICK_trial.txt: no usable example"):
        read_task(TASKS["SICK-E"], data)


@pytest.mark.parametrize(
    ("names", "message"),
    [(["RTE"], r"unknown task 'RTE'.* There are: MR, CR"), (["SICKE"], "Did you mean SICK-E"),
     ([], "name at least one task"),
     (["MR", "MR"], "each once")],
)  # fmt: skip
def test_tasks_that_there_are_not(data, names, message):
    with pytest.raises(SettingsError, match=message):
        read_tasks(names, data)


def test_every_built_in_set_has_what_its_task_needs(mini_data):
    for name, sets in read_tasks(list(TASKS), mini_data).items():
        for samples in sets.splits.values():
            lengths = [len(sentence.split()) for sentence in samples.sentences[0]]
            assert lengths == sorted(lengths)
            assert len(np.unique(samples.labels)) >= max(2, sets.classes), name
