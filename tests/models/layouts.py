"""Layouts of sentences for tests of blocks."""

import torch

from attest.models.attention import Layout


def one_sentence(x: torch.Tensor) -> Layout:
    """Return the layout of one sentence, whose words are the rows of x."""
    return Layout(torch.ones(1, len(x), dtype=torch.bool), packed=True)
