"""Built-in corpora: sentences of our own, written in the official formats, so that the real readers are what runs.

They prove that the pipeline works and say nothing about any paper.
"""

from attest.mini.rates import rate_of
from attest.mini.write import ensure, vectors_of

__all__ = ["ensure", "rate_of", "vectors_of"]
