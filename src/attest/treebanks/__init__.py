"""Treebanks, and parsers that are learnt from them."""

from attest.treebanks.train import provide_parser, run

__all__ = ["provide_parser", "run"]
