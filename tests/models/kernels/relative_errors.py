"""Errors of numbers that a kernel has computed."""

import torch


def relative_error(got: torch.Tensor, expected: torch.Tensor) -> float:
    """Return the largest error, relative to the largest expected number."""
    return float((got - expected).abs().max() / expected.abs().max().clamp(min=1e-30))
