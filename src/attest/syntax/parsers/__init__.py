"""Parsers: the words of sentences in, a binary tree over each of them out.

Where the data come with trees of their own (`parser=corpus`), there is nothing to parse.
"""

from pathlib import Path

from attest.config.settings import Settings
from attest.syntax.parsers.base import Parser
from attest.syntax.parsers.baselines import Balanced, RightBranching

__all__ = ["Parser", "parser_of"]


def parser_of(settings: Settings) -> Parser | None:
    """The parser that these settings name; None where nothing is parsed."""
    kind, trees = settings.parser.kind, settings.parser.trees
    if kind == "balanced":
        return Balanced()
    if kind == "right":
        return RightBranching()
    if kind == "none" or trees == "corpus":
        return None
    # Imported here, so that whoever parses nothing loads no parser.
    from attest.syntax.parsers.cached import Cached

    cache = Path(settings.paths.cache)
    if trees == "stanza":
        from attest.syntax.parsers import stanza

        return Cached(stanza.identity(), stanza.open_stanza, cache)
    from attest.syntax.parsers.registry import find_parser, identity_of, open_parser

    record = find_parser(settings)
    return Cached(identity_of(record), lambda: open_parser(record, settings), cache, (record.id,))
