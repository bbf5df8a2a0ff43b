"""The encoders, matchers and heads of the four papers, which need torch alone: `from attest.models import DiSAN`.

Encoders and matchers map word vectors (B, T, D) and a mask (B, T) to sentence vectors (B, W); heads map sentence
vectors to logits (B, C). The attention functions that they are made of are in `attest.models.attention`.
"""

from attest.models.attention import Layout
from attest.models.encoders import (
    PSAN,
    Additive,
    BiLSTM,
    BiLSTMMax,
    CNNMax,
    DiSAN,
    Encoder,
    FastDiSAN,
    MultiHead,
    SourceToToken,
    StructuredSelfAttention,
)
from attest.models.heads import (
    Aggregation,
    GatedPairClassifier,
    Head,
    PairClassifier,
    PrunedPairClassifier,
    PrunedSentenceClassifier,
    RelatednessScorer,
    SentenceClassifier,
)
from attest.models.matchers import DAM, Matcher
from attest.models.word_vectors import WordVectors

__all__ = [
    "DAM",
    "PSAN",
    "Additive",
    "Aggregation",
    "BiLSTM",
    "BiLSTMMax",
    "CNNMax",
    "DiSAN",
    "Encoder",
    "FastDiSAN",
    "GatedPairClassifier",
    "Head",
    "Layout",
    "Matcher",
    "MultiHead",
    "PairClassifier",
    "PrunedPairClassifier",
    "PrunedSentenceClassifier",
    "RelatednessScorer",
    "SentenceClassifier",
    "SourceToToken",
    "StructuredSelfAttention",
    "WordVectors",
]
