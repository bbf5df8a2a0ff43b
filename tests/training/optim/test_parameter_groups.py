"""Which parameters decay, the clipping of gradients, and fused steps."""

import copy

import pytest
import torch
from gpu.watch import Watch

from attest.models.encoders import Additive, DiSAN
from attest.models.heads import PairClassifier
from attest.training.optim import Adadelta, Adagrad
from attest.training.optim.parameters import clip_grad_norm, decayed_names, enable_fused_steps, parameter_groups


def test_what_is_decayed_in_disan():
    encoder = DiSAN(7, 5)
    blocks = {f"blocks.{i}.{name}.weight" for i in range(2) for name in ("hidden", "gate_hidden", "gate_attended")}
    assert decayed_names(encoder) == blocks | {"pooling.hidden.weight", "pooling.score.weight"}


def test_vectors_biases_and_word_tables_are_not_decayed():
    additive, head = Additive(7), PairClassifier(7, 3, hidden_size=5)
    table = torch.nn.Parameter(torch.zeros(11, 7))
    decayed, others, tables = parameter_groups([additive, head], [table], 5e-5)
    assert [p.shape for p in decayed["params"]] == [(7, 7), (5, 28), (3, 5)]
    assert {p.dim() for p in others["params"]} == {1}
    assert (decayed["weight_decay"], others["weight_decay"], tables["weight_decay"]) == (5e-5, 0.0, 0.0)
    assert len(tables["params"]) == 1


def test_gradients_are_clipped_by_one_operation():
    parameters = [torch.nn.Parameter(torch.ones(3, 2)) for _ in range(40)]
    for parameter in parameters:
        parameter.grad = torch.randn(3, 2)
    before = [parameter.grad.clone() for parameter in parameters]
    with Watch("cpu") as watch:
        norm = clip_grad_norm(parameters, 5.0)
    assert [name for name in watch.names if name in ("_foreach_mul_", "mul_", "clamp")] == [
        "clamp",
        "_foreach_mul_",
    ]
    factor = (5.0 / (norm + 1e-6)).clamp(max=1.0)
    assert factor < 1
    assert all(parameter.grad.equal(old * factor) for parameter, old in zip(parameters, before, strict=True))
    assert clip_grad_norm([torch.nn.Parameter(torch.ones(1))], 5.0) == 0  # no gradient yet


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
    optimizers = {
        device: enable_fused_steps(Adagrad([torch.nn.Parameter(torch.ones(3, 2, device=device))]))
        for device in (saves, loads)
    }
    saved = optimizers[saves].state_dict()
    saved["state"] = {}
    optimizers[loads].load_state_dict(saved)
    assert optimizers[loads].param_groups[0]["fused"] == (loads == "cpu")
    assert saved["param_groups"][0]["fused"] == (saves == "cpu")
    with pytest.raises(ValueError, match="different number of parameter groups"):
        optimizers[loads].load_state_dict({**saved, "param_groups": saved["param_groups"] * 2})
