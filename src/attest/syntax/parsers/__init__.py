"""Parsers: the words of sentences in, a binary tree over each of them out.

Where the data come with trees of their own (`phrases=corpus`), there is nothing to parse.
"""

from pathlib import Path

from attest.config.settings import Settings
from attest.syntax.parsers.base import Parser
from attest.syntax.parsers.baselines import BalancedParser, RightBranchingParser

__all__ = ["Parser", "configured_parser"]


def configured_parser(settings: Settings) -> Parser | None:
    """The parser that these settings name; None where nothing is parsed."""
    source = settings.phrases.source
    if source == "balanced":
        return BalancedParser()
    if source == "right":
        return RightBranchingParser()
    if source in ("none", "corpus"):
        return None
    # Imported here, so that whoever parses nothing loads no parser.
    from attest.syntax.parsers.cached import CachedParser

    cache = Path(settings.paths.cache)
    if source == "stanza":
        from attest.syntax.parsers import stanza

        return CachedParser(stanza.installed_identity(), stanza.open_stanza, cache)
    from attest.syntax.parsers.registry import find_parser, open_parser, parser_identity

    record = find_parser(settings)
    return CachedParser(parser_identity(record), lambda: open_parser(record, settings), cache, (record.id,))
