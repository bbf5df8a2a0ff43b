"""Tweets and the age of who wrote them: author profiling at PAN 2016, English.

A list of authors, truth.txt, says `author:::gender:::age` in each line; beside it lies AUTHOR.xml with the tweets of
each, <author><documents><document>...</document></documents></author>, and no text besides.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any
from xml.parsers import expat

from attest.data.files import Source, find_source
from attest.data.readers.example import Example
from attest.errors import DataError

SEPARATOR = ":::"
AUTHOR = re.compile(r"[\w-]{1,100}")
"""The name of a file without its suffix, and nothing that leads elsewhere."""
ELEMENTS = ("author", "documents", "document")
"""Each inside the one before."""


def read_pan(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Every tweet of every author of the list, numbered on, with the age of its author. `source` is the list."""
    row, listed = 0, set[str]()
    for number, line in source.lines():
        fields = line.split(SEPARATOR)
        if len(fields) != 3 or not AUTHOR.fullmatch(fields[0]):
            raise source.error(number, f"expected 'author{SEPARATOR}gender{SEPARATOR}age', got {line[:40]!r}")
        author, _, age = fields
        if age not in labels:
            raise source.error(number, f"age {age[:40]!r} is none of {', '.join(labels)}")
        if author in listed:
            raise source.error(number, f"author {author} has come before")
        listed.add(author)
        try:
            texts = find_source(source.path.parent, f"{author}.xml")
        except DataError as error:
            raise source.error(number, f"author {author} has no texts: {error}") from error
        for text in author_texts(texts):
            yield Example(row=row, label=age, sentences=(text,), parses=(None,))
            row += 1
        source.include_hash(texts)
    for path in source.companion_files():
        if (author := path.name.removesuffix(".xz").removesuffix(".xml")) not in listed:
            raise source.error(len(listed) + 1, f"{path.name} is there, but author {author} is not in the list")


def author_texts(source: Source) -> list[str]:
    """The texts of one author. Definitions of entities are refused: no file of PAN has any."""
    found: list[list[str]] = []
    inside: list[str] = []

    def start(name: str, attributes: Any) -> None:
        inside.append(name)
        if tuple(inside) != ELEMENTS[: len(inside)]:
            where = " in ".join(reversed(inside))
            raise source.error(parser.CurrentLineNumber, f"{where}: expected {', in it '.join(ELEMENTS)}")
        if len(inside) == len(ELEMENTS):
            found.append([])

    def end(name: str) -> None:
        inside.pop()

    def text(part: str) -> None:
        if len(inside) == len(ELEMENTS):
            found[-1].append(part)
        elif part.strip():
            raise source.error(parser.CurrentLineNumber, f"{part.strip()[:40]!r} stands outside of every document")

    def refuse(*definition: Any) -> None:
        raise source.error(parser.CurrentLineNumber, "a definition of a document type is not text of this kind")

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text
    parser.StartDoctypeDeclHandler = refuse
    try:
        for _, line in source.lines():
            parser.Parse(line + "\n")
        parser.Parse("", True)
    except expat.ExpatError as error:
        raise source.error(error.lineno, f"not well-formed XML ({expat.ErrorString(error.code)})") from error
    return ["".join(parts) for parts in found]
