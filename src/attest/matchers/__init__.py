"""Matchers, one file per part: two sentences that see each other, to a vector for each."""

from attest.matchers.base import Matcher
from attest.matchers.dam import DAM

__all__ = ["DAM", "Matcher"]
