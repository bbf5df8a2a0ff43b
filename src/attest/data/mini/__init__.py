"""Built-in corpora: generated sentences in the official formats, so that runs use the real readers.

They show that the pipeline works; their figures cannot be compared with those of a paper.
"""

from attest.data.mini.write import ensure_corpora

__all__ = ["ensure_corpora"]
