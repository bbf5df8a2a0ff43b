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

from attest.config.constraints import AtLeastOne, Range
from attest.config.schema import check_fields
from attest.system.chance import seeded_generator
from attest.transfer.classifiers import LabelledVectors, Predictions, Sklearn, StrengthScores

HELD_OUT = 0.05
"""The share of the training set that is held out for early stopping if there is no dev set."""


@dataclass(frozen=True, kw_only=True)
class Torch:
    """The classifier of SentEval with usepytorch=True: its settings, and its training with early stopping.

    The strength of regularisation is Adam's weight decay, which applies to biases too. The loss is the mean over a
    batch, as in SentEval's code under torch 0.4.1 and later; under earlier versions the same code took the sum, beside
    which each strength is weaker by a factor of `batch_size`.
    """

    kind: Literal["torch"] = "torch"
    hidden: Annotated[int, Range(0)] = 0
    """The number of hidden units: 0 for logistic regression, as in SentEval's two presets."""
    dropout: Annotated[float, Range(0, 1, open_high=True)] = 0.0
    """The dropout probability of the hidden layer, applied before its sigmoid."""
    batch_size: Annotated[int, AtLeastOne] = 64
    tenacity: Annotated[int, Range(0)] = 5
    """The number of evaluations on dev without a new best accuracy, consecutive or not, that are tolerated; the next
    one ends training."""
    epoch_size: Annotated[int, AtLeastOne] = 4
    """The number of passes over the training set between two evaluations on dev."""
    max_epochs: Annotated[int, AtLeastOne] = 200

    def __post_init__(self) -> None:
        check_fields(self)

    def grid(self, design: str) -> tuple[float, ...]:
        """Return the strengths that SentEval tries, for every design."""
        return (1e-5, 1e-4, 1e-3, 1e-2)

    def strength_groups(self, strengths: Sequence[float]) -> list[tuple[float, ...]]:
        """Return all strengths as one group.

        Their networks have equal initial weights and batches, so that one process trains all of them at once.
        """
        return [tuple(strengths)]

    def scores(
        self, strengths: Sequence[float], train: LabelledVectors, dev: LabelledVectors, classes: int, seed: int
    ) -> StrengthScores:
        """Train a network with each strength on `train`, and return their best accuracies on `dev`."""
        with seeded_generator(seed):
            networks = Networks(self, train.x_NW.shape[1], classes, strengths)
            best_R, cut_off = self.fit(networks, train, dev, np.random.RandomState(seed))
        return StrengthScores(best_R, cut_off)

    def predictions(
        self,
        strength: float,
        train: LabelledVectors,
        dev: LabelledVectors | None,
        test_NW: np.ndarray,
        classes: int,
        seed: int,
    ) -> Predictions:
        """Train a network, and return the predicted class of each test example.

        Without `dev`, a random part of `train` is held out for early stopping.
        """
        rng = np.random.RandomState(seed)
        if dev is None:
            order, size = rng.permutation(len(train)), max(1, int(HELD_OUT * len(train)))
            dev, train = train.select(order[:size]), train.select(order[size:])
        with seeded_generator(seed):
            networks = Networks(self, train.x_NW.shape[1], classes, [strength])
            _, cut_off = self.fit(networks, train, dev, rng)
        return Predictions(networks.predict(torch.from_numpy(test_NW).float())[0].numpy(), cut_off)

    def fit(
        self, networks: "Networks", train: LabelledVectors, dev: LabelledVectors, rng: np.random.RandomState
    ) -> tuple[np.ndarray, int]:
        """Train the networks, and restore the parameters with the best accuracy on dev for each of them.

        Return the best accuracies (R,), and the number of networks that reached `max_epochs` before early stopping.
        """
        x_NW, y_N = torch.from_numpy(train.x_NW).float(), torch.from_numpy(train.y_N).long()
        dev_x_NW, dev_y_N = torch.from_numpy(dev.x_NW).float(), torch.from_numpy(dev.y_N).long()
        best, count = networks.copy(), len(networks.strengths_R)
        best_R, failures_R, running_R = np.full(count, -1.0), np.zeros(count, int), np.ones(count, bool)
        epoch = 0
        while running_R.any() and epoch <= self.max_epochs:
            for _ in range(self.epoch_size):
                order_N = torch.from_numpy(rng.permutation(len(train)))
                for batch_B in order_N.split(self.batch_size):
                    networks.step(x_NW[batch_B], y_N[batch_B])
            epoch += self.epoch_size
            right_R = (networks.predict(dev_x_NW) == dev_y_N).double().mean(-1).numpy()
            better_R = running_R & (right_R > best_R)
            networks.copy_improved(best, torch.from_numpy(better_R))
            best_R = np.where(better_R, right_R, best_R)
            worse_R = running_R & ~better_R
            running_R &= ~(worse_R & (failures_R >= self.tenacity))
            failures_R += worse_R
        networks.restore(best)
        return best_R, int(running_R.sum())


class Networks:
    """R networks that are trained at once, with equal initial weights and different strengths of regularisation."""

    def __init__(self, settings: Torch, width: int, classes: int, strengths: Sequence[float]) -> None:
        hidden = settings.hidden
        layers = [nn.Linear(width, hidden), nn.Linear(hidden, classes)] if hidden else [nn.Linear(width, classes)]
        alike = [values for layer in layers for values in (layer.weight, layer.bias[:, None])]
        self.parameters = [values.detach().repeat(len(strengths), 1, 1).requires_grad_() for values in alike]
        self.optimizer = torch.optim.Adam(self.parameters, foreach=False)
        self.strengths_R, self.dropout = torch.tensor(strengths), settings.dropout

    def logits(self, x_BW: Tensor, *, training: bool) -> Tensor:
        """Return the logits (R, B, C) of all networks for a batch."""
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
        """Update all networks by one step of Adam on a batch."""
        logits_RBC = self.logits(x_BW, training=True)
        y_RB = y_B.expand(len(logits_RBC), -1)
        loss = F.cross_entropy(logits_RBC.flatten(0, 1), y_RB.flatten(), reduction="sum") / len(y_B)
        for parameter, gradient in zip(self.parameters, torch.autograd.grad(loss, self.parameters), strict=True):
            parameter.grad = torch.addcmul(gradient, parameter.detach(), self.strengths_R[:, None, None])
        self.optimizer.step()

    @torch.no_grad()
    def predict(self, x_NW: Tensor) -> Tensor:
        """Return the classes (R, N) that each network predicts."""
        return self.logits(x_NW, training=False).argmax(-1)

    @torch.no_grad()
    def copy(self) -> list[Tensor]:
        """Return a copy of the parameters of all networks."""
        return [parameter.clone() for parameter in self.parameters]

    @torch.no_grad()
    def copy_improved(self, best: Sequence[Tensor], improved_R: Tensor) -> None:
        """Copy the parameters of the networks that are True in `improved_R` into `best`."""
        for kept, parameter in zip(best, self.parameters, strict=True):
            kept[improved_R] = parameter[improved_R]

    @torch.no_grad()
    def restore(self, best: Sequence[Tensor]) -> None:
        """Replace the parameters by those in `best`, a result of `copy`."""
        for parameter, kept in zip(self.parameters, best, strict=True):
            parameter.copy_(kept)


Classifier = Sklearn | Torch
