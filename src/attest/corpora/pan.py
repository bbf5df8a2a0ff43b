"""Tweets and the age of who wrote them: author profiling at PAN 2016, English.

A list of authors, truth.txt, says `author:::gender:::age` in each line; beside it lies AUTHOR.xml with the tweets of
each, <author><documents><document>...</document></documents></author>.
"""

from collections.abc import Iterator, Sequence
from typing import Any
from xml.parsers import expat

from attest.corpora.example import Example
from attest.corpora.files import Source, find

SEPARATOR = ":::"


def read_pan(source: Source, labels: Sequence[str]) -> Iterator[Example]:
    """Every tweet of every author of the list, numbered on, with the age of its author. `source` is the list."""
    row, listed = 0, set[str]()
    for number, line in source.lines():
        author, gender, age = [*line.split(SEPARATOR), "", ""][:3]
        if not author or not gender or "/" in author:
            raise source.error(number, f"expected 'author{SEPARATOR}gender{SEPARATOR}age', got {line[:40]!r}")
        if age not in labels:
            raise source.error(number, f"age {age!r} is none of {', '.join(labels)}")
        if author in listed:
            raise source.error(number, f"author {author} has come before")
        listed.add(author)
        texts = find(source.path.parent, f"{author}.xml")
        for text in documents(texts):
            yield Example(row=row, label=age, sentences=(text,), parses=(None,))
            row += 1
        source.include(texts)
    for path in source.beside():
        if (author := path.name.removesuffix(".xz").removesuffix(".xml")) not in listed:
            raise source.error(len(listed) + 1, f"{path.name} is there, but author {author} is not in the list")


def documents(source: Source) -> list[str]:
    """The texts of one author. Definitions of entities are refused: no file of PAN has any."""
    found: list[list[str]] = []
    inside = False

    def start(name: str, attributes: Any) -> None:
        nonlocal inside
        if name == "document":
            inside = True
            found.append([])

    def end(name: str) -> None:
        nonlocal inside
        inside = inside and name != "document"

    def text(part: str) -> None:
        if inside:
            found[-1].append(part)

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
