"""Matchers, one file per part: two sentences that see each other, to a vector for each."""

from attest.models.matchers.base import Matcher
from attest.models.matchers.dam import DAM

__all__ = ["DAM", "Matcher"]
