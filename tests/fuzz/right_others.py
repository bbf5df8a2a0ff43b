"""Readers that are right, on the modules csv, json, minidom and struct: reviews, tweets and word vectors."""

import csv
import json
import re
import struct
from collections.abc import Mapping, Sequence
from xml.dom import expatbuilder, minidom
from xml.parsers import expat

from fuzz.right_lines import Malformed, Row, distinct, make_row, right_text, text_lines

ESCAPES = dict(zip('"\\/bfnrt', '"\\/\b\f\n\r\t', strict=True))


def right_yelp(content: bytes, labels: Sequence[str]) -> list[Row]:
    rows = []
    for number, line in text_lines(content):
        try:
            stars, text = by_json(line) if line.startswith("{") else by_csv(line)
        except (ValueError, KeyError, csv.Error, RecursionError):
            raise Malformed(number) from None
        if stars not in labels:
            raise Malformed(number)
        rows.append(make_row(number - 1, stars, (text,)))
    return rows


def by_json(line: str) -> tuple[str, str]:
    row = json.loads(line, object_pairs_hook=distinct)
    if isinstance(row["stars"], bool) or row["stars"] not in (1, 2, 3, 4, 5):
        raise ValueError
    return f"{row['stars']:.0f}", right_text(row["text"])


def by_csv(line: str) -> tuple[str, str]:
    (fields,) = csv.reader([line], strict=True)
    if len(fields) != 2 or not re.fullmatch(r'"[0-9]+",".*"', line, re.DOTALL):
        raise ValueError
    return fields[0], unescaped(fields[1])


def unescaped(text: str) -> str:
    """Return the text with JSON's escapes undone letter by letter."""
    letters, rest = "", text
    while rest:
        if rest[0] != "\\":
            letters, rest = letters + rest[0], rest[1:]
        elif match := re.match(r"\\u([0-9a-fA-F]{4})", rest):
            letters, rest = letters + chr(int(match[1], 16)), rest[6:]
        else:
            letters, rest = letters + ESCAPES[rest[1:2]], rest[2:]
    return letters.encode("utf-16", "surrogatepass").decode("utf-16")


def right_pan(files: Mapping[str, bytes], labels: Sequence[str]) -> list[Row]:
    """Return the rows of all authors; `files` holds truth.txt and the authors' files."""
    rows: list[Row] = []
    listed = set()
    number = 0
    try:
        for number, line in text_lines(files["truth.txt"]):
            fields = line.split(":::")
            if len(fields) != 3 or fields[2] not in labels or not re.fullmatch("[A-Za-z0-9_-]{1,100}", fields[0]):
                raise Malformed(number)
            if fields[0] in listed or f"{fields[0]}.xml" not in files:
                raise Malformed(number)
            listed.add(fields[0])
            for text in by_dom(files[f"{fields[0]}.xml"], f"{fields[0]}.xml"):
                rows.append(make_row(len(rows), fields[2], (text,)))
    except Malformed as error:
        raise Malformed(error.line, error.file or "truth.txt") from None
    if len(files) - 1 > len(listed):
        raise Malformed(number + 1, "truth.txt")
    return rows


def by_dom(content: bytes, file: str) -> list[str]:
    """Return the documents of a file that has elements and text nowhere else."""
    try:
        text = "".join(line + "\n" for _, line in text_lines(content))
    except Malformed as error:
        raise Malformed(None, file) from error
    try:
        document = expatbuilder.parseString(text, namespaces=False)
    except (expat.ExpatError, ValueError):
        raise Malformed(None, file) from None
    texts = [""]
    if document.doctype or not has_elements(document, ["author", "documents", "document"], texts):
        raise Malformed(None, file)
    return texts[1:]


