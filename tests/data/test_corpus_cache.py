"""The cache of corpora: what is damaged is built again, and a tokeniser's key follows all code it can import."""

import errno
import json
from pathlib import Path

import numpy as np
import pytest

from attest.config.compose import compose
from attest.data.corpus import Corpus, load_corpus
from attest.data.corpus_cache import cache_key_settings, cached_corpus
from attest.data.split import Ragged, Split
from attest.errors import MachineError, StorageError

LARGE = 300_000
"""The number of rows of vectors that are memory-mapped, which is done above 1 MiB."""


def corpus():
    ragged = Ragged.from_lists([[2, 3], [4]])
    sentences = Ragged(ragged.tokens, ragged.offsets, np.arange(3, dtype=np.uint8))
    two = np.arange(2)
    split = Split((sentences,), two, two + 7, two.astype(np.int16), scores=two * 0.5, folds=two)
    vectors = np.ones((LARGE, 1), np.float32)
    return Corpus({"train": split}, ["", "", "a", "b", "c"], 3, vectors, ["fiction"], {"fingerprint": "f"})


@pytest.fixture
def cached(tmp_path):
    """A function that opens a cached corpus and returns it with the number of builds so far."""
    builds = []

    def build():
        builds.append(1)
        return corpus()

    def opened():
        return cached_corpus(tmp_path / "mini-0", "mini", build), len(builds)

    opened()
    return opened


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def without_list(path: Path) -> None:
    """Change details.json into that of an earlier version."""
    details = json.loads(path.read_text())
    del details["arrays"]
    path.write_text(json.dumps(details))


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("details.json", cut),
        ("details.json", Path.unlink),
        ("details.json", lambda path: path.write_text("[]")),
        ("details.json", lambda path: path.write_bytes(b"\xff")),
        ("details.json", without_list),
        ("vectors.npy", cut),
        ("train.labels.npy", lambda path: path.write_bytes(b"")),
        ("train.labels.npy", cut),
        ("train.0.tokens.npy", Path.unlink),
        ("train.0.phrases.npy", Path.unlink),
        ("train.scores.npy", Path.unlink),
        ("train.folds.npy", Path.unlink),
    ],
)
def test_a_damaged_cache_is_built_again(name, damage, cached, tmp_path, caplog):
    assert cached()[1] == 1
    damage(tmp_path / "mini-0" / name)
    with pytest.raises(StorageError, match=r"mini-0: this cached corpus is not readable \(.*\); delete it"):
        load_corpus(tmp_path / "mini-0")
    again, builds = cached()
    assert builds == 2
    assert again.splits["train"].scores.tolist() == [0, 0.5]
    assert again.splits["train"].folds.tolist() == [0, 1]
    assert again.splits["train"].sentences[0].phrases.tolist() == [0, 1, 2]
    assert again.vectors.shape == (LARGE, 1)
    assert "mini-0: this cached corpus is damaged or of an earlier version; it is built again" in caplog.text
    assert cached()[1] == 2
    assert [path.name for path in tmp_path.iterdir()] == ["mini-0"]


def test_a_cache_that_the_disk_does_not_give_stays(cached, tmp_path, monkeypatch):
    def fail(*arguments, **options):
        raise OSError(errno.EIO, "input/output error")

    with monkeypatch.context() as patch:
        patch.setattr("attest.data.corpus.np.load", fail)
        with pytest.raises(MachineError, match="the disk or the system failed"):
            cached()
    assert cached()[1] == 1


def key(*overrides):
    return json.dumps(cache_key_settings(compose(["dataset=trec", *overrides])))


def test_the_key_follows_all_code_beside_a_tokeniser(own_folder):
    (own_folder / "my_text").mkdir()
    files = [own_folder / name for name in ("my_words.py", "my_rules.py", "my_text/__init__.py", "my_text/rules.py")]
    for file in files:
        file.write_text("")
    files[0].write_text("from my_rules import *\n\n\ndef words(sentence):\n    return sentence.split()\n")
    keys, plain = [key("text.tokens=my_words.words")], key()
    for file in files[1:]:
        file.write_text("LIMIT = 3\n")
        keys.append(key("text.tokens=my_words.words"))
    assert len(set(keys)) == 4
    assert key("text.tokens=my_words.words") == keys[-1]
    (own_folder / "data.txt").write_text("no code")
    assert key("text.tokens=my_words.words") == keys[-1]
    assert key() == plain
