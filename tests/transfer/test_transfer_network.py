"""The classifiers of SentEval: their grids, and the network beside torch's own modules and optimiser."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from torch import nn

from attest.transfer.classifiers import LabelledVectors, Sklearn
from attest.transfer.network import Networks, Torch

REGULARISATIONS = (0.0, 1e-2, 1.0)
FEATURES, CLASSES = 6, 3


def test_the_regularisation_values_of_logistic_regression_are_powers_of_two():
    assert Sklearn().grid("k-fold") == (0.5, 1, 2, 4, 8, 16, 32)
    assert Sklearn().grid("nested") == Sklearn().grid("split") == (0.25, 0.5, 1, 2, 4, 8)


@pytest.mark.parametrize("design", ["k-fold", "nested", "split"])
def test_the_regularisation_values_of_the_network_are_powers_of_ten(design):
    assert Torch().grid(design) == (1e-5, 1e-4, 1e-3, 1e-2)


@pytest.mark.parametrize("hidden", [0, 4])
def test_each_network_is_trained_as_by_adam_with_its_own_weight_decay(hidden):
    networks = Networks(Torch(hidden=hidden), FEATURES, CLASSES, REGULARISATIONS)
    sizes = [FEATURES, hidden, CLASSES] if hidden else [FEATURES, CLASSES]
    batches = [(torch.randn(8, FEATURES), torch.randint(CLASSES, (8,))) for _ in range(20)]
    models = []
    for number in range(len(REGULARISATIONS)):
        layers = [nn.Linear(*pair) for pair in pairwise(sizes)]
        model = nn.Sequential(layers[0], *(part for layer in layers[1:] for part in (nn.Sigmoid(), layer)))
        for parameter, values in zip(model.parameters(), networks.parameters, strict=True):
            parameter.data.copy_(values[number].detach().reshape(parameter.shape))
        models.append(model)
    for regularisation, model in zip(REGULARISATIONS, models, strict=True):
        optimizer = torch.optim.Adam(model.parameters(), weight_decay=regularisation)
        for x, y in batches:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
    for x, y in batches:
        networks.step(x, y)
    for number, model in enumerate(models):
        for parameter, values in zip(model.parameters(), networks.parameters, strict=True):
            torch.testing.assert_close(values[number].reshape(parameter.shape), parameter, rtol=0, atol=1e-6)


@pytest.mark.parametrize(("examples", "held_out"), [(100, 5), (259, 12), (8, 1)])
def test_a_twentieth_of_the_training_set_says_when_to_stop_where_there_is_no_dev_set(examples, held_out, monkeypatch):
    fits, x_NW = [], np.arange(examples, dtype=np.float32)[:, None]

    def fit(self, networks, train, dev, rng):
        fits.append((train, dev))
        return np.zeros(1), 0

    monkeypatch.setattr(Torch, "fit", fit)
    rows = LabelledVectors(x_NW, np.arange(examples) % 2)
    Torch().predictions(1e-3, rows, None, x_NW, 2, seed=1)
    Torch().predictions(1e-3, rows, rows, x_NW, 2, seed=1)
    (train, dev), given = fits
    assert len(dev) == held_out
    assert sorted([*train.x_NW[:, 0], *dev.x_NW[:, 0]]) == list(range(examples))
    assert given == (rows, rows)
