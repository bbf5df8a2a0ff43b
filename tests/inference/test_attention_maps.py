"""What an attention record holds, for every encoder that has maps."""

import numpy as np
import pytest
from homes import store_of

from attest.errors import SettingsError
from attest.inference.attention_maps import attention_id, format_weights, printable_word, sentence_maps
from attest.inference.attention_record import attention_record
from attest.models.encoders.base import Encoder
from attest.reproduction.load import records_in
from attest.reproduction.specs.table import load_table
from attest.reproduction.tables.cells import cells
from attest.reproduction.tables.matching import matching_records

SENTENCES = ["The old man follows the zyx", "a dog"]
MODELS = ["disan", "fast_disan", "multi_head", "bilstm", "s2t", "additive"]


@pytest.mark.parametrize("model", MODELS)
def test_what_is_kept_are_distributions_over_words(model, opened):
    run = opened(f"model={model}")
    record, arrays = attention_record(run, SENTENCES)
    for number, sentence in enumerate(sentence_maps(record, arrays)):
        words = len(sentence.words)
        assert words == (6, 2)[number]
        for name, weights_TT in sentence.pair_weights.items():
            assert weights_TT.shape == (words, words), name
            total = weights_TT.sum(1)
            np.testing.assert_allclose(total, total > 0.5, atol=1e-5)
            lengths_TT = sentence.with_norms.maps[name]
            assert lengths_TT.shape == weights_TT.shape
            assert (lengths_TT >= weights_TT - 1e-6).all()  # the mean of D numbers is their length / sqrt(D) at most
        for name, weights in sentence.maps.items():
            if name.startswith("gate"):
                assert weights.shape == (words,)
                assert ((weights > 0) & (weights < 1)).all()
            elif name in ("source2token", "additive"):
                assert weights.shape[0] == words
                np.testing.assert_allclose(weights.sum(0), 1, rtol=1e-5)
    text = format_weights(sentence_maps(record, arrays))
    assert text.startswith("1  the old man follows the zyx\n")
    assert "no vector for zyx" in text


def test_features_become_their_mean_or_their_length(opened):
    run = opened("model=disan")
    record, arrays = attention_record(run, SENTENCES[1:])
    (sentence,) = sentence_maps(record, arrays)
    whole_TTD = run.attend(SENTENCES[1])["attention_0_forward"]
    np.testing.assert_allclose(sentence.pair_weights["attention_0_forward"], whole_TTD.mean(2), rtol=1e-6)
    lengths_TT = sentence.with_norms.pair_weights["attention_0_forward"]
    np.testing.assert_allclose(lengths_TT, (whole_TTD**2).sum(2) ** 0.5, rtol=1e-6)


def test_the_maps_of_disan(opened):
    record, arrays = attention_record(opened("model=disan"), SENTENCES)
    (first, _) = sentence_maps(record, arrays)
    forward, backward = first.pair_weights.values()
    assert list(first.pair_weights) == ["attention_0_forward", "attention_1_backward"]
    assert not np.triu(forward).any()
    assert not np.tril(backward).any()
    assert first.maps["source2token"].shape == (6, 48)
    assert [value.shape for value in first.word_weights.values()] == [(6,)] * 3
    lines = format_weights([first]).splitlines()
    assert lines[1].split() == [*first.word_weights, *first.pair_weights]
    assert lines[3].split()[:2] == ["old", f"{first.word_weights['gate_0_forward'][1]:.3f}"]
    assert "the 1.000" in lines[3]  # the second word can look at the first alone


def test_the_record_names_its_run_and_its_sentences(opened, home):
    run = opened("model=s2t", "label.table=disan/table1", "label.row=s2t")
    record, arrays = attention_record(run, SENTENCES)
    assert (record.kind, record.parents, record.settings) == ("attention", (run.record.id,), run.record.settings)
    assert record.id == attention_id(run.record.id, SENTENCES) == attention_record(run, SENTENCES)[0].id
    assert record.id != attention_record(run, SENTENCES[:1])[0].id
    assert record.data == {
        "fingerprint": run.record.fingerprint,
        "sentences": [
            {"text": SENTENCES[0], "tokens": ["the", "old", "man", "follows", "the", "zyx"], "unknown": ["zyx"]},
            {"text": SENTENCES[1], "tokens": ["a", "dog"], "unknown": []},
        ],
    }
    store = store_of(home)
    store.put(record, arrays)
    assert store.get(record.id) == record
    kept = store.arrays(record.id)
    assert sorted(kept) == ["0.source2token", "1.source2token"]
    np.testing.assert_array_equal(kept["1.source2token"], arrays["1.source2token"])


def test_tables_leave_attention_alone(opened, home):
    run = opened("model=s2t")
    store = store_of(home)
    store.put(*attention_record(run, SENTENCES))
    assert [record.id for record in records_in([home / "results/mini"])] == [run.record.id]
    assert [record.kind for record in records_in([home / "results/mini"], "attention")] == ["attention"]
    (cell,) = cells(load_table("disan/table1"), "mini", ["s2t"])
    assert list(matching_records(cell, store, "done")) == [run.record]


def test_sentences_and_encoders_that_show_nothing(opened, monkeypatch):
    run = opened("model=s2t")
    for empty in ("", "  "):
        with pytest.raises(SettingsError, match=f"'{empty}': this sentence has no words; give sentences"):
            attention_record(run, ["a dog", empty])
    monkeypatch.setattr(type(run.task.encoder), "maps", Encoder.maps)
    with pytest.raises(SettingsError, match=f"{run.record.id}: SourceToToken has no attention maps to show"):
        attention_record(run, SENTENCES)


def test_words_that_cannot_be_read_are_shown_as_something_else():
    assert [printable_word(word) for word in ("dog", "", "a\x1b[31m", "$x$")] == ["dog", "∅", "a�[31m", "$x$"]


def test_a_matcher_of_pairs_has_no_maps_of_a_sentence(opened):
    with pytest.raises(SettingsError, match="its encoder compares the two sentences of a pair"):
        opened("experiment=dam/snli", "model=dam_bow").attend("a dog")
