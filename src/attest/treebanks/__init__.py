"""Treebanks, and parsers that are learnt from them."""

from attest.treebanks.settings import ParserRun
from attest.treebanks.train import run

__all__ = ["ParserRun", "run"]
