"""Every official file that is read, damaged in 200 ways: one clear sentence, or a change that the facts report.

A new reader joins with one line in FILES, and its data set with one in SETS.
"""

import io
import json
import lzma
import random
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from attest.cli import main
from attest.config.compose import compose
from attest.data.corpus import Corpus
from attest.data.mini import paraphrases, profiles, questions, relatedness, sentences
from attest.data.mini.vectors import vector_lines
from attest.data.mini.write import glove_lines, snli_lines, write_lines
from attest.data.prepare import prepare
from attest.errors import AttestError

DAMAGES = 200
Damage = Callable[[random.Random, bytes], bytes]

# ------------------------------------------------------------------------------------- damage to any text


def cut_off(rng: random.Random, content: bytes) -> bytes:
    return content[: rng.randrange(len(content))]


def emptied(rng: random.Random, content: bytes) -> bytes:
    return b""


def bad_utf8(rng: random.Random, content: bytes) -> bytes:
    place = rng.randrange(len(content))
    return content[:place] + rng.choice([b"\xff", b"\xc3", b"\xed\xa0\x80"]) + b"\n" + content[place:]


def zeros(rng: random.Random, content: bytes) -> bytes:
    place = rng.randrange(len(content))
    return content[:place] + b"\0" * 40 + content[place + 40 :]


def on_a_line(change: Callable[[random.Random, bytes], bytes]) -> Damage:
    """The change on one line of the file."""

    def damage(rng: random.Random, content: bytes) -> bytes:
        lines = content.splitlines()
        chosen = rng.randrange(len(lines))
        lines[chosen] = change(rng, lines[chosen])
        return b"\n".join(lines) + b"\n"

    damage.__name__ = change.__name__
    return damage


@on_a_line
def line_twice(rng: random.Random, line: bytes) -> bytes:
    return line + b"\n" + line


@on_a_line
def line_blank(rng: random.Random, line: bytes) -> bytes:
    return b""


@on_a_line
def line_half(rng: random.Random, line: bytes) -> bytes:
    return line[: rng.randrange(1, len(line))]


@on_a_line
def line_of_rubbish(rng: random.Random, line: bytes) -> bytes:
    return bytes(rng.randrange(256) for _ in range(50)).replace(b"\n", b" ")


ANY_TEXT = [cut_off, emptied, bad_utf8, zeros, line_twice, line_blank, line_half, line_of_rubbish]

# ----------------------------------------------------------------------------------------- SNLI's JSON lines


def on_a_row(change: Callable[[random.Random, dict], object]) -> Damage:
    @on_a_line
    def damage(rng: random.Random, line: bytes) -> bytes:
        return json.dumps(change(rng, json.loads(line))).encode()

    damage.__name__ = change.__name__
    return damage


FIELDS = ("gold_label", "sentence1", "sentence2", "sentence1_binary_parse", "sentence2_binary_parse")


@on_a_row
def wrong_type(rng: random.Random, row: dict) -> object:
    return {**row, rng.choice(FIELDS): rng.choice([None, 3, 0.5, True, [], {}, ["a"]])}


@on_a_row
def missing_field(rng: random.Random, row: dict) -> object:
    del row[rng.choice(FIELDS)]
    return row


@on_a_row
def unknown_label(rng: random.Random, row: dict) -> object:
    return {**row, "gold_label": rng.choice(["", "maybe", "ENTAILMENT", "0"])}


@on_a_row
def no_object(rng: random.Random, row: dict) -> object:
    return rng.choice([[row], "row", 3, None, list(row)])


JSON_ROWS = [wrong_type, missing_field, unknown_label, no_object]

# ---------------------------------------------------------------------------------- columns: GloVe's and SICK's


def on_columns(between: bytes, change: Callable[[random.Random, list[bytes]], list[bytes]]) -> Damage:
    @on_a_line
    def damage(rng: random.Random, line: bytes) -> bytes:
        return between.join(change(rng, line.split(between)))

    damage.__name__ = change.__name__
    return damage


def column_lost(rng: random.Random, columns: list[bytes]) -> list[bytes]:
    del columns[rng.randrange(len(columns))]
    return columns


def column_more(rng: random.Random, columns: list[bytes]) -> list[bytes]:
    return [*columns, b"0.5"]


