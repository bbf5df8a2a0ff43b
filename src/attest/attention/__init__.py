"""Attention over sentences: pure functions that import nothing but torch."""

from attest.attention.directions import Direction, allowed_keys
from attest.attention.feature import feature_attention, feature_weights
from attest.attention.masked import lengths_of, masked_softmax, masked_sum

__all__ = [
    "Direction",
    "allowed_keys",
    "feature_attention",
    "feature_weights",
    "lengths_of",
    "masked_softmax",
    "masked_sum",
]
