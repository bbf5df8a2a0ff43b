"""A stand-in for dropout that shows where dropout falls: what it would draw a mask for is doubled."""

from attest.models.kernels.dropout import Dropout


def double_dropout(monkeypatch):
    """Let dropout with a probability above 0 double its input in training.

    A formula with a factor of 2 at some inputs then holds only if dropout falls on these and on nothing else.
    """
    monkeypatch.setattr(Dropout, "forward", lambda self, x: 2 * x if self.training and self.p else x)
