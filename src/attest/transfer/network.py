"""A small network trained by Adam: SentEval with usepytorch=True.

Legend: N examples, B examples of a batch, W features, H hidden units, C classes, R strengths of regularisation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attest.config.schema import AtLeastOne, Range
from attest.transfer.classifiers import Fitted, Labelled

HELD_OUT = 0.05
"""The share of the training set that says when to stop if there is no dev set."""


@dataclass(frozen=True, kw_only=True)
class Torch:
    """Settings of the network. All weights and biases are pulled to zero by their strength, Adam's own weight decay."""

    kind: Literal["torch"] = "torch"
    hidden: Annotated[int, Range(0)] = 0
    """The number of hidden units: 0 is logistic regression, and SentEval's other preset has 50."""
    dropout: Annotated[float, Range(0, 1, open_high=True)] = 0.0
    """The dropout on the hidden layer, before its sigmoid."""
    batch_size: Annotated[int, AtLeastOne] = 64
    tenacity: Annotated[int, Range(0)] = 5
    """The number of evaluations on dev, in all, that may bring no improvement; the next one ends training."""
    epoch_size: Annotated[int, AtLeastOne] = 4
    """The number of passes over the training set between two evaluations on dev."""
    max_epochs: Annotated[int, AtLeastOne] = 200

    def grid(self, design: str) -> tuple[float, ...]:
        """Return the strengths that SentEval tries."""
        return (1e-5, 1e-4, 1e-3, 1e-2)

    def strength_groups(self, strengths: Sequence[float]) -> list[tuple[float, ...]]:
        """Return all strengths as one group: they start alike and see the same batches, so one process trains them side
        by side."""
        return [tuple(strengths)]

    def scores(self, strengths: Sequence[float], train: Labelled, dev: Labelled, classes: int, seed: int) -> Fitted:
        """Return the best share of `dev` that a network with each strength labels correctly."""
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            models = Models(self, train.x_NW.shape[1], classes, strengths)
            best_R, cut_off = self.fit(models, train, dev, np.random.RandomState(seed))
        return Fitted(best_R, cut_off)

    def predictions(
        self, strength: float, train: Labelled, dev: Labelled | None, test_NW: np.ndarray, classes: int, seed: int
    ) -> Fitted:
        """Return the class of each test example; without `dev`, a random part of `train` says when to stop."""
        rng = np.random.RandomState(seed)
        if dev is None:
            order, size = rng.permutation(len(train)), int(HELD_OUT * len(train))
            dev, train = train.select(order[:size]), train.select(order[size:])
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            models = Models(self, train.x_NW.shape[1], classes, [strength])
            _, cut_off = self.fit(models, train, dev, rng)
        return Fitted(models.predict(torch.from_numpy(test_NW).float())[0].numpy(), cut_off)

    def fit(
        self, models: "Models", train: Labelled, dev: Labelled, rng: np.random.RandomState
    ) -> tuple[np.ndarray, int]:
        """Train the networks and restore their best parameters; return each one's best share of `dev`, and how many did
        not stop."""
        x_NW, y_N = torch.from_numpy(train.x_NW).float(), torch.from_numpy(train.y_N).long()
        dev_x_NW, dev_y_N = torch.from_numpy(dev.x_NW).float(), torch.from_numpy(dev.y_N).long()
        best, count = models.copy(), len(models.strengths_R)
        best_R, failures_R, running_R = np.full(count, -1.0), np.zeros(count, int), np.ones(count, bool)
        epoch = 0
        while running_R.any() and epoch <= self.max_epochs:
            for _ in range(self.epoch_size):
                order_N = torch.from_numpy(rng.permutation(len(train)))
                for batch_B in order_N.split(self.batch_size):
                    models.step(x_NW[batch_B], y_N[batch_B])
            epoch += self.epoch_size
            right_R = (models.predict(dev_x_NW) == dev_y_N).double().mean(-1).numpy()
            better_R = running_R & (right_R > best_R)
            models.keep(best, torch.from_numpy(better_R))
            best_R = np.where(better_R, right_R, best_R)
            worse_R = running_R & ~better_R
            running_R &= ~(worse_R & (failures_R >= self.tenacity))
            failures_R += worse_R
        models.go_back(best)
        return best_R, int(running_R.sum())


class Models:
    """Equal networks that differ in the strength of their regularisation, trained side by side."""

    def __init__(self, settings: Torch, width: int, classes: int, strengths: Sequence[float]) -> None:
        hidden = settings.hidden
        layers = [nn.Linear(width, hidden), nn.Linear(hidden, classes)] if hidden else [nn.Linear(width, classes)]
        alike = [values for layer in layers for values in (layer.weight, layer.bias[:, None])]
        self.parameters = [values.detach().repeat(len(strengths), 1, 1).requires_grad_() for values in alike]
        self.optimizer = torch.optim.Adam(self.parameters, foreach=False)
        self.strengths_R, self.dropout = torch.tensor(strengths), settings.dropout

    def logits(self, x_BW: Tensor, *, training: bool) -> Tensor:
        """Return the logits (R, B, C)."""
        weight_RHW, bias_RH1, *second = self.parameters
        flat = F.linear(x_BW, weight_RHW.flatten(0, 1), bias_RH1.flatten())
        x_RBH = flat.unflatten(1, weight_RHW.shape[:2]).transpose(0, 1)
        if not second:
            return x_RBH
        if training and self.dropout:
            x_RBH = x_RBH * F.dropout(torch.ones(x_RBH.shape[1:]), self.dropout)  # one mask for all
        weight_RCH, bias_RC1 = second
        return torch.baddbmm(bias_RC1.transpose(1, 2), x_RBH.sigmoid(), weight_RCH.transpose(1, 2))

    def step(self, x_BW: Tensor, y_B: Tensor) -> None:
        """Make one step of Adam on a batch."""
        logits_RBC = self.logits(x_BW, training=True)
        y_RB = y_B.expand(len(logits_RBC), -1)
        loss = F.cross_entropy(logits_RBC.flatten(0, 1), y_RB.flatten(), reduction="sum") / len(y_B)
        for parameter, gradient in zip(self.parameters, torch.autograd.grad(loss, self.parameters), strict=True):
            parameter.grad = torch.addcmul(gradient, parameter.detach(), self.strengths_R[:, None, None])
        self.optimizer.step()

    @torch.no_grad()
    def predict(self, x_NW: Tensor) -> Tensor:
        """Return the classes (R, N)."""
        return self.logits(x_NW, training=False).argmax(-1)

    @torch.no_grad()
    def copy(self) -> list[Tensor]:
        """Return a copy of the parameters."""
        return [parameter.clone() for parameter in self.parameters]

    @torch.no_grad()
    def keep(self, best: Sequence[Tensor], better_R: Tensor) -> None:
        """Copy the parameters of the networks that improved into `best`."""
        for kept, parameter in zip(best, self.parameters, strict=True):
            kept[better_R] = parameter[better_R]

    @torch.no_grad()
    def go_back(self, best: Sequence[Tensor]) -> None:
        """Restore the parameters from `best`."""
        for parameter, kept in zip(self.parameters, best, strict=True):
            parameter.copy_(kept)
