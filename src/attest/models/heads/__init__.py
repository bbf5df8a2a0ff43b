"""Heads: one or two sentence vectors (B, W) in, logits per class or grade (B, C) out."""

from attest.models.heads.aggregation import Aggregation
from attest.models.heads.base import Head
from attest.models.heads.classifiers import Classifier, PairClassifier, SentenceClassifier
from attest.models.heads.matrix.gated import GatedPairClassifier
from attest.models.heads.matrix.pruned import PrunedPairClassifier, PrunedSentenceClassifier
from attest.models.heads.relatedness import RelatednessScorer

__all__ = [
    "Aggregation",
    "Classifier",
    "GatedPairClassifier",
    "Head",
    "PairClassifier",
    "PrunedPairClassifier",
    "PrunedSentenceClassifier",
    "RelatednessScorer",
    "SentenceClassifier",
]
