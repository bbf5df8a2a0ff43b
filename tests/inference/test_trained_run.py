"""A finished run opened again says what it said when it was trained, and reads words that it was not trained on."""

import dataclasses
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from attest.config.compose import compose, recompose
from attest.config.flat import flatten
from attest.config.paths import tracked_results
from attest.config.settings import Phrases
from attest.data.batch import gather
from attest.data.prepare import prepare
from attest.data.split import FIRST_WORD, UNKNOWN
from attest.data.splitting import arrange_splits
from attest.data.text.unknown_words import shared_row_name
from attest.errors import DataError, RecordError, SettingsError
from attest.inference import new_words
from attest.inference.attend import attend
from attest.inference.opening import open_run
from attest.reproduction.specs.table import load, names
from attest.reproduction.tables.cells import cells
from attest.runs.identity import run_id
from attest.runs.known_stores import stores
from attest.runs.store import Store, find_record
from attest.runs.trained_model import model_file, read_model, write_model
from attest.training import run as training
from attest.training.evaluation import outputs_of_split

QUICK = ("protocol.steps=10", "protocol.evaluate_every=10", "trainer.on_train=false")


@pytest.fixture
def opened(settings_with, mini_data):
    """A short run of some settings, opened again."""

    def make(*overrides):
        record = training.run(settings_with(*QUICK, *overrides))
        return open_run(record.id[:8], [f"paths.data={mini_data}"])

    return make


def splits_of(run):
    """The splits that a run was trained and evaluated on."""
    return arrange_splits(prepare(run.settings), run.settings.protocol, run.settings.seed).splits


def sentences_of(run, split, number):
    """Return sentences of the corpus as a user types them, with spaces between words."""
    ragged = splits_of(run)[split].sentences[0]
    tokens = [ragged.padded_tokens(np.array([i]))[0].tolist() for i in range(number)]
    return [" ".join(run.vocabulary[token] for token in sentence) for sentence in tokens]


@pytest.mark.parametrize("name", names())
def test_the_settings_of_every_row_come_back_from_a_record(name):
    scale = "mini" if name == "disan/table1" else "paper"
    for cell in {cell.row: cell for cell in cells(load(name), scale)}.values():
        again = recompose(flatten(cell.settings))
        assert run_id(again, "data") == run_id(cell.settings, "data")
        assert again.vectors == cell.settings.vectors
        assert again.dataset == cell.settings.dataset


def test_an_older_record_has_the_defaults_of_settings_that_came_later():
    flat = flatten(compose(["scale=paper", "protocol.batches=by_length", "protocol.batch_words=7"]))
    older = {key: value for key, value in flat.items() if key != "protocol.batch_words"}
    assert recompose(older).protocol.batch_words is None


def test_only_private_settings_may_be_given_to_a_finished_run():
    flat = flatten(compose(["model=s2t"]))
    assert recompose(flat, ["paths.data=/elsewhere"]).paths.data == "/elsewhere"
    with pytest.raises(SettingsError, match="protocol.steps: a finished run keeps its settings"):
        recompose(flat, ["protocol.steps=3"])


