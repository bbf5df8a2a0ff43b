"""The states of optimisers, which checkpoints keep and move between devices."""

import copy
from functools import partial

import pytest
import torch
from training.optim.table_rows import random_rows

from attest.training.optim import Adadelta, Adagrad
from attest.training.optim.adadelta import catch_up
from attest.training.optim.parameters import parameter_groups


@pytest.mark.parametrize("make", [Adadelta, partial(Adadelta, rows="dense"), partial(Adagrad, lr=0.1)])
def test_state_survives_a_checkpoint(make, tmp_path):
    def steps(optimizer, table, first, last):
        for step in range(first, last):
            optimizer.zero_grad()
            torch.nn.functional.embedding(torch.tensor([step % 5, 2]), table, sparse=True).sum().backward()
            optimizer.step()

    start = torch.randn(7, 3)
    whole, part = torch.nn.Parameter(start.clone()), torch.nn.Parameter(start.clone())
    steps(make([whole]), whole, 0, 23)
    early = make([part])
    steps(early, part, 0, 12)
    torch.save(early.state_dict(), tmp_path / "state.pt")
    late = make([part])
    late.load_state_dict(torch.load(tmp_path / "state.pt", weights_only=True))
    steps(late, part, 12, 23)
    assert whole.equal(part)


def test_numbers_of_steps_are_not_rounded_by_a_checkpoint():
    """In bf16, numbers above 256 have steps of 2."""
    table = torch.nn.Parameter(torch.ones(4, 3, dtype=torch.bfloat16))
    optimizer = Adadelta([table], rows="dense")
    for row in [0] * 256 + [1] + [0] * 42:
        optimizer.zero_grad()
        torch.nn.functional.embedding(torch.tensor([row]), table, sparse=True).sum().backward()
        optimizer.step()
    other = Adadelta([table], rows="dense")
    other.load_state_dict(optimizer.state_dict())
    state = other.state[table]
    assert (state["seen"].tolist(), int(state["step"])) == ([299, 257, 0, 0], 299)
    assert (state["seen"].dtype, state["step"].dtype) == (torch.int32, torch.int64)
    assert state["seen"] is not optimizer.state[table]["seen"]


@pytest.mark.parametrize("rows", ["touched", "dense"])
def test_dense_gradients_of_a_table_make_the_steps_of_sparse_ones(rows):
    """A GPU gets dense gradients. The optimiser's state moves between both in the middle of the run."""
    tables = [torch.nn.Parameter(torch.ones(11, 3, dtype=torch.float64)) for _ in range(2)]
    optimizers = [Adadelta(parameter_groups([], [table], 0.0), rows=rows) for table in tables]
    for step, (chosen, gradient) in enumerate(random_rows(90)):
        dense_now = step in range(30, 60)
        if step in (30, 60):
            saved = copy.deepcopy(optimizers[1].state_dict())
            if dense_now and rows == "dense":
                catch_up(saved["state"][0], 0.95)  # as load_state_dict does for a table on a GPU
            optimizers[1].load_state_dict(saved)
        for table, optimizer, sparse in zip(tables, optimizers, (True, not dense_now), strict=True):
            optimizer.zero_grad()
            looked_up = torch.nn.functional.embedding(torch.tensor(chosen), table, sparse=sparse)
            (looked_up * torch.tensor(gradient[: len(chosen)])).sum().backward()
            optimizer.step()
    torch.testing.assert_close(*tables, rtol=1e-12, atol=1e-12)


def test_the_state_of_a_table_is_complete_once_it_is_on_another_device():
    table = torch.nn.Parameter(torch.ones(3, 2))
    optimizer = Adadelta(parameter_groups([], [table], 0.0), rows="dense")
    torch.nn.functional.embedding(torch.tensor([1]), table, sparse=True).sum().backward()
    optimizer.step()
    there = Adadelta(parameter_groups([], [torch.nn.Parameter(table.detach().to("meta"))], 0.0), rows="dense")
    there.load_state_dict(optimizer.state_dict())
    ((state),) = there.state.values()
    assert sorted(state) == ["delta", "square"]
    assert all(tensor.device.type == "meta" for tensor in state.values())
