"""Optimisers as the papers' authors used them."""

from attest.training.optim.adadelta import Adadelta
from attest.training.optim.adagrad import Adagrad

__all__ = ["Adadelta", "Adagrad"]
