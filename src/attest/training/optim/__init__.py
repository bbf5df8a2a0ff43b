"""The optimisers that the authors of the papers used."""

from attest.training.optim.adadelta import Adadelta
from attest.training.optim.adagrad import Adagrad

__all__ = ["Adadelta", "Adagrad"]
