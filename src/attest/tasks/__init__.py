"""LightningModules: what is learnt, and how it is measured."""

from attest.tasks.pair_classification import PairClassification

__all__ = ["PairClassification"]
