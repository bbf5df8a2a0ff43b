"""Readers that are right: plain and independent of those of the package, for formats with a row on each line.

Each takes the whole content of a file and returns rows as plain tuples, or raises Malformed.
"""

import json
from collections.abc import Iterator, Sequence

from fuzz.right_trees import binary_brackets, parse_tree, parse_unlabelled, phrases_of

MARK = b"\xef\xbb\xbf"
Row = tuple[object, ...]


class Malformed(Exception):
    """The right reader's refusal, with the line and the name of the file, if it knows them."""

    def __init__(self, line: int | None = None, file: str = "") -> None:
        super().__init__(line, file)
        self.line, self.file = line, file


def make_row(
    row, label, sentences, parses=None, labelled=(), genre=None, name=None, score=None, split=None, phrases=()
):
    """Return all that a reader can say of a row."""
    return (row, label, sentences, parses or (None,) * len(sentences), labelled, genre, name, score, split, phrases)


def text_lines(content: bytes, encoding: str = "utf-8") -> Iterator[tuple[int, str]]:
    """Yield the numbered lines of a file."""
    if content.startswith(MARK):
        if encoding != "utf-8":
            raise Malformed(1)
        content = content[len(MARK) :]
    lines = content.split(b"\n")
    if not lines[-1]:
        lines.pop()
    for number, line in enumerate(lines, 1):
        try:
            text = line.removesuffix(b"\r").decode(encoding)
        except UnicodeDecodeError:
            raise Malformed(number) from None
        if "\0" in text:
            raise Malformed(number)
        yield number, text


def columns_of(number: int, line: str, *counts: int) -> list[str]:
    """Return the columns of a line, which must be as many as one of the counts."""
    columns = line.split("\t")
    if len(columns) not in counts:
        raise Malformed(number)
    return columns


def score_of(number: int, text: str, lowest: float, highest: float) -> float:
    """Return a score, which is written with digits from 0 to 9 and at most one point between them."""
    whole, point, rest = text.partition(".")
    digits = [whole, rest] if point else [whole]
    zeros = whole.startswith("0") and whole != "0"
    if (
        zeros
        or not all(part and set(part) <= set("0123456789") for part in digits)
        or not lowest <= float(text) <= highest
    ):
        raise Malformed(number)
    return float(text)


def one_of(number: int, value: str, choices: Sequence[str]) -> str:
    """Return the value, which must be one of the choices."""
    if value not in choices:
        raise Malformed(number)
    return value


def right_sick(content: bytes, labels: Sequence[str]) -> list[Row]:
    semeval = ["pair_ID", "sentence_A", "sentence_B", "relatedness_score", "entailment_judgment"]
    whole = [*semeval[:3], "entailment_label", "relatedness_score", "entailment_AB", "entailment_BA"]
    whole += [f"sentence_{side}_{kind}" for kind in ("original", "dataset") for side in "AB"] + ["SemEval_set"]
    rows, names = [], []
    for number, line in text_lines(content):
        if number == 1:
            names = line.split("\t")
            if names not in (semeval, whole):
                raise Malformed(1)
            continue
        cells = columns_of(number, line, len(names))
        score, label = (cells[4], cells[3]) if names == whole else (cells[3], cells[4])
        split = None
        if names == whole:
            split = {"TRAIN": "train", "TRIAL": "dev", "TEST": "test"}[
                one_of(number, cells[11], ("TRAIN", "TRIAL", "TEST"))
            ]
        label, score = one_of(number, label, labels), score_of(number, score, 1, 5)
        rows.append(make_row(number - 2, label, (cells[1], cells[2]), score=score, split=split))
    return rows


def right_trec(content: bytes, labels: Sequence[str]) -> list[Row]:
    rows = []
    for number, line in text_lines(content, "latin-1"):
        head, _, question = line.partition(" ")
        kinds = head.split(":")
        if len(kinds) != 2 or not all(kinds) or any(letter.isspace() for letter in head) or not question.strip():
            raise Malformed(number)
        rows.append(make_row(number - 1, one_of(number, kinds[0], labels), (question,)))
    return rows


def right_class_lines(content: bytes, labels: Sequence[str]) -> list[Row]:
    return [make_row(number - 1, labels[0], (line,)) for number, line in text_lines(content, "latin-1")]


def right_tabbed(content: bytes, labels: Sequence[str]) -> list[Row]:
    rows = []
    for number, line in text_lines(content):
        text, digit = columns_of(number, line, 2)
        rows.append(make_row(number - 1, labels[int(one_of(number, digit, ("0", "1")))], (text,)))
    return rows


