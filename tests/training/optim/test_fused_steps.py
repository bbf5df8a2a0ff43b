"""Fused steps: they are the plain ones, and the device decides on them."""

import copy

import pytest
import torch

from attest.training.optim import Adadelta, Adagrad
from attest.training.optim.fused_steps import enable_fused_steps
from attest.training.optim.parameters import parameter_groups


@pytest.mark.parametrize("make", [torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW, Adagrad, Adadelta])
def test_fused_steps_are_the_plain_ones(make):
    """On layers and a table, of which some rows have a gradient where the optimiser takes that."""
    plain, rows = torch.nn.Linear(37, 5), make not in (torch.optim.Adam, torch.optim.AdamW)
    quick, optimizers = copy.deepcopy(plain), []
    tables = [torch.nn.Parameter(torch.ones(3, 2)) for _ in range(2)]
    for layer, table in zip((plain, quick), tables, strict=True):
        optimizers.append(make(parameter_groups([layer], [table], 0.1), lr=0.05))
    known = None if make is Adadelta else True
    assert [group.get("fused") for group in enable_fused_steps(optimizers[1]).param_groups] == [known, known, False]
    for _ in range(100):
        x = torch.randn(7, 37)
        for layer, table, optimizer in zip((plain, quick), tables, optimizers, strict=True):
            optimizer.zero_grad()
            looked_up = torch.nn.functional.embedding(torch.tensor([1]), table, sparse=rows)
            (layer(x).square().mean() + looked_up.sum()).backward()
            optimizer.step()
    torch.testing.assert_close(list(plain.parameters()), list(quick.parameters()), rtol=1e-5, atol=1e-6)
    assert tables[0].equal(tables[1])


@pytest.mark.parametrize("said", [{"fused": False}, {"foreach": True}, {"foreach": False}])
def test_settings_that_say_how_torch_steps_are_left_alone(said):
    optimizer = torch.optim.SGD(parameter_groups([torch.nn.Linear(2, 2)], [], 0.1), lr=0.1, **said)
    before = [dict(group) for group in optimizer.param_groups]
    assert [dict(group) for group in enable_fused_steps(optimizer).param_groups] == before


@pytest.mark.parametrize(("saves", "loads"), [("cpu", "meta"), ("meta", "cpu")])
def test_steps_are_fused_by_the_device_that_loads(saves, loads):
    """None leaves the choice to torch, which makes the steps of all parameters on a GPU together."""
    optimizers = {
        device: enable_fused_steps(Adagrad([torch.nn.Parameter(torch.ones(3, 2, device=device))]))
        for device in (saves, loads)
    }
    saved = optimizers[saves].state_dict()
    saved["state"] = {}
    optimizers[loads].load_state_dict(saved)
    assert optimizers[loads].param_groups[0]["fused"] is {"cpu": True, "meta": None}[loads]
    assert saved["param_groups"][0]["fused"] is {"cpu": True, "meta": None}[saves]
    with pytest.raises(ValueError, match="different number of parameter groups"):
        optimizers[loads].load_state_dict({**saved, "param_groups": saved["param_groups"] * 2})
