"""Damaged reviews, tweets and word vectors beside another reading of them: either both read the same and nothing is
lost, or ours says where the damage is."""

import csv
import json
import math
import random
import re
import struct
from xml.etree import ElementTree

import numpy as np
import pytest

from attest.data.readers import COMPANIONS, find_source
from attest.data.readers.pan import read_pan
from attest.data.readers.yelp import read_yelp
from attest.data.text.vectors import read_vectors
from attest.errors import DataError

STARS = ("1", "2", "3", "4", "5")
ROUNDS = 1500
TEXTS = ["Good soup.\n\nWarm, too.", 'A "fine" café', "back\\slash / tab\t", "", "\U0001f600 {1}", "ends in \\", "a, b"]


def changed(rng, text, alphabet):
    """One letter lost, added, replaced, doubled or moved; sometimes two."""
    for _ in range(rng.choice([1, 1, 2])):
        place, letter = rng.randrange(len(text) + 1), alphabet[rng.randrange(len(alphabet))]
        before, after = text[:place], text[place:]
        text = rng.choice(
            [before + after[1:], before + letter + after, before + letter + after[1:], before + after[:1] + after,
             after + before]
        )  # fmt: skip
    return text


def outcome(read):
    """What was read, or what was said instead."""
    try:
        return read(), ""
    except DataError as error:
        return None, str(error)


def unescaped(text):
    """JSON's escapes undone letter by letter; None where one is none."""
    found, rest = "", text
    while rest:
        if rest[0] != "\\":
            found, rest = found + rest[0], rest[1:]
        elif match := re.match(r"\\u([0-9a-fA-F]{4})", rest):
            found, rest = found + chr(int(match[1], 16)), rest[6:]
        elif rest[1:2] and rest[1] in '"\\/bfnrt':
            found, rest = found + dict(zip('"\\/bfnrt', '"\\/\b\f\n\r\t', strict=True))[rest[1]], rest[2:]
        else:
            return None
    return joined(found)


def joined(text):
    """Pairs of surrogates as the letters that they are; None where half of one is missing."""
    try:
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        return None


def by_csv(line):
    """(stars, text) as Python's own reader of csv has them; None where it has none, or no field stands in quotes."""
    try:
        (fields,) = csv.reader([line], strict=True)
    except (csv.Error, ValueError):
        return None
    quoted = re.fullmatch(r'"\d+",".*"', line, re.DOTALL)
    if len(fields) != 2 or not quoted or fields[0] not in STARS or (text := unescaped(fields[1])) is None:
        return None
    return fields[0], text


def by_json(line):
    def pairs(found):
        return dict(found) if len(dict(found)) == len(found) else None

    try:
        row = json.loads(line, object_pairs_hook=pairs)
        right = row["stars"] in (1, 2, 3, 4, 5) and isinstance(row["text"], str) and row["stars"] is not True
        return (f"{row['stars']:.0f}", row["text"]) if right and joined(row["text"]) == row["text"] else None
    except (ValueError, KeyError, TypeError):
        return None


@pytest.mark.parametrize(("kind", "other"), [("csv", by_csv), ("json", by_json)])
def test_reviews(kind, other, tmp_path):
    if kind == "csv":
        written = [json.dumps(text)[1:-1].replace('"', '""') for text in TEXTS]
        lines = [f'"{1 + i % 5}","{text}"' for i, text in enumerate(written)]
    else:
        lines = [json.dumps({"stars": float(1 + i % 5), "text": text}) for i, text in enumerate(TEXTS)]
    outcomes = {"read": 0, "refused": 0}
    for number in range(ROUNDS):
        rng, damaged = random.Random(number), list(lines)
        which = rng.randrange(len(lines))
        damaged[which] = changed(rng, lines[which], '"\\,16{}[]:ux \u00e9.eN-')
        (tmp_path / "a").write_text("".join(line + "\n" for line in damaged), encoding="utf-8")
        expected = [other(line) for line in damaged]
        found, said = outcome(lambda: [(e.label, e.sentences[0]) for e in read_yelp(find_source(tmp_path, "a"), STARS)])
        if said:
            assert f"a:{which + 1}: " in said
            assert expected[which] is None, (damaged[which], said)
        else:
            assert found == expected, damaged[which]
        outcomes["refused" if said else "read"] += 1
    assert min(outcomes.values()) > ROUNDS / 10, outcomes


AUTHOR = """<?xml version="1.0" encoding="UTF-8"?>
<author lang="en" type="twitter">
\t<documents count="4">
\t\t<document id="1"><![CDATA[soup & bread <3]]></document>
\t\t<document id="2">one &amp; two &#233;</document>
\t\t<document id="3"><!-- none -->a<![CDATA[b]]>c</document>
\t\t<document/>
\t</documents>
</author>
"""


