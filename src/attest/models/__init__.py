"""Encoders, matchers and heads of the four papers, in plain torch: `from attest.models import DiSAN`."""

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
    "Matcher",
    "MultiHead",
    "PairClassifier",
    "PrunedPairClassifier",
    "PrunedSentenceClassifier",
    "RelatednessScorer",
    "SentenceClassifier",
    "SourceToToken",
    "StructuredSelfAttention",
]
