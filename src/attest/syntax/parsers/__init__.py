"""Parsers: from the words of a sentence to the spans of its binary tree.

Data with trees of their own (`phrases=corpus`) need no parser.
"""

from pathlib import Path

from attest.config.locate import own_subclass
from attest.config.settings import Settings
from attest.syntax.parsers.base import Parser
from attest.syntax.parsers.baselines import BalancedParser, RightBranchingParser

__all__ = ["Parser", "configured_parser"]


def configured_parser(settings: Settings) -> Parser | None:
    """Return the parser that the settings choose; None if they need none, as with the trees of the data."""
    source = settings.phrases.source
    if source == "balanced":
        return BalancedParser()
    if source == "right":
        return RightBranchingParser()
    if source in ("none", "corpus"):
        return None
    if "." in source:
        return own_subclass(source, "phrases.source", Parser)()  # pyright: ignore[reportAbstractUsage]
    # Imported here, so that runs without a parser load none.
    from attest.syntax.parsers.cached import CachedParser

    cache = Path(settings.paths.cache)
    if source == "stanza":
        from attest.syntax.parsers import stanza

        return CachedParser(stanza.installed_identity(), stanza.open_stanza, cache)
    from attest.syntax.parsers.registry import find_parser, open_parser, parser_identity

    record = find_parser(settings)
    return CachedParser(parser_identity(record), lambda: open_parser(record, settings), cache, (record.id,))
