"""Attention over sentences: functions that import nothing but torch."""

from attest.models.attention.directions import Direction, allowed_keys
from attest.models.attention.factorised import PairWeight, attend_factorised, factorised_weights, pair_and_word_factors
from attest.models.attention.feature import attend_words, feature_attention, feature_weights
from attest.models.attention.layout import Layout
from attest.models.attention.masked import masked_softmax, masked_sum
from attest.models.attention.phrases import attend_phrases, phrase_weights
from attest.models.attention.pooling import max_weights, max_words, pool_words, pooling_weights

__all__ = [
    "Direction",
    "Layout",
    "PairWeight",
    "allowed_keys",
    "attend_factorised",
    "attend_phrases",
    "attend_words",
    "factorised_weights",
    "feature_attention",
    "feature_weights",
    "masked_softmax",
    "masked_sum",
    "max_weights",
    "max_words",
    "pair_and_word_factors",
    "phrase_weights",
    "pool_words",
    "pooling_weights",
]
