"""Built-in corpora: sentences of our own, written in the official formats, so that the real readers are what runs.

They prove that the pipeline works and say nothing about any paper.
"""

from attest.data.mini.write import ensure_corpora

__all__ = ["ensure_corpora"]
