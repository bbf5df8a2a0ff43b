"""Attention over the words of a sentence, as functions of tensors that need torch alone.

`Layout` says where the words of a batch stand. `feature_attention` works on padded batches (B, T, D); the other
functions named `attend_...`, `pool_words` and `max_words` work on the rows (N, D) of a layout. The functions named
`..._weights` return the attention weights themselves, which the fast paths never form.
"""

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
