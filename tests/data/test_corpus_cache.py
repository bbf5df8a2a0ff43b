"""The cache of corpora: what is damaged is built again, and keys follow all code beside tokenisers and parsers."""

import errno
import importlib
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from attest.config.compose import compose
from attest.config.flat import to_plain
from attest.data.corpus import Corpus, load_corpus
from attest.data.corpus_cache import cache_key_settings, cached_corpus
from attest.data.prepare import prepare
from attest.data.splits.split import Ragged, Split
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
    return json.dumps(to_plain(cache_key_settings(compose(["dataset=trec", *overrides]))))


def test_the_key_follows_the_code_that_a_tokeniser_imports(own_folder):
    (own_folder / "my_text").mkdir()
    files = [own_folder / name for name in ("my_words.py", "my_rules.py", "my_text/__init__.py", "my_text/rules.py")]
    for file in files:
        file.write_text("")
    words = "from my_rules import *\nfrom my_text import rules\n\n\ndef words(sentence):\n    return sentence.split()\n"
    files[0].write_text(words)
    keys, plain = [key("text.tokens=my_words.words")], key()
    for file in files[1:]:
        file.write_text("LIMIT = 3\n")
        keys.append(key("text.tokens=my_words.words"))
    assert len(set(keys)) == 4
    files[0].write_text(f"# a comment\n{words}")
    (own_folder / "my_other.py").write_text("LIMIT = 3\n")
    assert key("text.tokens=my_words.words") == keys[-1]
    assert key() == plain


PARSER = """
from attest.syntax.parsers import Parser


class Mine(Parser):
    identity = "mine 1"

    def parse(self, sentences):
        return [[(start, len(sentence)) for start in range(len(sentence) - 1)] for sentence in sentences]
"""


def test_the_key_follows_the_code_that_a_parser_imports(own_folder):
    """Its identity may stay the same when its code changes."""
    parser, rules = own_folder / "my_trees.py", own_folder / "my_rules.py"
    overrides = ("model=psan", "phrases.source=my_trees.Mine")
    parser.write_text(f"import my_rules\n{PARSER}")
    rules.write_text("")
    keys, shipped = [key(*overrides)], key("model=psan", "phrases=right")
    for file in (parser, rules):
        file.write_text(f"{file.read_text()}\nLIMIT = 3\n")
        keys.append(key(*overrides))
    assert len(set(keys)) == 3
    assert key(*overrides) == keys[-1]
    assert key("model=psan", "phrases=right") == shipped


def test_a_corpus_has_the_trees_of_the_parser_as_it_is_now(own_folder, mini_data, tmp_path):
    def phrases():
        sys.modules.pop("my_trees", None)  # another process
        importlib.invalidate_caches()
        settings = compose([
            "experiment=psan/trec", "phrases.source=my_trees.Mine", f"paths.data={mini_data}",
            f"paths.cache={tmp_path / 'cache'}",
        ])  # fmt: skip
        return prepare(settings).splits["train"].sentences[0].phrases.tolist()

    (own_folder / "my_trees.py").write_text(PARSER)
    right = phrases()
    (own_folder / "my_trees.py").write_text(PARSER.replace("(start, len(sentence))", "(0, len(sentence) - start)"))
    assert phrases() != right
