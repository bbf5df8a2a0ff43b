"""Every official file that is read, damaged in each way four times: one clear sentence, or a change that facts report.

A new reader joins with one line in FILES, and its data set with one in SETS.
"""

import json
import lzma
import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from fuzz.damages import ANY_TEXT, ODD_TEXT, Damage, line_ends, marked
from fuzz.formats import as_json
from fuzz.packed import PACKED, ZIPPED, member_outside, members_of, xz_cut, zipped
from fuzz.row_damages import (
    BINARY,
    GRADED_ROWS,
    JSON_ROWS,
    PAIR_ROWS,
    REVIEW_ROWS,
    REVIEWS,
    TREES,
    VECTOR_ROWS,
    another_author,
    broken_number,
    defined_entity,
    header_wrong,
    quote_more,
    tag_changed,
    unknown_age,
    unknown_kind,
    wrong_type,
)
from fuzz.word2vec import word2vec_binary

from attest.config.compose import compose
from attest.data.corpus import Corpus
from attest.data.mini import paraphrases, profiles, questions, relatedness, sentences
from attest.data.mini.vectors import vector_lines
from attest.data.mini.write import glove_lines, snli_lines, write_lines
from attest.data.prepare import prepare
from attest.errors import AttestError

DRAWS = 4
"""How often each kind of damage is drawn."""
TEXT = [*ANY_TEXT, *ODD_TEXT]


def member_damaged(rng: random.Random, content: bytes) -> bytes:
    members = members_of(content)
    name = rng.choice(sorted(members))
    return zipped({**members, name: rng.choice([*TEXT, *JSON_ROWS])(rng, members[name])}.items())


FILES: dict[str, list[Damage]] = {
    "snli/snli_1.0_train.jsonl": [*TEXT, *JSON_ROWS],
    "snli/snli_1.0_dev.jsonl.xz": PACKED,
    "snli/snli_1.0.zip": [*ZIPPED, member_damaged],
    "glove/glove.mini.24d.txt": [*TEXT, *VECTOR_ROWS],
    "sst/trees/train.txt": [*TEXT, *TREES],
    "sst/trees/test.txt.xz": PACKED,
    "sick/SICK_train.txt": [*TEXT, *GRADED_ROWS],
    "trec/train_5500.label": [*TEXT, unknown_kind],
    "mrpc/msr_paraphrase_train.txt": [*TEXT, *PAIR_ROWS],
    "cr/custrev.neg": TEXT,
    "yelp/train.csv": [*TEXT, *REVIEWS],
    "yelp_json/review.json": [*TEXT, *REVIEW_ROWS],
    "pan16/truth.txt": [*TEXT, unknown_age, another_author],
    "pan16/author000.xml": [*TEXT, tag_changed, defined_entity],
    "word2vec_text/a.txt": [*TEXT, *VECTOR_ROWS, header_wrong],
    "word2vec_binary/a.bin": BINARY,
    "own_csv/train.csv": [*TEXT, quote_more],
    "own_folds/all.csv": [*TEXT, quote_more],
    "own_folders/train/bad/2.txt": TEXT,
}
PLAIN = {
    "trec/train_5500.label",
    "mrpc/msr_paraphrase_train.txt",
    "cr/custrev.neg",
    "yelp/train.csv",
    "yelp_json/review.json",
    "pan16/author000.xml",
    "word2vec_text/a.txt",
    "word2vec_binary/a.bin",
    "own_csv/train.csv",
    "own_folds/all.csv",
    "own_folders/train/bad/2.txt",
}
"""Any text is right there, or any number. What is not refused shows in the checksum alone."""
HARMLESS = (marked, line_ends)
"""A mark is no text, and a carriage return before a line feed is part of the line end."""
YELP = ["dataset=yelp", "text=ssa", "vectors.file=word2vec_text/a.txt"]
OWN = ["dataset=trec", "text=disan_trec", "dataset.labels=[bad,good]"]
SETS = {
    "sst": ["dataset=sst", "text=disan_sst"],
    "sick": ["dataset=sick", "text=disan_sick"],
    "trec": ["dataset=trec", "text=disan_trec"],
    "mrpc": ["dataset=mrpc", "text=disan_sentences"],
    "cr": ["dataset=cr", "text=disan_sentences"],
    "yelp": YELP,
    "yelp_json": [*YELP, "dataset.files.all=yelp_json/review.json"],
    "pan16": [*YELP, "dataset=age", "dataset.files.all=pan16/truth.txt"],
    "word2vec_text": YELP,
    "own_csv": [
        *OWN,
        "dataset.format=csv",
        "dataset.files.train=own_csv/train.csv",
        "dataset.files.test=own_csv/train.csv",
        "+dataset.columns={sentence: text, label: verdict}",
    ],
    "own_folds": [
        *OWN,
        "dataset.format=csv",
        "~dataset.files",
        "+dataset.files={all: own_folds/all.csv}",
        "+dataset.columns={sentence: text, label: verdict, fold: fold}",
    ],
    "own_folders": [
        *OWN,
        "dataset.format=folders",
        "dataset.files.train=own_folders/train",
        "dataset.files.test=own_folders/train",
    ],
    "word2vec_binary": ["dataset=yelp", "text=ssa", "vectors.file=word2vec_binary/a.bin"],
}
"""Folder -> settings that read it; any other is read with SNLI's."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """A small data folder; which of SNLI's files are loose, packed or zipped is up to the test."""
    folder = tmp_path_factory.mktemp("whole")
    for name, lines in small_files():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_lines(folder / name, lines)
    as_word2vec(folder)
    return folder