def has_elements(parent: minidom.Node, names: list[str], texts: list[str]) -> bool:
    """Return whether elements have the name of their depth, and text is in the last alone; add that text to `texts`."""
    for child in parent.childNodes:
        if child.nodeType == child.ELEMENT_NODE:
            if child.tagName not in names[:1]:
                return False
            texts += [""] if len(names) == 1 else []
            if not has_elements(child, names[1:], texts):
                return False
        elif child.nodeType in (child.TEXT_NODE, child.CDATA_SECTION_NODE):
            if names and child.data.strip():
                return False
            texts[-1] += "" if names else child.data
    return True


def right_text_vectors(content: bytes, wanted: Sequence[str], size: int = 3) -> list[Row]:
    """Return the vectors of the wanted words, and the number of rows."""
    rows, announced, number = [], None, 0
    for number, line in text_lines(content):
        head = re.fullmatch("([1-9][0-9]{0,17}|0) ([1-9][0-9]{0,17}|0) *", line) if number == 1 else None
        if head:
            announced = int(head[1])
            if int(head[2]) != size:
                raise Malformed(1)
            continue
        row = line.rstrip(" ").split(" ")
        word, numbers = " ".join(row[:-size]), row[-size:]
        if len(row) <= size or (len(row) > size + 1 and (not row[-size - 1] or is_number(row[-size - 1]))):
            raise Malformed(number)
        # The numbers of a word that nobody wants are not read, if all their letters can be in numbers.
        unread = word not in wanted and word.lower() not in wanted and line.count(" ") == size
        unread = unread and re.fullmatch("[-.0-9]* [-.0-9 ]*[-.0-9]", line[len(word) :]) is not None
        if not unread and not all(is_number(text) and is_finite(text) for text in numbers):
            raise Malformed(number)
        rows.append((word, numbers))
    if announced not in (None, len(rows)):
        raise Malformed(number)
    if not rows:
        raise Malformed(1)
    return looked_up(
        [(word, lambda numbers=numbers: [float(text) for text in numbers]) for word, numbers in rows], wanted
    )


def is_number(text: str) -> bool:
    """Return whether a text is a number as vector files write it, with 0 to 9, a minus, a point and an exponent."""
    if text.lower().removeprefix("-") in ("nan", "inf"):
        return text.removeprefix("-") in ("nan", "inf")
    try:
        return float(text) is not None and set(text) <= set("0123456789.-+eE") and not text.startswith("+")
    except ValueError:
        return False


def is_finite(text: str) -> bool:
    """Return whether a number fits into 32 bits."""
    return abs(float(text)) < (2 - 2**-24) * 2.0**127


def right_binary_vectors(content: bytes, wanted: Sequence[str], size: int = 3) -> list[Row]:
    """Return the vectors of the wanted words, and the number of rows."""
    head, end, body = content.partition(b"\n")
    match = re.fullmatch(rb"([1-9][0-9]{0,17}|0) ([1-9][0-9]{0,17}|0) *", head)
    if not match or not end or int(match[2]) != size or not int(match[1]):
        raise Malformed
    rows = []
    for _ in range(int(match[1])):
        word, space, body = body.partition(b" ")
        if not space or len(body) < 4 * size:
            raise Malformed
        try:
            name = word.lstrip(b"\n").decode()
        except UnicodeDecodeError:
            raise Malformed from None
        numbers = struct.unpack(f"<{size}f", body[: 4 * size])
        if (name in wanted or name.lower() in wanted) and not all(abs(number) < float("inf") for number in numbers):
            raise Malformed
        rows.append((name, lambda numbers=numbers: list(numbers)))
        body = body[4 * size :]
    if body.strip(b"\n"):
        raise Malformed
    return looked_up(rows, wanted)


def looked_up(rows: list, wanted: Sequence[str]) -> list[Row]:
    """Return the vector of each wanted word, of its first row or else of the first that equals it in lower case."""
    found: dict[str, list[float]] = {}
    for same in (lambda word: word, str.lower):
        for word, numbers in rows:
            if same(word) in wanted and same(word) not in found:
                found[same(word)] = [struct.unpack("<f", struct.pack("<f", number))[0] for number in numbers()]
    return [len(rows), *sorted(found.items())]
