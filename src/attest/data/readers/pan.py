"""PAN 2016 author profiling, English: tweets and the ages of their authors.

The list of authors, truth.txt, has `author:::gender:::age` on each line. The file AUTHOR.xml in the same folder holds
the author's tweets: <author><documents><document>...</document></documents></author>.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any
from xml.parsers import expat

from attest.data.files.find_files import find_source
from attest.data.files.source import Source
from attest.data.readers.example import Example
from attest.data.readers.fields import excerpt, not_one_of, split_columns
from attest.errors import DataError

SEPARATOR = ":::"
ROW = f"'author{SEPARATOR}gender{SEPARATOR}age'"
AUTHOR = re.compile(r"[A-Za-z0-9_-]{1,100}")
"""A name that can be a file name, and cannot lead to another folder."""
ELEMENTS = ("author", "documents", "document")
"""The XML elements of a file of tweets, from the outermost to the innermost."""


def read_pan(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Yield every tweet of every listed author, with the author's age as its label. `source` is the list of authors.

    Rows are numbered across all authors. Every author needs a file, and every file needs a listed author.
    """
    row, listed = 0, set[str]()
    for number, line in source.lines():
        author, _, age = split_columns(source, number, line, (3,), ROW, SEPARATOR)
        if not AUTHOR.fullmatch(author):
            raise source.error(number, f"expected {ROW}, got the author {excerpt(author)}")
        if age not in labels:
            raise source.error(number, not_one_of("age", age, labels))
        if author in listed:
            raise source.error(number, f"author {author} is listed twice")
        listed.add(author)
        try:
            texts = find_source(source.path.parent, f"{author}.xml")
        except DataError as error:
            raise source.error(number, f"the tweets of author {author} are missing: {error}") from error
        for text_line, text in author_texts(texts):
            yield Example(texts, text_line, row=row, label=age, sentences=(text,))
            row += 1
        source.include_hash(texts)
    for path in source.companion_files():
        if (author := path.name.removesuffix(".xz").removesuffix(".xml")) not in listed:
            raise source.error(len(listed) + 1, f"author {author} of {path.name} is missing in the list")


def author_texts(source: Source) -> list[tuple[int, str]]:
    """Return the tweets of an author's XML file, each with the line where it begins.

    Document type definitions are refused, since no file of PAN has one and their entities can exhaust the memory.
    """
    texts: list[tuple[int, list[str]]] = []
    inside: list[str] = []

    def start(name: str, attributes: Any) -> None:
        inside.append(name)
        if tuple(inside) != ELEMENTS[: len(inside)]:
            message = f"the element {'/'.join(inside)} is not part of {'/'.join(ELEMENTS)}"
            raise source.error(parser.CurrentLineNumber, message)
        if len(inside) == len(ELEMENTS):
            texts.append((parser.CurrentLineNumber, []))

    def end(name: str) -> None:
        inside.pop()

    def text(piece: str) -> None:
        if len(inside) == len(ELEMENTS):
            texts[-1][1].append(piece)
        elif piece.strip():
            message = f"the text {excerpt(piece.strip())} is outside of any document"
            raise source.error(parser.CurrentLineNumber, message)

    def refuse(*definition: Any) -> None:
        message = "the file has a document type definition, which no official file has; use the official file"
        raise source.error(parser.CurrentLineNumber, message)

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text
    parser.StartDoctypeDeclHandler = refuse
    try:
        for _, line in source.lines():
            parser.Parse(line + "\n")
        parser.Parse("", True)
    except expat.ExpatError as error:
        raise source.error(error.lineno, f"not well-formed XML ({expat.ErrorString(error.code)})") from error
    return [(line, "".join(pieces)) for line, pieces in texts]