def small_files() -> Iterator[tuple[str, Iterator[str]]]:
    for split, size in {"train": 30, "dev": 8, "test": 8}.items():
        rng = random.Random(split)
        yield f"snli/snli_1.0_{split}.jsonl", snli_lines(random.Random(split), size, rare=True)
        yield f"sst/trees/{split}.txt", sentences.sst_lines(rng, size)
        name = sentences.SICK_FILES[{"train": "TRAIN", "dev": "TRIAL", "test": "TEST"}[split]]
        yield f"sick/{name}.txt", relatedness.semeval_lines(sentences.sick_pairs(rng, size))
    rng = random.Random("sentences")
    yield "trec/train_5500.label", iter([questions.draw_question(rng) for _ in range(30)])
    for split, size in {"train": 30, "test": 8}.items():
        yield f"mrpc/msr_paraphrase_{split}.txt", paraphrases.mrpc_lines(rng, size)
    yield "trec/TREC_10.label", iter([questions.draw_question(rng) for _ in range(8)])
    for name, path, draw in sentences.CLASS_FILES:
        if name == "cr":
            yield path, sentences.class_lines(rng, 30, draw, has_empty=True)
    reviews = list(profiles.yelp_lines(rng, 40))
    yield "yelp/train.csv", iter(reviews)
    yield "yelp_json/review.json", map(as_json, reviews)
    yield "pan16/truth.txt", profiles.truth_lines(10)
    for author, age in profiles.authors(10):
        yield f"pan16/{author}.xml", profiles.author_lines(rng, age, 4)
    verdicts = ("bad", "good")
    yield "own_csv/train.csv", iter(["verdict,text", *(f'{verdicts[n % 2]},"The soup, ""{n}"" ."' for n in range(30))])
    folded = (f'{verdicts[n % 2]},"The soup, ""{n}"" .",{n % 3}' for n in range(30))
    yield "own_folds/all.csv", iter(["verdict,text,fold", *folded])
    for number in range(12):
        yield f"own_folders/train/{verdicts[number % 2]}/{number}.txt", iter([f"The soup {number} .", "We waited ."])
    yield "glove/glove.mini.24d.txt", glove_lines()
    yield sentences.VECTORS, vector_lines(sentences.vector_groups(), without=())


def as_word2vec(folder: Path) -> None:
    """The vectors of all words of the other sets once more, in text and in binary."""
    rows = [line.split(" ") for line in (folder / sentences.VECTORS).read_text().splitlines()]
    head = f"{len(rows)} {len(rows[0]) - 1}\n"
    for kind in ("text", "binary"):
        (folder / f"word2vec_{kind}").mkdir()
    (folder / "word2vec_text/a.txt").write_text(head + "".join(" ".join(row) + "\n" for row in rows))
    vectors = {word: list(map(float, numbers)) for word, *numbers in rows}
    (folder / "word2vec_binary/a.bin").write_bytes(word2vec_binary(vectors))