def right_mrpc(content: bytes, labels: Sequence[str]) -> list[Row]:
    rows = []
    for number, line in text_lines(content):
        if number == 1:
            one_of(1, line, ["Quality\t#1 ID\t#2 ID\t#1 String\t#2 String"])
            continue
        quality, _, _, first, second = columns_of(number, line, 5)
        rows.append(make_row(number - 2, labels[int(one_of(number, quality, ("0", "1")))], (first, second)))
    return rows


def right_stsb(content: bytes, labels: Sequence[str]) -> list[Row]:
    rows = []
    for number, line in text_lines(content):
        cells = columns_of(number, line, 7, 9)
        score = score_of(number, cells[4], 0, 5)
        label = labels[int(score + 0.5)]
        rows.append(make_row(number - 1, label, (cells[5], cells[6]), genre=cells[1], score=score))
    return rows


def right_sts(pairs: bytes, scores: bytes) -> list[Row]:
    """Return the rows of two files; a refusal names the file with the first wrong line, pairs before scores."""
    rows, left, right = [], text_lines(pairs), text_lines(scores)
    while True:
        try:
            pair = next(left, None)
        except Malformed as error:
            raise Malformed(error.line, "pairs") from None
        try:
            score = next(right, None)
        except Malformed as error:
            raise Malformed(error.line, "scores") from None
        if pair is None and score is None:
            return rows
        if pair is None or score is None:
            raise Malformed((pair or score or (0,))[0], "pairs" if score is None else "scores")
        (number, line), (_, text) = pair, score
        try:
            first, second = columns_of(number, line, 2)
        except Malformed:
            raise Malformed(number, "pairs") from None
        try:
            if text:
                rows.append(make_row(number - 1, None, (first, second), score=score_of(number, text, 0, 5)))
        except Malformed:
            raise Malformed(number, "scores") from None


def right_sst(content: bytes, labels: Sequence[str]) -> list[Row]:
    rows = []
    for number, line in text_lines(content):
        try:
            root = parse_tree(line)
            *parts, whole = phrases_of(root, labels)
        except ValueError:
            raise Malformed(number) from None
        words = tuple(root.words())
        rows.append(make_row(number - 1, whole[2], (" ".join(words),), (binary_brackets(root),), phrases=tuple(parts)))
    return rows


def right_parses(content: bytes, labels: Sequence[str] = ()) -> list[Row]:
    """Return the first tree of each sentence without its spaces."""
    trees: dict[str, str] = {}
    for number, line in text_lines(content):
        cells = line.split("\t")
        if line.startswith("%"):
            continue
        if len(cells) < 3:
            raise Malformed(number)
        for tree in cells[1:3]:
            try:
                trees.setdefault("".join(parse_unlabelled(tree)), tree)
            except ValueError:
                raise Malformed(number) from None
    return list(trees.items())


def right_nli(content: bytes, labels: Sequence[str]) -> list[Row]:
    rows = []
    for number, line in text_lines(content):
        try:
            row = json.loads(line, object_pairs_hook=distinct)
            if not isinstance(row, dict):
                raise ValueError
            first, second, label = (right_text(row[key]) for key in ("sentence1", "sentence2", "gold_label"))
            genre, name = (right_text(row[key]) if key in row else None for key in ("genre", "pairID"))
            trees = [right_trees_of(row, key) for key in ("sentence1", "sentence2")]
        except (ValueError, KeyError, RecursionError):
            raise Malformed(number) from None
        label = None if one_of(number, label, (*labels, "-")) == "-" else label
        parses, labelled = tuple(tree for tree, _ in trees), tuple(tree for _, tree in trees)
        rows.append(make_row(number - 1, label, (first, second), parses, labelled, genre, name))
    return rows


def right_trees_of(row: dict, key: str) -> tuple[str | None, str | None]:
    trees = (right_text(row[name]) if name in row else "" for name in (f"{key}_binary_parse", f"{key}_parse"))
    binary, labelled = (tree if tree.strip(" ") else None for tree in trees)
    if binary is None and labelled:
        binary = binary_brackets(parse_tree(labelled))
    return binary, labelled


def right_text(value: object) -> str:
    """Return text that can be written as UTF-8."""
    if not isinstance(value, str):
        raise ValueError
    value.encode()
    return value


def distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError
    return dict(pairs)