def no_number(rng: random.Random, columns: list[bytes]) -> list[bytes]:
    columns[rng.randrange(1, len(columns))] = rng.choice([b"x", b"nan", b"inf", b"1e999", b"--1", b"0,5", b""])
    return columns


def no_score(rng: random.Random, columns: list[bytes]) -> list[bytes]:
    return [*columns[:3], rng.choice([b"x", b"nan", b"0", b"5.5", b""]), columns[4]]


def no_judgement(rng: random.Random, columns: list[bytes]) -> list[bytes]:
    return [*columns[:4], rng.choice([b"", b"maybe", b"neutral", columns[3]])]


def no_quality(rng: random.Random, columns: list[bytes]) -> list[bytes]:
    return [rng.choice([b"", b"2", b"yes", b"1.0"]), *columns[1:]]


def wrong_dimension(rng: random.Random, content: bytes) -> bytes:
    columns = rng.randrange(1, 24)
    return b"".join(b" ".join(line.split(b" ")[:columns]) + b"\n" for line in content.splitlines())


broken_number = on_columns(b" ", no_number)
VECTOR_ROWS = [on_columns(b" ", column_lost), on_columns(b" ", column_more), broken_number, wrong_dimension]
GRADED_ROWS = [on_columns(b"\t", change) for change in (column_lost, column_more, no_score, no_judgement)]
PAIR_ROWS = [on_columns(b"\t", change) for change in (column_lost, column_more, no_quality)]

# ------------------------------------------------------------------------------------------ trees and questions


@on_a_line
def bracket_lost(rng: random.Random, line: bytes) -> bytes:
    place = rng.choice([number for number, byte in enumerate(line) if byte in b"()"])
    return line[:place] + line[place + 1 :]


@on_a_line
def bracket_more(rng: random.Random, line: bytes) -> bytes:
    place = rng.randrange(len(line) + 1)
    return line[:place] + rng.choice([b"(", b")"]) + line[place:]


@on_a_line
def unknown_class(rng: random.Random, line: bytes) -> bytes:
    return rng.choice([b"(5 ", b"(x ", b"(-1 ", b"( ", b"(3.0 "]) + line[3:]


@on_a_line
def unknown_kind(rng: random.Random, line: bytes) -> bytes:
    return rng.choice([b"BIRD:ind ", b"num:count ", b"NUM ", b":", b""]) + line.split(b" ", 1)[1]


TREES = [bracket_lost, bracket_more, unknown_class]

# ------------------------------------------------------------------------- reviews, tweets and word2vec's binary


@on_a_line
def unknown_stars(rng: random.Random, line: bytes) -> bytes:
    return rng.choice([b'"0', b'"6', b'"', b'"4.5', b'"-1', b'"x', b"4"]) + line[2:]


@on_a_line
def bad_escape(rng: random.Random, line: bytes) -> bytes:
    place = line.index(b",") + 2 if line[:1] == b'"' else line.index(b'"text": "') + len(b'"text": "')
    return line[:place] + rng.choice([rb"\x", rb"\u12", rb"\ud83d ", b"\\q"]) + line[place:]


@on_a_line
def quote_more(rng: random.Random, line: bytes) -> bytes:
    place = rng.randrange(len(line))
    return line[:place] + b'"' + line[place:]


@on_a_row
def wrong_stars(rng: random.Random, row: dict) -> object:
    return {**row, "stars": rng.choice([0, 6, 4.5, "4", None, True, [4], 10**300, float("nan")])}


@on_a_row
def no_text(rng: random.Random, row: dict) -> object:
    return {"stars": row["stars"], **rng.choice([{}, {"text": None}, {"text": 3}, {"Text": row["text"]}])}


@on_a_line
def unknown_age(rng: random.Random, line: bytes) -> bytes:
    return line.rpartition(b":::")[0] + rng.choice([b"", b":::", b":::17", b":::18-24 ", b":::XX-XX"])


@on_a_line
def another_author(rng: random.Random, line: bytes) -> bytes:
    return rng.choice([b"nobody", b"../author000", b"", b"a" * 300, b"author 000"]) + line[line.index(b":::") :]


@on_a_line
def tag_changed(rng: random.Random, line: bytes) -> bytes:
    ends = [place for place, byte in enumerate(line) if byte in b"<>"]
    place = rng.choice(ends)
    return line[:place] + rng.choice([b"", b"<b>", b"&", b"</document>", b"<document>", b"x>"]) + line[place + 1 :]