def placed(whole: Path, folder: Path, name: str) -> Path:
    """A copy of the data folder in which the file `name` is what will be read."""
    shutil.copytree(whole, folder)
    path = folder / name
    if path.suffix == ".xz":
        loose = path.with_suffix("")
        path.write_bytes(lzma.compress(loose.read_bytes()))
        loose.unlink()
    if path.suffix == ".zip":
        loose = sorted((folder / "snli").glob("*.jsonl"))
        path.write_bytes(zipped((f"snli_1.0/{file.name}", file.read_bytes()) for file in loose))
        for file in loose:
            file.unlink()
    return path


def reported(corpus: Corpus, *, checksums: bool) -> dict:
    """What a record says of the data, with checksums or without."""
    facts = json.loads(json.dumps(corpus.facts))
    if checksums:
        return facts
    facts.pop("fingerprint")
    for part in (*facts["splits"].values(), facts["vectors"]):
        part.pop("sha256")
    return facts


def same_content(one: Corpus, other: Corpus) -> bool:
    def arrays(corpus: Corpus) -> Iterator[bytes]:
        yield corpus.vectors.tobytes()
        for split in corpus.splits.values():
            yield from (array.tobytes() for array in (split.labels, split.rows))
            yield from (ragged.tokens.tobytes() for ragged in split.sentences)

    return list(arrays(one)) == list(arrays(other)) and one.words == other.words


@pytest.mark.parametrize("name", FILES)
def test_damages_of_every_kind_are_noticed(name, whole, tmp_path):
    settings = compose([f"paths.data={tmp_path / 'data'}", *SETS.get(name.split("/")[0], [])])
    path = placed(whole, tmp_path / "data", name)
    sound = path.read_bytes()
    text = lzma.decompress(sound) if path.suffix == ".xz" else sound
    original = prepare(settings)
    outcomes = {"refused": 0, "reported": 0, "without effect": 0}
    damages = FILES[name] * DRAWS
    for number, damage in enumerate(damages):
        rng = random.Random(f"{name} {number}")
        path.write_bytes(damage(rng, text))
        try:
            corpus = prepare(settings)
        except AttestError as error:
            said = str(error)
            assert path.name in said, damage.__name__
            assert said.isprintable(), damage.__name__
            # Damage to the archive as a whole has no line.
            placed_at = re.search(r":\d+: |: byte [\d,]+: ", said)
            assert placed_at or damage in FILES["snli/snli_1.0.zip"] or "holds no" in said, said
            outcomes["refused"] += 1
            continue
        if reported(corpus, checksums=name in PLAIN) != reported(original, checksums=name in PLAIN):
            outcomes["reported"] += 1
        else:
            assert same_content(corpus, original), f"{damage.__name__} ({number}) went unnoticed"
            outcomes["without effect"] += damage not in HARMLESS
        assert not list(tmp_path.rglob("evil*"))
    assert outcomes["refused"] > len(damages) / (5 if name in PLAIN else 2), outcomes
    assert outcomes["without effect"] < len(damages) / 5, outcomes


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("snli/snli_1.0_train.jsonl", wrong_type),
        ("snli/snli_1.0_dev.jsonl.xz", xz_cut),
        ("snli/snli_1.0.zip", member_outside),
        ("glove/glove.mini.24d.txt", broken_number),
    ],
)
def test_on_the_command_line_a_damage_is_one_sentence_and_a_code(name, damage, whole, tmp_path, home, cli):
    path = placed(whole, tmp_path / "data", name)
    text = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
    path.write_bytes(damage(random.Random(0), text))
    words = (f"paths.data={tmp_path / 'data'}", "vectors.archive=null", "scale=mini", "logger=none")
    assert cli.error("train", *words, code=1).startswith(f"attest: {path}")
    assert not list((home / "results").rglob("*.json"))
