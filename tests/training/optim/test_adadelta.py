"""Adadelta against TensorFlow's and torch's own, and against its formula."""

import numpy as np
import pytest
import torch
from gpu.watch import Watch
from places import ORACLES
from training.optim.table_rows import random_rows

from attest.models.kernels import backends
from attest.training.optim import Adadelta


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


@pytest.mark.parametrize("rows", ["touched", "dense"])
@pytest.mark.parametrize(
    ("backend", "dtype", "tolerance"),
    [("reference", torch.float64, 1e-9), ("reference", torch.float32, 2e-5), ("native", torch.float32, 2e-5)],
    indirect=["backend"],
)
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


def test_a_step_without_the_kernel_is_as_many_operations_for_many_parameters_as_for_one():
    """On a GPU each operation has a cost of its own, which is more than the time to compute so few numbers."""
    counts = []
    for number in (1, 40):
        parameters = [torch.nn.Parameter(torch.ones(3, 2, device="meta")) for _ in range(number)]
        for parameter in parameters:
            parameter.grad = torch.ones_like(parameter)
        optimizer = Adadelta(parameters, weight_decay=0.1)
        optimizer.step()
        with Watch("meta") as watch:
            optimizer.step()
        counts.append(len(watch.names))
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


def test_an_epsilon_of_a_group_that_is_0_in_its_type_is_refused_and_not_that_of_the_defaults():
    half = torch.nn.Parameter(torch.ones(3, dtype=torch.float16))
    half.grad = torch.ones_like(half)
    with pytest.raises(ValueError, match=r"eps is 1e-08, which is 0 in torch.float16"):
        Adadelta([{"params": [half], "eps": 1e-8}], eps=1e-3).step()
    Adadelta([{"params": [half], "eps": 1e-3}], eps=1e-8).step()
    assert (half < 1).all()


def test_values_of_a_group_that_are_out_of_range_are_refused():
    with pytest.raises(ValueError, match=r"0 <= rho < 1.*got 0.5, 2.0"):
        Adadelta([{"params": [torch.nn.Parameter(torch.zeros(3))], "rho": 2.0}])


@pytest.mark.parametrize("wrong", [{"lr": 0.0}, {"rho": 1.0}, {"eps": 0.0}, {"weight_decay": -1.0}, {"rows": "some"}])
def test_values_out_of_range_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Adadelta([torch.nn.Parameter(torch.zeros(1))], **wrong)
