"""Adagrad against its formula."""

import numpy as np
import pytest
import torch
from training.optim.table_rows import random_rows

from attest.training.optim import Adagrad


@pytest.mark.parametrize("rows", ["touched", "dense"])
def test_200_steps_of_adagrad_follow_the_plain_formula(rows):
    weight, total = np.random.default_rng(1).normal(size=(11, 3)), np.full((11, 3), 0.1)
    table = torch.nn.Parameter(torch.tensor(weight))
    optimizer = Adagrad([table], lr=0.05, initial=0.1, rows=rows)
    for chosen, gradient in random_rows(200):
        gradient = gradient[: len(chosen)]
        optimizer.zero_grad()
        looked_up = torch.nn.functional.embedding(torch.tensor(chosen), table, sparse=True)
        (looked_up * torch.tensor(gradient)).sum().backward()
        optimizer.step()
        full = np.zeros((11, 3))
        np.add.at(full, chosen, gradient)
        total += full**2
        weight -= 0.05 * full / (np.sqrt(total) + 1e-10)
    np.testing.assert_allclose(table.detach().numpy(), weight, rtol=1e-9)


def test_adagrad_is_not_to_divide_by_zero():
    with pytest.raises(ValueError, match="initial and eps: both are 0"):
        Adagrad([torch.nn.Parameter(torch.ones(2))], initial=0.0, eps=0.0)
