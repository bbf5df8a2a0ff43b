import copy
from functools import partial

import numpy as np
import pytest
import torch
from conftest import ORACLES
from torch.utils._python_dispatch import TorchDispatchMode

from attest.models.encoders import Additive, DiSAN
from attest.models.heads import PairClassifier
from attest.models.kernels import backends
from attest.training.optim import Adadelta, Adagrad
from attest.training.optim.adadelta import catch_up
from attest.training.optim.parameters import clip_grad_norm, decayed_names, enable_fused_steps, parameter_groups


def test_agrees_with_tensorflow():
    """Six steps of tf.train.AdadeltaOptimizer(0.5) on a matrix and on rows of a table looked up through a concat.

    Words occur twice in a batch, and batch after batch; rows not in a batch keep their accumulators.
    """
    with np.load(ORACLES / "tensorflow_adadelta.npz") as arrays:
        oracle = {name: torch.from_numpy(arrays[name]) for name in arrays.files}
    table, dense = torch.nn.Parameter(oracle["table"]), torch.nn.Parameter(oracle["dense"])
    optimizer = Adadelta([table, dense], lr=0.5)
    for step, rows in enumerate(oracle["rows"]):
        optimizer.zero_grad()
        looked_up = torch.nn.functional.embedding(rows, table, sparse=True)
        loss = (looked_up * oracle["row_gradients"][step]).sum() + (dense * oracle["dense_gradients"][step]).sum()
        loss.backward()
        optimizer.step()
        torch.testing.assert_close(table.data, oracle["tables"][step], rtol=1e-5, atol=1e-7)
        torch.testing.assert_close(dense.data, oracle["denses"][step], rtol=1e-5, atol=1e-7)


def adadelta_step(weight, gradient, square, delta, lr=0.5, rho=0.95, eps=1e-8):
    """The formula, in numpy's double precision."""
    square[:] = rho * square + (1 - rho) * gradient**2
    step = np.sqrt(delta + eps) / np.sqrt(square + eps) * gradient
    delta[:] = rho * delta + (1 - rho) * step**2
    weight -= lr * step


@pytest.fixture(params=["native", "reference"])
def backend(request):
    backends.use(request.param)
    return request.param


def random_rows(steps):
    """What is looked up in a table of 11 words, and the gradients; words occur twice, and stay away for long."""
    rng = np.random.default_rng(0)
    for step in range(steps):
        common = rng.integers(0, 5, size=4)
        yield np.append(common, 5 + step // 13 % 6) if step % 13 == 0 else common, rng.normal(size=(5, 3))


@pytest.mark.parametrize("rows", ["touched", "dense"])
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, 1e-9), (torch.float32, 2e-5)])
def test_200_steps_on_a_table_follow_the_plain_formula(rows, dtype, tolerance, backend):
    rng = np.random.default_rng(1)
    weight, square, delta = rng.normal(size=(11, 3)), np.zeros((11, 3)), np.zeros((11, 3))
    table = torch.nn.Parameter(torch.tensor(weight, dtype=dtype))
    optimizer = Adadelta([table], rows=rows)
    for chosen, gradient in random_rows(200):
        gradient = gradient[: len(chosen)]
        optimizer.zero_grad()
        looked_up = torch.nn.functional.embedding(torch.tensor(chosen), table, sparse=True)
        (looked_up * torch.tensor(gradient, dtype=dtype)).sum().backward()
        optimizer.step()
        full = np.zeros((11, 3))
        np.add.at(full, chosen, gradient)
        where = np.unique(chosen) if rows == "touched" else np.arange(11)
        parts = [array[where] for array in (weight, full, square, delta)]
        adadelta_step(*parts)
        for array, part in zip((weight, full, square, delta), parts, strict=True):
            array[where] = part
    np.testing.assert_allclose(table.detach().numpy(), weight, rtol=tolerance, atol=tolerance)


def test_touched_and_dense_rows_differ():
    tables = []
    for rows in ("touched", "dense"):
        table = torch.nn.Parameter(torch.ones(11, 3))
        optimizer = Adadelta([table], rows=rows)
        for chosen, gradient in random_rows(50):
            optimizer.zero_grad()
            looked_up = torch.nn.functional.embedding(torch.tensor(chosen), table, sparse=True)
            (looked_up * torch.tensor(gradient[: len(chosen)]).float()).sum().backward()
            optimizer.step()
        tables.append(table.detach())
    assert not torch.allclose(*tables)


@pytest.mark.parametrize("weight_decay", [0.0, 0.1])
def test_200_dense_steps_equal_torchs_adadelta(weight_decay, backend):
    start = torch.randn(37, 5)
    ours, theirs = torch.nn.Parameter(start.clone()), torch.nn.Parameter(start.clone())
    first = Adadelta([ours], weight_decay=weight_decay)
    second = torch.optim.Adadelta([theirs], lr=0.5, rho=0.95, eps=1e-8, weight_decay=weight_decay)
    for _ in range(200):
        gradient = torch.randn(37, 5)
        ours.grad, theirs.grad = gradient.clone(), gradient.clone()
        first.step()
        second.step()
    torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=2e-6)


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


def test_a_table_with_rows_cannot_decay():
    table = torch.nn.Parameter(torch.ones(11, 3))
    torch.nn.functional.embedding(torch.tensor([1]), table, sparse=True).sum().backward()
    with pytest.raises(ValueError, match="cannot have a weight decay"):
        Adadelta([table], weight_decay=0.1).step()


