"""DiSAN's text recipe and vector policy on a corpus small enough to count by hand."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from attest.config.compose import compose
from attest.data import prepare as module
from attest.data.prepare import prepare
from attest.data.splits.split import PADDING, UNKNOWN
from attest.data.text import unknown_words
from attest.errors import DataError
from attest.system import leases

SENTENCES = {
    "train": [
        ("entailment", "A cat sleeps", "It's quiet"),
        ("neutral", "A cat runs", "no"),
        ("-", "Undecided pair", "dropped"),
        ("contradiction", "this one is far too long for the limit", "cat"),
    ],
    "dev": [("neutral", "A dog sleeps", "frozen"), ("-", "x", "y")],
    "test": [("entailment", "A unicorn sleeps", "")],
}
VECTORS = {"a": 1, "cat": 2, "sleeps": 3, "dog": 4, "frozen": 5, "undecided": 6, "unused": 7}


@pytest.fixture
def data(tmp_path):
    for split, rows in SENTENCES.items():
        path = tmp_path / f"data/snli/snli_1.0_{split}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps({"gold_label": label, "sentence1": one, "sentence2": two}) for label, one, two in rows]
        path.write_text("\n".join(lines) + "\n")
    (tmp_path / "data/glove").mkdir()
    (tmp_path / "data/glove/glove.6B.300d.txt").write_text("".join(f"{word} {n} {n}\n" for word, n in VECTORS.items()))
    return tmp_path / "data"


def settings(data, *overrides):
    return compose(["scale=paper", f"paths.data={data}", "vectors.size=2", "text.length_percentile=87", *overrides])


def test_words_and_rows(data):
    corpus = prepare(settings(data))
    # "It's" is cut into it, '' (empty), ', s. Words of dropped pairs are training words too.
    assert corpus.words[2 : 2 + corpus.training_words] == [
        "a", "cat", "sleeps", "it", "", "'", "s", "quiet", "runs", "no", "undecided", "pair", "dropped",
        "this", "one", "is", "far", "too", "long", "for", "the", "limit",
    ]  # fmt: skip
    assert corpus.words[2 + corpus.training_words :] == ["dog", "frozen"]  # only what dev and test need
    train = corpus.splits["train"]
    assert train.rows.tolist() == [0, 1]
    assert train.labels.tolist() == [0, 1]
    assert [corpus.words[i] for i in train.sentences[1].tokens] == ["it", "", "'", "s", "quiet", "no"]


def test_vectors_found_missing_and_zero(data):
    corpus = prepare(settings(data))
    row = dict(zip(corpus.words[2:], corpus.vectors[2:], strict=True))
    assert row["cat"].tolist() == [2, 2]
    assert row["dog"].tolist() == [4, 4]
    assert np.isnan(row["quiet"]).all()  # a training word without a vector: drawn when the run begins
    assert corpus.vectors[[PADDING, UNKNOWN]].tolist() == [[0, 0], [0, 0]]
    # unicorn is in neither: the zero vector, but a token and not padding.
    assert corpus.splits["test"].sentences[0].tokens.tolist()[1] == UNKNOWN
    assert corpus.splits["test"].sentences[1].lengths.tolist() == [0]


def test_facts_count_everything(data):
    facts = prepare(settings(data)).facts
    train = facts["splits"]["train"]
    assert {key: train[key] for key in ("rows", "labelled", "too_long", "used", "with_parse", "length_limit")} == {
        "rows": 4, "labelled": 3, "too_long": 1, "used": 2, "with_parse": 0, "length_limit": 5,
    }  # fmt: skip
    assert facts["splits"]["dev"]["labelled"] == 1
    assert facts["vectors"]["rows"] == 7
    assert facts["vectors"]["tokens_found"]["test"] == pytest.approx(2 / 3, abs=1e-4)


def test_words_without_a_vector_share_rows_by_checksum(data):
    """Of all splits; the same word has the same row wherever it stands, and no row of these is trained."""
    corpus, plain = prepare(settings(data, "vectors.unknown=hashed")), prepare(settings(data))
    assert corpus.words[2 : 2 + corpus.training_words] == ["a", "cat", "sleeps", "undecided"]
    assert corpus.words[6:8] == ["dog", "frozen"]
    assert tuple(corpus.words[8:]) == unknown_words.SHARED_ROW_NAMES
    assert np.isnan(corpus.vectors[8:]).all()
    assert not np.isnan(corpus.vectors[:8]).any()
    first, second = (corpus.splits[split].sentences for split in ("train", "test"))
    words = [corpus.words[token] for token in first[1].tokens]
    assert words == [unknown_words.shared_row_name(word) for word in ("it", "", "'", "s", "quiet", "no")]
    assert [corpus.words[token] for token in second[0].tokens] == [
        "a",
        unknown_words.shared_row_name("unicorn"),
        "sleeps",
    ]
    assert corpus.facts["vectors"]["training_words"] == plain.facts["vectors"]["training_words"]
    assert corpus.facts["vectors"]["tokens_found"] == plain.facts["vectors"]["tokens_found"]


def test_tokens_of_our_own_are_no_words_that_miss_a_vector(data):
    """Else a text that begins its sentences with one would look as if its vectors did not fit."""
    facts = prepare(settings(data, "text.first='<null>'", "text.last='<end>'")).facts
    assert facts["vectors"]["tokens_found"]["test"] == pytest.approx(2 / 3, abs=1e-4)


def test_no_percentile_keeps_all(data):
    assert len(prepare(settings(data, "text.length_percentile=100")).splits["train"]) == 3


def test_parsed_once_and_again_when_a_file_changes(data, monkeypatch):
    first = prepare(settings(data))
    monkeypatch.setattr("attest.data.prepare.build_corpus", lambda *arguments: pytest.fail("parsed again"))
    again = prepare(settings(data, "seed=2", "model=s2t"))
    assert again.fingerprint == first.fingerprint
    monkeypatch.undo()
    with (data / "glove/glove.6B.300d.txt").open("a") as file:
        file.write("unicorn 8 8\n")
    changed = prepare(settings(data))
    assert changed.fingerprint != first.fingerprint
    assert "unicorn" in changed.words


def test_of_many_workers_on_a_cold_cache_one_reads_the_files(data, monkeypatch):
    calls, together, build = [], threading.Barrier(4), module.build_corpus

    def counted(*arguments):
        calls.append(arguments)
        return build(*arguments)

    def work(ours):
        together.wait()
        return prepare(ours)

    monkeypatch.setattr(module, "build_corpus", counted)
    monkeypatch.setattr(leases, "RETRY_SECONDS", 0.01)
    with ThreadPoolExecutor(4) as workers:
        corpora = list(workers.map(work, [settings(data, "paths.cache=" + str(data.parent / "cache"))] * 4))
    assert len(calls) == 1
    assert len({corpus.fingerprint for corpus in corpora}) == 1
    assert len(list((data.parent / "cache/corpora").iterdir())) == 1


def test_an_unlabelled_split_is_an_error(data):
    (data / "snli/snli_1.0_dev.jsonl").write_text('{"gold_label": "-", "sentence1": "a", "sentence2": "b"}\n')
    with pytest.raises(DataError, match=r"dev.jsonl: the file holds no labelled example"):
        prepare(settings(data))
    assert not list(data.parent.rglob("*.partial-*"))


def test_rows_that_have_run_together_are_no_sentence(data):
    row = {"gold_label": "neutral", "sentence1": "a cat " * 5_001, "sentence2": "no"}
    with (data / "snli/snli_1.0_train.jsonl").open("a") as file:
        file.write(json.dumps(row) + "\n")
    with pytest.raises(
        DataError, match=r"train.jsonl:5: the sentence has 10,002 tokens, .* set text.token_limit=400 to"
    ):
        prepare(settings(data, "text.length_percentile=100"))
    cut = prepare(settings(data, "text.length_percentile=100", "text.token_limit=400")).splits["train"]
    assert cut.max_lengths().max() == 400
    assert len(prepare(settings(data)).splits["train"]) == 3  # the longest are left out, and it is among them
    with pytest.raises(DataError, match=r"train.jsonl:5: the sentence has 10,002 tokens"):
        prepare(settings(data, "text.length_percentile=99.5"))  # of ten sentences, none is left out
