"""Optimisers as the papers' authors used them."""

from attest.optim.adadelta import Adadelta
from attest.optim.adagrad import Adagrad

__all__ = ["Adadelta", "Adagrad"]
