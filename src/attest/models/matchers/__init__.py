"""Matchers, encoders of pairs whose sentences attend to each other: one vector per sentence out."""

from attest.models.matchers.base import Matcher
from attest.models.matchers.dam import DAM

__all__ = ["DAM", "Matcher"]