def by_elementtree(text):
    """The documents, where the file is as it should be and has no text anywhere else."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError:
        return None
    documents = [document for documents in root for document in documents]
    shape = [root.tag, *(child.tag for child in root), *(document.tag for document in documents)]
    right = shape == ["author", *["documents"] * len(root), *["document"] * len(documents)]
    inner = "".join("".join(document.itertext()) for document in documents)
    if not right or any(len(document) for document in documents) or "<!DOCTYPE" in text:
        return None
    around = "".join("".join((*root.itertext(),)).split())
    return ["".join(d.itertext()) for d in documents] if around == "".join(inner.split()) else None


def test_tweets(tmp_path):
    (tmp_path / "truth.txt").write_text("a:::MALE:::18-24\nb:::FEMALE:::25-34\n")
    (tmp_path / "a.xml").write_text(AUTHOR, encoding="utf-8")
    outcomes = {"read": 0, "refused": 0}
    for number in range(ROUNDS):
        damaged = changed(random.Random(number), AUTHOR, "<>&;/![]\"' ad\n")
        (tmp_path / "b.xml").write_text(damaged, encoding="utf-8")
        expected = by_elementtree(damaged)
        source = find_source(tmp_path, "truth.txt", companions=COMPANIONS["pan"])
        found, said = outcome(lambda source=source: [e.sentences[0] for e in read_pan(source, ("18-24", "25-34"))])
        if said:
            assert re.search(r"b\.xml:\d+: ", said)
            assert expected is None, (damaged, said)
        else:
            assert expected is not None, damaged
            assert found == [*by_elementtree(AUTHOR), *expected]
        outcomes["refused" if said else "read"] += 1
    assert min(outcomes.values()) > ROUNDS / 10, outcomes


VECTORS = {"soup": [1.0, -2.5, 0.125], "Café": [0.25, 4.0, 0.0], "the": [0.0, 1.0, -1.0], "</s>": [3.0, 2.0, 1.0]}


def by_struct(content):
    """Word -> numbers, of all rows that the first line tells; None where they are not all there, or there is more."""
    head, _, body = content.partition(b"\n")
    if not re.fullmatch(rb"\d+ 3\s*", head) or len(head) > 20:
        return None
    found = []
    for _ in range(int(head.split()[0])):
        word, space, body = body.partition(b" ")
        if not space or len(body) < 12:
            return None
        try:
            found.append((word.lstrip(b"\n").decode(), struct.unpack("<3f", body[:12])))
        except UnicodeDecodeError:
            return None
        body = body[12:]
    return found if found and not body.strip(b"\n") else None


def by_float(content):
    """The same of text. A file whose first line tells nothing is one of GloVe's, which begin with a word."""
    try:
        lines = content.decode().split("\n")
    except UnicodeDecodeError:
        return None
    lines = lines if lines[-1] else lines[:-1]
    if head := re.fullmatch(r"(\d+) (\d+)\s*", lines[0]):
        lines = lines[1:]
    if b"\0" in content or (head and (int(head[1]), int(head[2])) != (len(lines), 3)):
        return None
    rows = [line.rstrip("\r").rstrip(" ").split(" ") for line in lines]
    if any(
        len(row) < 4 or (len(row) > 4 and number(row[-4]) is not None) for row in rows
    ):  # GloVe has words with spaces
        return None
    found = [(" ".join(row[:-3]), tuple(map(number, row[-3:]))) for row in rows]
    return None if any(None in row for _, row in found) else found


def number(text):
    """None for what has not the shape of one; NaN for what has that alone: enough where nobody wants the word."""
    try:
        return float(text) if "_" not in text else None
    except ValueError:
        return math.nan if re.fullmatch(r"[-.0-9]*", text) else None


BINARY = b"4 3\n" + b"".join(w.encode() + b" " + np.array(v, "<f4").tobytes() + b"\n" for w, v in VECTORS.items())
TEXT = "4 3\n" + "".join(f"{word} {' '.join(map(str, row))}\n" for word, row in VECTORS.items())


@pytest.mark.parametrize(("name", "other"), [("a.bin", by_struct), ("a.txt", by_float)])
def test_vectors(name, other, tmp_path):
    content, words = BINARY if other is by_struct else TEXT.encode(), ["soup", "café", "the", "</s>"]
    outcomes = {"read": 0, "refused": 0}
    for number in range(ROUNDS):
        damaged = changed(random.Random(number), content, [b"\n", b" ", b"\xff", b"\x00", b"4", b".", b"x", b"-", b"1"])
        (tmp_path / name).write_bytes(damaged)
        expected = other(damaged)
        found, said = outcome(lambda: read_vectors(find_source(tmp_path, name), words, 3))
        if found is None:
            assert re.search(r"a\.bin: byte [\d,]+: |a\.txt:\d+: ", said), said
            assert expected is None or not np.isfinite([row for _, row in expected]).all(), (damaged, said)
        else:
            assert expected is not None, damaged
            assert found.rows == len(expected)
            first: dict[str, tuple[float, ...]] = {}
            for word, row in [*((w, r) for w, r in expected if w in words), *expected]:
                first.setdefault(word if word in words else word.lower(), row)
            assert {word: row.tolist() for word, row in found.vectors.items()} == {
                word: np.float32(first[word]).tolist() for word in words if word in first
            }, damaged
        outcomes["refused" if found is None else "read"] += 1
    assert min(outcomes.values()) > ROUNDS / 20, outcomes