@pytest.mark.parametrize("model", ["disan", "bilstm"])
def test_sentences_of_the_corpus_are_encoded_as_the_run_itself_encodes_them(model, opened):
    run = opened(f"model={model}")
    with torch.inference_mode():
        batch = next(iter(training.training_batches(splits_of(run)["train"], run.settings.protocol, seed=1)))
        expected = run.module.encode(batch)[0].numpy()
    tokens = batch.sentences[0].tolist()
    sentences = [" ".join(run.vocabulary[token] for token in sentence).strip() for sentence in tokens]
    vectors = run.encode(sentences, batch_size=7)
    np.testing.assert_allclose(vectors, expected, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(run.encode(sentences, batch_size=64), vectors, rtol=1e-4, atol=1e-6)
    assert not run.module.training


def test_trees_are_encoded_as_the_run_itself_encodes_them(opened, mini_data):
    run = opened("experiment=psan/snli")
    rows = [json.loads(line) for line in (mini_data / "snli/snli_1.0_test.jsonl").read_text().splitlines()[:20]]
    split = splits_of(run)["test"]
    with torch.inference_mode():
        batch = gather(split, np.arange(5))
        expected = run.module.encode(batch)[0].numpy()
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
    record, maps = attend(run, given)
    assert [sentence["text"] for sentence in record.data["sentences"]] == given
    plain, tree = ({name[2:]: value for name, value in maps.items() if name.startswith(f"{n}.")} for n in (0, 1))
    assert plain.keys() == tree.keys()
    assert plain
    for name, value in plain.items():
        np.testing.assert_array_equal(value, tree[name])


def test_the_weights_are_the_best_ones_and_the_test_figures_follow_from_them(opened):
    run = opened("model=s2t", "protocol.steps=30")
    outputs = outputs_of_split(run.module, splits_of(run)["test"], 500)
    metrics = run.module.metrics("test", outputs, splits_of(run)["test"])
    assert metrics["test/accuracy"] == pytest.approx(run.record.metrics["test/accuracy"])


def test_sentences_without_words_are_zeros_and_none_at_all_is_legal(opened):
    run = opened("model=disan")
    (sentence,) = sentences_of(run, "train", 1)
    vectors = run.encode(["", sentence, "  "])
    assert not vectors[[0, 2]].any()
    assert vectors[1].any()
    assert run.encode([]).shape == (0, run.module.encoder.width)
    assert not run.encode(["", ""]).any()


@pytest.fixture
def richer_data(mini_data, tmp_path):
    """The built-in corpora with a vector for a word that stands in none of them."""
    folder = tmp_path / "richer"
    shutil.copytree(mini_data, folder)
    with (folder / "glove/glove.mini.24d.txt").open("a") as file:
        file.write("quixotic " + " ".join(["0.5"] * 24) + "\n")
    return folder


def test_new_words_have_the_vectors_of_the_file_and_others_none(settings_with, richer_data):
    elsewhere = f"paths.data={richer_data}"
    run = open_run(training.run(settings_with(*QUICK, "model=s2t", elsewhere)).id, [elsewhere])
    first, behind = run.vocabulary[FIRST_WORD], len(run.vocabulary)
    tokens = run.tokens([f"{first} Quixotic zyx", "quixotic"]).tokens
    assert tokens.tolist() == [FIRST_WORD, behind, UNKNOWN, behind]
    x = run.module.words(torch.tensor(tokens))
    assert x[1].tolist() == x[3].tolist() == [0.5] * 24
    assert not x[2].any()
    assert run.encode([f"the {first}"]) != pytest.approx(run.encode([f"quixotic {first}"]))


def test_words_without_a_vector_are_those_of_training_where_they_share_vectors(opened, monkeypatch):
    run = opened("model=s2t", "vectors.unknown=hashed")
    tokens = run.tokens(["zyx zyz zyx"]).tokens.tolist()
    assert [run.vocabulary[token] for token in tokens] == [shared_row_name(word) for word in ("zyx", "zyz", "zyx")]
    x = run.module.words(torch.tensor(tokens))
    assert x.abs().max() <= 0.05
    assert x[0].any()
    assert x[0].equal(x[2])


def test_the_file_of_vectors_is_read_once_for_the_same_words(opened, monkeypatch):
    run = opened("model=s2t")
    run.tokens(["zyx zyz"])
    monkeypatch.setattr(new_words, "read_vectors", lambda *arguments: pytest.fail("read again"))
    assert run.tokens(["zyz zyx"]).tokens.tolist() == [UNKNOWN, UNKNOWN]


def test_maps_are_those_of_the_sentence_alone(opened):
    run = opened("model=disan")
    sentence = sentences_of(run, "train", 1)[0]
    maps = run.attend(sentence)
    words, width = len(run.words([sentence])[0]), run.module.encoder.width
    assert maps["attention_0_forward"].shape == (words, words, width // 2)
    assert maps["source2token"].shape == (words, width)
    np.testing.assert_allclose(maps["source2token"].sum(0), 1, rtol=1e-5)


def test_a_run_is_found_here_and_among_the_tracked_ones(opened, home):
    run = opened("model=s2t")
    own, tracked = (Store(folder / "records") for folder in (home / "results/mini", tracked_results()))
    tracked.folder.mkdir(parents=True)
    own.path(run.record.id).rename(tracked.path(run.record.id))
    assert find_record(run.record.id[:5], stores()) == run.record


def test_runs_that_are_not_there_or_not_one(opened, home):
    first, second = opened("model=s2t").record, opened("model=additive").record
    own = Store(home / "results/mini/records")
    twin = dataclasses.replace(first, id=first.id[:6] + "zzzzzz")
    own.put(twin)
    with pytest.raises(RecordError, match=f"{first.id[:6]}: several ids begin so .*{first.id}.*zzzzzz"):
        open_run(first.id[:6])
    own.put(dataclasses.replace(twin, kind="attention"))  # which is no run
    own.put(dataclasses.replace(second, status="failed", error="...\nValueError: broken"))
    assert find_record(first.id[:6], [own]) == first
    with pytest.raises(RecordError, match=r"xyz\*: there is no record of such a run; `attest runs` lists runs"):
        open_run("xyz*")
    with pytest.raises(RecordError, match="there is no record of such a run"):
        open_run(str(home))
    with pytest.raises(RecordError, match="this run failed .ValueError: broken. and has no weights; train it again"):
        open_run(second.id)


def test_missing_weights_are_made_again_by_training_again(opened, settings_with):
    run = opened("model=s2t", "label.table=disan/table1", "label.row=s2t")
    folder = Path(run.settings.paths.runs) / run.record.id
    for weights in folder.iterdir():
        weights.unlink()
    with pytest.raises(RecordError, match=r"its weights are missing .*delete .*json and run .*`attest show disan/tab"):
        open_run(run.record.id)
    Store(Path(run.settings.paths.records)).path(run.record.id).unlink()
    assert training.run(settings_with(*QUICK, "model=s2t")).id == run.record.id
    assert list(folder.glob("best-*.pt"))


@pytest.mark.parametrize("damage", ["truncated", "empty", "of another model"])
@pytest.mark.parametrize("kept", ["model.safetensors", "best-10.pt"])
def test_damaged_weights_are_named_with_what_to_type(damage, kept, opened):
    run = opened("model=s2t")
    folder = Path(run.settings.paths.runs, run.record.id)
    weights = folder / kept
    if kept != "model.safetensors":
        model_file(folder).unlink()
    if damage != "of another model":
        weights.write_bytes(weights.read_bytes()[: 1000 * (damage == "truncated")])
    elif kept == "model.safetensors":
        write_model(weights, dataclasses.replace(read_model(weights), weights={"weight": torch.zeros(2)}))
    else:
        torch.save({"weight": torch.zeros(2)}, weights)
    with pytest.raises(RecordError, match=rf"{weights}: damaged( or cut|, or no ).*; delete it; to train it again, .*"):
        open_run(run.record.id, [f"paths.data={run.settings.paths.data}"])


def test_a_finished_run_needs_its_data_for_new_words_alone(opened, tmp_path):
    run = opened("model=disan")
    sentences = sentences_of(run, "test", 3)
    nowhere = [f"paths.data={tmp_path / 'nothing'}", f"paths.cache={tmp_path / 'cache'}"]
    moved = open_run(run.record.id, nowhere)
    np.testing.assert_array_equal(moved.encode(sentences), run.encode(sentences))
    assert (moved.vocabulary, moved.sides) == (run.vocabulary, 2)
    with pytest.raises(
        DataError, match=rf"{run.record.id} has not met 'quixotic', whose vector it needs: .*nothing/gl"
    ):
        moved.encode(["quixotic"])
    lenient = dataclasses.replace(moved, new_words="optional")
    assert lenient.tokens(["quixotic"]).tokens.tolist() == [UNKNOWN]


def test_a_run_without_the_file_of_its_model_opens_with_its_data(opened):
    run = opened("model=disan")
    model_file(Path(run.settings.paths.runs, run.record.id)).unlink()
    again = open_run(run.record.id, [f"paths.data={run.settings.paths.data}"])
    sentences = sentences_of(run, "test", 3)
    np.testing.assert_array_equal(again.encode(sentences), run.encode(sentences))
    assert (again.vocabulary, again.sides) == (run.vocabulary, run.sides)


def test_other_data_is_refused(opened, richer_data):
    run = opened("model=s2t")
    with pytest.raises(DataError, match=r"trained with another file glove.* 'quixotic', a new word, .*paths.data=FOLD"):
        open_run(run.record.id, [f"paths.data={richer_data}"]).tokens(["quixotic"])
    model_file(Path(run.settings.paths.runs, run.record.id)).unlink()
    with pytest.raises(DataError, match=r"trained on other files of snli .*paths.data=FOLDER .*, or train it again"):
        open_run(run.record.id, [f"paths.data={richer_data}"])


def test_files_of_the_data_of_the_run_may_be_named(settings_with, mini_data, tmp_path):
    folder = tmp_path / "data"
    shutil.copytree(mini_data, folder)
    (folder / "yelp/train.csv").rename(folder / "yelp/ours.csv")
    elsewhere = [f"paths.data={folder}", "dataset.files.all=yelp/ours.csv"]
    run = open_run(training.run(settings_with(*QUICK, "experiment=ssa/yelp", *elsewhere)).id, elsewhere)
    assert run.settings.dataset.files["all"] == "yelp/ours.csv"


def test_weights_of_older_code_are_refused(opened, monkeypatch):
    run = opened("model=s2t")
    cls = type(run.module.encoder)
    monkeypatch.setattr(cls, "version", cls.version + 1)
    with pytest.raises(RecordError, match=r"trained with version 1 of its model, but the installed version 2 "):
        open_run(run.record.id)