@pytest.mark.parametrize("rows", ["touched", "dense"])
def test_a_table_with_a_dense_gradient_cannot_decay_either(rows):
    """A GPU gives it such a gradient; the same settings have to end in the same error there."""
    table = torch.nn.Parameter(torch.ones(11, 3))
    table.grad = torch.ones(11, 3)
    with pytest.raises(ValueError, match="cannot have a weight decay; set weight_decay=0"):
        Adadelta([{"params": [table], "table": True}], weight_decay=0.1, rows=rows).step()
    assert table.equal(torch.ones(11, 3))


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


class Operations(TorchDispatchMode):
    """The names of the operations in its context."""

    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.names.append(func._schema.name.removeprefix("aten::"))
        return func(*args, **(kwargs or {}))


def test_a_step_without_the_kernel_is_as_many_operations_for_many_parameters_as_for_one():
    """On a GPU each operation has a cost of its own, which is more than the time to compute so few numbers."""
    counts = []
    for number in (1, 40):
        parameters = [torch.nn.Parameter(torch.ones(3, 2, device="meta")) for _ in range(number)]
        for parameter in parameters:
            parameter.grad = torch.ones_like(parameter)
        optimizer = Adadelta(parameters, weight_decay=0.1)
        optimizer.step()
        with Operations() as operations:
            optimizer.step()
        counts.append(len(operations.names))
    assert counts[0] == counts[1] < 20


def test_steps_of_many_parameters_are_those_of_the_formula_one_by_one():
    """Bit for bit, since no record may depend on which operations compute a step."""
    backends.use("reference")
    rho, eps, decay = 0.95, 1e-8, 0.1
    starts = [torch.randn(shape) for shape in [(3, 2), (5,), (), (2, 3, 4)]]
    starts += [torch.randn(4, 3).t(), torch.randn(3, 3, dtype=torch.float64), torch.randn(300).bfloat16()]
    parameters = [torch.nn.Parameter(start.clone()) for start in starts]
    optimizer = Adadelta(parameters, weight_decay=decay)
    states = [(torch.zeros_like(start), torch.zeros_like(start)) for start in starts]
    for _ in range(20):
        for parameter, weight, (square, delta) in zip(parameters, starts, states, strict=True):
            parameter.grad = torch.randn_like(parameter)
            gradient = parameter.grad.add(weight, alpha=decay)
            square.mul_(rho).addcmul_(gradient, gradient, value=1 - rho)
            step = (delta + eps).div_(square + eps).sqrt_().mul_(gradient)
            delta.mul_(rho).addcmul_(step, step, value=1 - rho)
            weight.sub_(step, alpha=0.5)
        optimizer.step()
    assert all(parameter.equal(weight) for parameter, weight in zip(parameters, starts, strict=True))


def test_gradients_are_clipped_by_one_operation():
    parameters = [torch.nn.Parameter(torch.ones(3, 2)) for _ in range(40)]
    for parameter in parameters:
        parameter.grad = torch.randn(3, 2)
    before = [parameter.grad.clone() for parameter in parameters]
    with Operations() as operations:
        norm = clip_grad_norm(parameters, 5.0)
    assert [name for name in operations.names if name in ("_foreach_mul_", "mul_", "clamp")] == [
        "clamp",
        "_foreach_mul_",
    ]
    factor = (5.0 / (norm + 1e-6)).clamp(max=1.0)
    assert factor < 1
    assert all(parameter.grad.equal(old * factor) for parameter, old in zip(parameters, before, strict=True))
    assert clip_grad_norm([torch.nn.Parameter(torch.ones(1))], 5.0) == 0  # no gradient yet


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


def test_decay_is_the_gradient_of_half_the_squared_norm():
    matrix = torch.nn.Parameter(torch.randn(3, 5))
    twin = torch.nn.Parameter(matrix.detach().clone())
    decaying, plain = Adadelta([matrix], weight_decay=0.1), Adadelta([twin])
    for _ in range(3):
        for parameter, penalty in ((matrix, 0.0), (twin, 0.05)):
            parameter.grad = None
            (parameter.sin().sum() + penalty * parameter.square().sum()).backward()
        decaying.step()
        plain.step()
    torch.testing.assert_close(matrix, twin)


@pytest.mark.parametrize("wrong", [{"lr": 0.0}, {"rho": 1.0}, {"eps": 0.0}, {"weight_decay": -1.0}, {"rows": "some"}])
def test_values_out_of_range_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Adadelta([torch.nn.Parameter(torch.zeros(1))], **wrong)


def test_adagrad_is_not_to_divide_by_zero():
    with pytest.raises(ValueError, match="initial and eps are not both 0"):
        Adagrad([torch.nn.Parameter(torch.ones(2))], initial=0.0, eps=0.0)


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


def test_a_checkpoint_of_before_leaves_tables_marked():
    table = torch.nn.Parameter(torch.ones(3, 2))
    optimizer = Adadelta(parameter_groups([], [table], 0.0))
    earlier = optimizer.state_dict()
    for group in earlier["param_groups"]:
        group.pop("table", None)
    optimizer.load_state_dict(earlier)
    assert [group["table"] for group in optimizer.param_groups] == [False, False, True]


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
