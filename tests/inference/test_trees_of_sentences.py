"""A finished run on phrases takes the trees of its sentences, or makes them itself."""

import dataclasses
import json

import numpy as np
import pytest
import torch
from inference.fixtures import splits_of

from attest.config.settings import Phrases
from attest.data.batches.batch import gather
from attest.errors import DataError, SettingsError
from attest.inference.attention_record import attention_record


def test_trees_are_encoded_as_the_run_itself_encodes_them(opened, mini_data):
    run = opened("experiment=psan/snli")
    rows = [json.loads(line) for line in (mini_data / "snli/snli_1.0_test.jsonl").read_text().splitlines()[:20]]
    split = splits_of(run)["test"]
    with torch.inference_mode():
        batch = gather(split, np.arange(5))
        expected = run.task.encode(batch)[0].numpy()
    trees = [rows[row]["sentence1_binary_parse"] for row in split.rows[:5]]
    np.testing.assert_allclose(run.encode(trees, batch_size=2), expected, rtol=1e-4, atol=1e-6)
    assert run.attend(trees[0])["attention_0_level_3"].shape[0] == len(run.words(trees)[0])
    with pytest.raises(SettingsError, match="this run needs trees, like those of its data, but a sentence has none"):
        run.encode(["the dog sleeps"])
    with pytest.raises(DataError, match="the line ends before the tree does"):
        run.encode(["( ( the dog ) ( sleeps )"])
    word, none, brackets = run.encode(["dog", "", "( dog )"])  # of which there is one tree each
    assert word.any()
    assert not none.any()
    np.testing.assert_array_equal(word, brackets)
    assert run.attend("dog")["attention_0_level_3"].shape[:2] == (1, 1)


def test_a_run_on_the_trees_of_its_data_takes_the_parser_that_is_named(opened):
    run = opened("experiment=psan/snli")
    named = run.with_parser(Phrases(source="learned", parser_run="0123456789ab", levels=1))
    assert named.settings.phrases == dataclasses.replace(
        run.settings.phrases, source="learned", parser_run="0123456789ab"
    )


def test_a_run_that_makes_its_own_trees_takes_any_sentence(opened):
    run = opened("experiment=psan/snli", "phrases=right")
    assert run.words(["( the dog )"]) == [["(", "the", "dog", ")"]]  # an aside, as SST's sentences have them
    assert np.abs(np.diff(run.encode(["the dog", "( the dog )"]), axis=0)).max() > 1e-3
    assert not run.encode(["", "  "]).any()


def test_where_attention_is_shown_such_a_run_takes_the_words_of_a_tree(opened):
    run = opened("experiment=psan/snli", "phrases=right")
    given = ["the dog sees the big cat", "( ( the dog ) ( sees ( the ( big cat ) ) ) )"]
    record, maps = attention_record(run, given)
    assert [sentence["text"] for sentence in record.data["sentences"]] == given
    plain, tree = ({name[2:]: value for name, value in maps.items() if name.startswith(f"{n}.")} for n in (0, 1))
    assert plain.keys() == tree.keys()
    assert plain
    for name, value in plain.items():
        np.testing.assert_array_equal(value, tree[name])
