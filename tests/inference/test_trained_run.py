"""A finished run opened again says what it said when it was trained."""

import numpy as np
import pytest
import torch
from inference.fixtures import sentences_of, splits_of

from attest.errors import SettingsError
from attest.models.encoders.base import Encoder
from attest.training import run as training
from attest.training.outputs import outputs_of_split


@pytest.mark.parametrize("model", ["disan", "bilstm"])
def test_sentences_of_the_corpus_are_encoded_as_the_run_itself_encodes_them(model, opened):
    run = opened(f"model={model}")
    with torch.inference_mode():
        batch = next(iter(training.training_batches(splits_of(run)["train"], run.settings.protocol, seed=1)))
        expected = run.task.encode(batch)[0].numpy()
    tokens = batch.sentences[0].tolist()
    sentences = [" ".join(run.words_by_row[token] for token in sentence).strip() for sentence in tokens]
    vectors = run.encode(sentences, batch_size=7)
    np.testing.assert_allclose(vectors, expected, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(run.encode(sentences, batch_size=64), vectors, rtol=1e-4, atol=1e-6)
    assert not run.task.training


def test_the_weights_are_the_best_ones_and_the_test_figures_follow_from_them(opened):
    run = opened("model=s2t", "protocol.steps=30")
    outputs = outputs_of_split(run.task, splits_of(run)["test"], 500)
    metrics = run.task.metrics("test", outputs, splits_of(run)["test"])
    assert metrics["test/accuracy"] == pytest.approx(run.record.metrics["test/accuracy"])


def test_sentences_without_words_are_zeros_and_none_at_all_is_legal(opened):
    run = opened("model=disan")
    (sentence,) = sentences_of(run, "train", 1)
    vectors = run.encode(["", sentence, "  "])
    assert not vectors[[0, 2]].any()
    assert vectors[1].any()
    assert run.encode([]).shape == (0, run.task.encoder.width)
    assert not run.encode(["", ""]).any()


def test_word_vectors_are_what_the_encoder_takes(opened):
    run = opened("model=disan")
    sentences = [*sentences_of(run, "train", 3), "", "quixotic"]
    x, mask = run.word_vectors(sentences)
    assert mask.sum(1).tolist() == [len(words) for words in run.words(sentences)]
    assert x.shape == (*mask.shape, run.task.encoder.input_size)
    with torch.no_grad():
        np.testing.assert_allclose(run.task.encoder(x, mask).numpy(), run.encode(sentences), rtol=1e-4, atol=1e-6)
    assert [len(tensor) for tensor in run.word_vectors([])] == [0, 0]
    with pytest.raises(SettingsError, match="sentences: expected a list, got str"):
        run.word_vectors("a man")


def test_an_encoder_without_attention_is_named(opened, monkeypatch):
    run = opened("model=s2t")
    monkeypatch.setattr(type(run.task.encoder), "maps", Encoder.maps)
    with pytest.raises(SettingsError, match=f"{run.record.id}: .* has no attention maps to show; choose a run of"):
        run.attend("a man")


def test_maps_are_those_of_the_sentence_alone(opened):
    run = opened("model=disan")
    sentence = sentences_of(run, "train", 1)[0]
    maps = run.attend(sentence)
    words, width = len(run.words([sentence])[0]), run.task.encoder.width
    assert maps["attention_0_forward"].shape == (words, words, width // 2)
    assert maps["source2token"].shape == (words, width)
    np.testing.assert_allclose(maps["source2token"].sum(0), 1, rtol=1e-5)
