"""Damages to the rows of one format: JSON lines, columns, trees, questions, reviews, tweets, word vectors."""

import json
import random
from collections.abc import Callable

from fuzz.damages import Damage, cut_off, emptied, on_a_line

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


@on_a_row
def labelled_tree_alone(rng: random.Random, row: dict) -> object:
    """Lose the binary tree, which is then made from the tree with labels, and change that tree."""
    key = rng.choice(("sentence1", "sentence2"))
    del row[f"{key}_binary_parse"]
    tree = row[f"{key}_parse"]
    place = rng.randrange(len(tree))
    change = rng.choice(["", "(", ")", " ", "(NN a)", "(-NONE- *)", "(NP (-NONE- *))", "x", "(", "()"])
    return {**row, f"{key}_parse": rng.choice([tree, tree[:place] + change + tree[place + rng.randrange(2) :], ""])}


@on_a_row
def empty_tree(rng: random.Random, row: dict) -> object:
    sentence, tree = rng.choice(("sentence1", "sentence2")), rng.choice(("binary_parse", "parse"))
    return {**row, f"{sentence}_{tree}": rng.choice(["", " "])}


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
COLUMNS = [on_columns(b"\t", change) for change in (column_lost, column_more)]
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
    head, _, body = content.partition(b"\n")
    size = head.split(b" ")[1]
    other = [
        b"1 " + size, b"999 " + size, b"30 23", b"x " + size, b"30", b"-3 " + size, b"9" * 5000 + b" " + size,
        b"0" + head, b"+" + head, head.replace(b" ", b"_0 "), "\uff14 ".encode() + size, b"0 " + size,
    ]  # fmt: skip
    return rng.choice(other) + b"\n" + body


def not_finite(rng: random.Random, content: bytes) -> bytes:
    """In the numbers of a row in the middle."""
    start = content.index(b" ", len(content) // 2) + 1
    return content[:start] + b"\xff" * 96 + content[start + 96 :]


REVIEWS = [unknown_stars, bad_escape, quote_more]
REVIEW_ROWS = [bad_escape, wrong_stars, no_text, no_object]
BINARY = [cut_off, emptied, byte_lost, byte_more, header_wrong, not_finite]
