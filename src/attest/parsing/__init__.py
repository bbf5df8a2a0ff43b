"""Parsers: the words of sentences in, a binary tree over each of them out.

Where the data come with trees of their own (`parser=corpus`), there is nothing to parse and attest.reading takes those.
"""

from attest.errors import SettingsError
from attest.parsing.base import Parser
from attest.parsing.shapes import Balanced, RightBranching
from attest.settings import Settings

__all__ = ["Parser", "parser_of"]


def parser_of(settings: Settings) -> Parser | None:
    """The parser that these settings name; None where nothing is parsed."""
    kind = settings.parser.kind
    if kind in ("none", "corpus"):
        return None
    if kind == "balanced":
        return Balanced()
    if kind == "right":
        return RightBranching()
    if kind == "learned":
        from attest.parsing.learned import open_parser  # here, so that whoever parses nothing does not load it

        return open_parser(settings)
    raise SettingsError(f"parser.kind: there is no parser {kind!r} yet")
