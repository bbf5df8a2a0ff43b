"""A small network trained by Adam: SentEval with usepytorch=True.

Legend: N examples, B examples of a batch, W features, H hidden units, C classes, S values of regularisation.
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
from attest.system.random_streams import seeded_generator
from attest.transfer.classifiers import FitResult, LabelledVectors, RegularisationScores, Sklearn

HELD_OUT = 0.05
"""The share of the training set that is held out for early stopping if there is no dev set."""


@dataclass(frozen=True, kw_only=True)
class Torch:
    """The classifier of SentEval with usepytorch=True: its settings, and its training with early stopping.

    The value of regularisation is Adam's weight decay: the larger, the stronger the penalty. It applies to biases too.
    The loss is the mean over a batch, as in SentEval's code under torch 0.4.1 and later. Under earlier versions the
    same code took the sum over a batch, so that the same weight decay had a weaker effect by a factor of `batch_size`.
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
    """The number of passes after which no further block of `epoch_size` passes begins; as in SentEval, the last block
    may exceed it."""

    def __post_init__(self) -> None:
        check_fields(self)

    def grid(self, design: str) -> tuple[float, ...]:
        """Return the values that SentEval tries, for every design."""
        return (1e-5, 1e-4, 1e-3, 1e-2)

    def groups(self, regularisations: Sequence[float]) -> list[tuple[float, ...]]:
        """Return all values as one group.

        Their networks have equal initial weights and batches, so that one process trains all of them at once.
        """
        return [tuple(regularisations)]

    def scores(
        self, regularisations: Sequence[float], train: LabelledVectors, dev: LabelledVectors, classes: int, seed: int
    ) -> RegularisationScores:
        """Train a network with each value on `train`, and return their best accuracies on `dev`."""
        with seeded_generator(seed):
            networks = Networks(self, train.x_NW.shape[1], classes, regularisations)
            best_S, cut_off = self.fit(networks, train, dev, np.random.RandomState(seed))
        return RegularisationScores(best_S, cut_off)

    def predictions(
        self,
        regularisation: float,
        train: LabelledVectors,
        dev: LabelledVectors | None,
        test_NW: np.ndarray,
        classes: int,
        seed: int,
    ) -> FitResult:
        """Train a network, and return the predicted class of each test example.

        Without `dev`, a random part of `train` is held out for early stopping.
        """
        rng = np.random.RandomState(seed)
        if dev is None:
            order, size = rng.permutation(len(train)), max(1, int(HELD_OUT * len(train)))
            dev, train = train.select(order[:size]), train.select(order[size:])
        with seeded_generator(seed):
            networks = Networks(self, train.x_NW.shape[1], classes, [regularisation])
            _, cut_off = self.fit(networks, train, dev, rng)
        return FitResult(networks.predict(torch.from_numpy(test_NW).float())[0].numpy(), cut_off)

    def fit(
        self, networks: "Networks", train: LabelledVectors, dev: LabelledVectors, rng: np.random.RandomState
    ) -> tuple[np.ndarray, int]:
        """Train the networks, and restore the parameters with the best accuracy on dev for each of them.

        Return the best accuracies (S,), and the number of networks that reached `max_epochs` before early stopping.
        """
        x_NW, y_N = torch.from_numpy(train.x_NW).float(), torch.from_numpy(train.y_N).long()
        dev_x_NW, dev_y_N = torch.from_numpy(dev.x_NW).float(), torch.from_numpy(dev.y_N).long()
        best, count = networks.copy(), len(networks.regularisations_S)
        best_S, failures_S, running_S = np.full(count, -1.0), np.zeros(count, int), np.ones(count, bool)
        epoch = 0
        while running_S.any() and epoch <= self.max_epochs:
            for _ in range(self.epoch_size):
                order_N = torch.from_numpy(rng.permutation(len(train)))
                for batch_B in order_N.split(self.batch_size):
                    networks.step(x_NW[batch_B], y_N[batch_B])
            epoch += self.epoch_size
            right_S = (networks.predict(dev_x_NW) == dev_y_N).double().mean(-1).numpy()
            better_S = running_S & (right_S > best_S)
            networks.copy_improved(best, torch.from_numpy(better_S))
            best_S = np.where(better_S, right_S, best_S)
            worse_S = running_S & ~better_S
            running_S &= ~(worse_S & (failures_S >= self.tenacity))
            failures_S += worse_S
        networks.restore(best)
        return best_S, int(running_S.sum())


class Networks:
    """S networks that are trained at once, with equal initial weights and different values of regularisation."""

    def __init__(self, settings: Torch, width: int, classes: int, regularisations: Sequence[float]) -> None:
        hidden = settings.hidden
        layers = [nn.Linear(width, hidden), nn.Linear(hidden, classes)] if hidden else [nn.Linear(width, classes)]
        alike = [values for layer in layers for values in (layer.weight, layer.bias[:, None])]
        self.parameters = [values.detach().repeat(len(regularisations), 1, 1).requires_grad_() for values in alike]
        self.optimizer = torch.optim.Adam(self.parameters, foreach=False)
        self.regularisations_S, self.dropout = torch.tensor(regularisations), settings.dropout

    def logits(self, x_BW: Tensor, *, training: bool) -> Tensor:
        """Return the logits (S, B, C) of all networks for a batch."""
        weight_SHW, bias_SH1, *second = self.parameters
        flat = F.linear(x_BW, weight_SHW.flatten(0, 1), bias_SH1.flatten())
        x_SBH = flat.unflatten(1, weight_SHW.shape[:2]).transpose(0, 1)
        if not second:
            return x_SBH
        if training and self.dropout:
            x_SBH = x_SBH * F.dropout(torch.ones(x_SBH.shape[1:]), self.dropout)  # one mask for all
        weight_SCH, bias_SC1 = second
        return torch.baddbmm(bias_SC1.transpose(1, 2), x_SBH.sigmoid(), weight_SCH.transpose(1, 2))

    def step(self, x_BW: Tensor, y_B: Tensor) -> None:
        """Update all networks by one step of Adam on a batch."""
        logits_SBC = self.logits(x_BW, training=True)
        y_SB = y_B.expand(len(logits_SBC), -1)
        loss = F.cross_entropy(logits_SBC.flatten(0, 1), y_SB.flatten(), reduction="sum") / len(y_B)
        for parameter, gradient in zip(self.parameters, torch.autograd.grad(loss, self.parameters), strict=True):
            parameter.grad = torch.addcmul(gradient, parameter.detach(), self.regularisations_S[:, None, None])
        self.optimizer.step()

    @torch.no_grad()
    def predict(self, x_NW: Tensor) -> Tensor:
        """Return the classes (S, N) that each network predicts."""
        return self.logits(x_NW, training=False).argmax(-1)

    @torch.no_grad()
    def copy(self) -> list[Tensor]:
        """Return a copy of the parameters of all networks."""
        return [parameter.clone() for parameter in self.parameters]

    @torch.no_grad()
    def copy_improved(self, best: Sequence[Tensor], improved_S: Tensor) -> None:
        """Copy the parameters of the networks that are True in `improved_S` into `best`."""
        for kept, parameter in zip(best, self.parameters, strict=True):
            kept[improved_S] = parameter[improved_S]

    @torch.no_grad()
    def restore(self, best: Sequence[Tensor]) -> None:
        """Replace the parameters by those in `best`, a result of `copy`."""
        for parameter, kept in zip(self.parameters, best, strict=True):
            parameter.copy_(kept)


Classifier = Sklearn | Torch