def defined_entity(rng: random.Random, content: bytes) -> bytes:
    return b'<!DOCTYPE author [<!ENTITY a "b">]>\n' + content


def byte_lost(rng: random.Random, content: bytes) -> bytes:
    place = rng.randrange(len(content))
    return content[:place] + content[place + 1 :]


def byte_more(rng: random.Random, content: bytes) -> bytes:
    place = rng.randrange(len(content) + 1)
    return content[:place] + bytes([rng.randrange(256)]) + content[place:]


def header_wrong(rng: random.Random, content: bytes) -> bytes:
    body = content.split(b"\n", 1)[1]
    return rng.choice([b"1 24", b"999 24", b"30 23", b"x 24", b"30", b"-3 24", b"9" * 5000 + b" 24"]) + b"\n" + body


def not_finite(rng: random.Random, content: bytes) -> bytes:
    """In the numbers of a row in the middle."""
    start = content.index(b" ", len(content) // 2) + 1
    return content[:start] + b"\xff" * 96 + content[start + 96 :]


REVIEWS = [unknown_stars, bad_escape, quote_more]
REVIEW_ROWS = [bad_escape, wrong_stars, no_text, no_object]
BINARY = [cut_off, emptied, byte_lost, byte_more, header_wrong, not_finite]

# ------------------------------------------------------------------------------------------------ packed files


def xz_cut(rng: random.Random, content: bytes) -> bytes:
    return lzma.compress(content)[: rng.randrange(1, len(lzma.compress(content)) - 1)]


def xz_flipped(rng: random.Random, content: bytes) -> bytes:
    packed = bytearray(lzma.compress(content))
    packed[rng.randrange(len(packed))] ^= 1 << rng.randrange(8)
    return bytes(packed)


def xz_bomb(rng: random.Random, content: bytes) -> bytes:
    return lzma.compress(content + (b"0" * 999 + b"\n") * 3000)


def no_xz(rng: random.Random, content: bytes) -> bytes:
    return content


PACKED = [xz_cut, xz_flipped, xz_bomb, no_xz]


def zipped(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def members_of(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zip_cut(rng: random.Random, content: bytes) -> bytes:
    return content[: rng.randrange(len(content))]


def zip_flipped(rng: random.Random, content: bytes) -> bytes:
    damaged = bytearray(content)
    for _ in range(40):
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
    return bytes(damaged)


def member_missing(rng: random.Random, content: bytes) -> bytes:
    members = members_of(content)
    del members[rng.choice(sorted(members))]
    return zipped(members)


def member_outside(rng: random.Random, content: bytes) -> bytes:
    return zipped({**members_of(content), rng.choice(["../../evil", "/etc/evil", "a/../../b"]): b"x"})


def member_damaged(rng: random.Random, content: bytes) -> bytes:
    members = members_of(content)
    name = rng.choice(sorted(members))
    return zipped({**members, name: rng.choice([*ANY_TEXT, *JSON_ROWS])(rng, members[name])})


def zip_bomb(rng: random.Random, content: bytes) -> bytes:
    members = members_of(content)
    name = rng.choice(sorted(members))
    return zipped({**members, name: members[name] + (b"0" * 999 + b"\n") * 3000})


ZIPPED = [zip_cut, zip_flipped, member_missing, member_outside, member_damaged, zip_bomb]

# ---------------------------------------------------------------------------------------------------- the test

FILES: dict[str, list[Damage]] = {
    "snli/snli_1.0_train.jsonl": [*ANY_TEXT, *JSON_ROWS],
    "snli/snli_1.0_dev.jsonl.xz": PACKED,
    "snli/snli_1.0.zip": ZIPPED,
    "glove/glove.mini.24d.txt": [*ANY_TEXT, *VECTOR_ROWS],
    "sst/trees/train.txt": [*ANY_TEXT, *TREES],
    "sst/trees/test.txt.xz": PACKED,
    "sick/SICK_train.txt": [*ANY_TEXT, *GRADED_ROWS],
    "trec/train_5500.label": [*ANY_TEXT, unknown_kind],
    "mrpc/msr_paraphrase_train.txt": [*ANY_TEXT, *PAIR_ROWS],
    "cr/custrev.neg": ANY_TEXT,
    "yelp/train.csv": [*ANY_TEXT, *REVIEWS],
    "yelp_json/review.json": [*ANY_TEXT, *REVIEW_ROWS],
    "pan16/truth.txt": [*ANY_TEXT, unknown_age, another_author],
    "pan16/author000.xml": [*ANY_TEXT, tag_changed, defined_entity],
    "word2vec_text/a.txt": [*ANY_TEXT, *VECTOR_ROWS, header_wrong],
    "word2vec_binary/a.bin": BINARY,
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
}
"""Any text is right there, or any number. What is not refused shows in the checksum alone."""
YELP = ["dataset=yelp", "text=ssa", "vectors.file=word2vec_text/a.txt"]
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
        yield f"sick/{name}.txt", relatedness.split_lines(sentences.sick_pairs(rng, size))
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
    yield "glove/glove.mini.24d.txt", glove_lines()
    yield sentences.VECTORS, vector_lines(sentences.vector_groups(), without=())


def as_json(row: str) -> str:
    """A row of the csv file as Yelp gives it out."""
    stars, text = row[1:-1].split('","')
    text = json.loads('"' + text.replace('""', '"') + '"')
    return json.dumps({"review_id": "r", "stars": float(stars), "text": text})


def as_word2vec(folder: Path) -> None:
    """The vectors of all words of the other sets once more, in text and in binary."""
    rows = [line.split(" ") for line in (folder / sentences.VECTORS).read_text().splitlines()]
    head = f"{len(rows)} {len(rows[0]) - 1}\n"
    for kind in ("text", "binary"):
        (folder / f"word2vec_{kind}").mkdir()
    (folder / "word2vec_text/a.txt").write_text(head + "".join(" ".join(row) + "\n" for row in rows))
    body = (row[0].encode() + b" " + np.array(row[1:], "<f4").tobytes() + b"\n" for row in rows)
    (folder / "word2vec_binary/a.bin").write_bytes(head.encode() + b"".join(body))


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
        path.write_bytes(zipped({f"snli_1.0/{file.name}": file.read_bytes() for file in loose}))
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
def test_200_damages_are_all_noticed(name, whole, tmp_path):
    settings = compose([f"paths.data={tmp_path / 'data'}", *SETS.get(name.split("/")[0], [])])
    path = placed(whole, tmp_path / "data", name)
    sound = path.read_bytes()
    text = lzma.decompress(sound) if path.suffix == ".xz" else sound
    original = prepare(settings)
    outcomes = {"refused": 0, "reported": 0, "without effect": 0}
    for number in range(DAMAGES):
        rng = random.Random(f"{name} {number}")
        damage = FILES[name][number % len(FILES[name])]
        path.write_bytes(damage(rng, text))
        try:
            corpus = prepare(settings)
        except AttestError as error:
            said = str(error)
            assert path.name in said, damage.__name__
            assert "\n" not in said, damage.__name__
            # Damage to the archive as a whole has no line.
            placed_at = re.search(r":\d+: |: byte [\d,]+: ", said)
            assert placed_at or damage in ZIPPED or "holds no labelled" in said, said
            outcomes["refused"] += 1
            continue
        if reported(corpus, checksums=name in PLAIN) != reported(original, checksums=name in PLAIN):
            outcomes["reported"] += 1
        else:
            assert same_content(corpus, original), f"{damage.__name__} ({number}) went unnoticed"
            outcomes["without effect"] += 1
        assert not list(tmp_path.rglob("evil*"))
    assert outcomes["refused"] > DAMAGES / (5 if name in PLAIN else 2), outcomes
    assert outcomes["without effect"] < DAMAGES / 5, outcomes


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("snli/snli_1.0_train.jsonl", wrong_type),
        ("snli/snli_1.0_dev.jsonl.xz", xz_cut),
        ("snli/snli_1.0.zip", member_outside),
        ("glove/glove.mini.24d.txt", broken_number),
    ],
)
def test_on_the_command_line_a_damage_is_one_sentence_and_a_code(name, damage, whole, tmp_path, home, capsys):
    path = placed(whole, tmp_path / "data", name)
    text = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
    path.write_bytes(damage(random.Random(0), text))
    code = main(["train", f"paths.data={tmp_path / 'data'}", "vectors.archive=null", "scale=mini", "logger=none"])
    said = capsys.readouterr().err
    assert code == 1
    assert said.splitlines()[-1].startswith(f"attest: {path}")
    assert "Traceback" not in said
    assert not list((home / "results").rglob("*.json"))
