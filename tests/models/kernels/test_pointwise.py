"""Dropout, ELU and the fusion gate in C++ beside plain torch."""

import pytest
import torch
import torch.nn.functional as F
from marks import needs_kernels

from attest.models.kernels import backends
from attest.models.kernels.dropout import Dropout, dropout, reference_dropout
from attest.models.kernels.elu import elu
from attest.models.kernels.gate import fuse, gate

pytestmark = needs_kernels


def stays(number, p, seed):
    return dropout(torch.ones(number), p, seed, torch.float32) != 0


@pytest.mark.parametrize("p", [0.1, 0.25, 0.5, 0.9])
def test_the_share_that_stays_is_that_of_chance(p):
    number = 1_000_000
    share = stays(number, p, 12345).float().mean()
    assert abs(share - (1 - p)) < 5 * (p * (1 - p) / number) ** 0.5


def test_what_stays_is_scaled_up_and_the_extremes_are_exact():
    y = dropout(torch.full((1001,), 3.0), 0.25, 7, torch.float32)
    assert set(y.tolist()) == {0.0, 4.0}
    assert dropout(torch.ones(33), 0.0, 7, torch.float32).eq(1).all()
    assert dropout(torch.ones(33), 1.0, 7, torch.float32).eq(0).all()


@pytest.mark.parametrize("p", [0.0, 0.1, 0.25, 0.9, 1.0])
def test_plain_torch_draws_the_same(p):
    for seed in (0, 1, 2**40 + 3, 2**62 - 1):
        x = torch.randn(17 + seed % 3, 37)
        assert dropout(x, p, seed, torch.float32).equal(reference_dropout(x, p, seed))


def test_places_and_seeds_are_independent():
    """Correlations between neighbours, rows of common widths, and near or related seeds are those of chance."""
    number, p = 2**20, 0.25
    seeds = [0, 1, 2, 2**32, 2**32 + 1, 2**61, 2**62 - 1]
    masks = {seed: stays(number, p, seed).double() for seed in seeds}
    variance, bound = p * (1 - p), 5.5 / number**0.5
    first = masks[1] - (1 - p)
    for lag in (1, 2, 3, 15, 16, 17, 32, 64, 128, 256, 300, 512, 600, 2**16):
        assert abs((first[lag:] * first[:-lag]).mean() / variance) < bound, lag
    for a in seeds:
        for b in seeds:
            if a < b:
                assert abs(((masks[a] - (1 - p)) * (masks[b] - (1 - p))).mean() / variance) < bound, (a, b)


def test_bits_of_many_small_masks_are_those_of_chance():
    """Each place over many seeds, as training draws them."""
    torch.manual_seed(0)
    counts = torch.zeros(256)
    for _ in range(4000):
        counts += stays(256, 0.5, int(torch.randint(2**62, ())))
    chi = ((counts - 2000) ** 2 / 1000).sum()
    assert 256 - 6 * 512**0.5 < chi < 256 + 6 * 512**0.5


def test_the_gradient_passes_where_the_number_did():
    x = torch.randn(5, 37, requires_grad=True)
    y = dropout(x, 0.5, 3, torch.float32)
    y.sum().backward()
    assert x.grad.equal(torch.where(y == 0, 0.0, 2.0))


def test_the_module_follows_torchs_seed_and_rests_in_evaluation():
    module, x = Dropout(0.5), torch.randn(5, 37)
    draws = []
    for _ in range(2):
        torch.manual_seed(1)
        draws.append([module(x), module(x)])
    assert draws[0][0].equal(draws[1][0])
    assert not draws[0][0].equal(draws[0][1])
    assert module.eval()(x) is x
    with pytest.raises(ValueError, match="probability"):
        Dropout(1.5)


def test_under_autocast_the_result_is_what_a_dense_layer_wants():
    x = torch.randn(5, 37, requires_grad=True)
    with torch.autocast("cpu", torch.bfloat16):
        y = Dropout(0.5)(x)
    assert y.dtype == torch.bfloat16
    y.float().sum().backward()
    assert x.grad.dtype == torch.float32
    assert x.grad.equal(torch.where(y == 0, 0.0, 2.0))


@pytest.fixture
def kernel_of_elu(monkeypatch):
    """The kernel is chosen, also where torch's function is faster."""
    monkeypatch.setattr("attest.models.kernels.elu.FASTER", True)


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-6), (torch.bfloat16, 2**-8)])
@pytest.mark.parametrize("shape", [(7, 37), (1, 16), (0, 5), (300, 41)])
def test_elu_in_inference_equals_torchs(kernel_of_elu, shape, dtype, tolerance):
    x = (torch.randn(shape) * torch.logspace(-3, 2, shape[1])).to(dtype)
    with torch.inference_mode():
        y, transposed = elu(x), elu(x.T)
    assert y.dtype == dtype
    torch.testing.assert_close(y, F.elu(x.double()).to(dtype), rtol=tolerance, atol=1e-6)
    assert transposed.equal(y.T)


def test_elu_keeps_nan_and_infinity_and_has_a_gradient(kernel_of_elu):
    x = torch.tensor([torch.nan, torch.inf, -torch.inf, 0.0, -1e-30])
    with torch.inference_mode():
        assert elu(x).nan_to_num(7.0, 8.0).tolist() == [7.0, 8.0, -1.0, 0.0, x[4]]
    x = torch.tensor([2.0, -1.0], requires_grad=True)
    elu(x).sum().backward()
    torch.testing.assert_close(x.grad, torch.tensor([1.0, -1.0]).clamp(max=0).exp())


@pytest.mark.parametrize("shape", [(7, 37), (1, 16), (0, 5), (3, 300)])
@pytest.mark.parametrize("spread", [1.0, 100.0])
def test_the_gate_equals_the_reference(shape, spread):
    x, y, h, s, probe = (torch.randn(shape) for _ in range(5))
    tensors = [x * spread, y, torch.randn(shape[1]), h, s]
    results = []
    for name, dtype in (("native", torch.float32), ("reference", torch.float64)):
        backends.use(name)
        inputs = [tensor.to(dtype).requires_grad_() for tensor in tensors]
        u = fuse(*inputs)
        results.append([u.detach(), *torch.autograd.grad((u * probe.to(dtype)).sum(), inputs)])
    for got, expected in zip(*results, strict=True):
        torch.testing.assert_close(got.double(), expected, rtol=1e-5, atol=2e-6)


def test_the_gate_shows_nan():
    x, y, h, s = torch.randn(4, 3, 5)
    x[1, 2] = torch.nan
    assert fuse(x, y, torch.zeros(5), h, s).isnan().nonzero().tolist() == [[1, 2]]


@pytest.mark.filterwarnings("ignore")
def test_the_operators_keep_torchs_rules():
    tests = ("test_schema", "test_autograd_registration", "test_faketensor", "test_aot_dispatch_static")
    rows = [torch.randn(3, 5, requires_grad=True) for _ in range(4)]
    bias = torch.zeros(5, requires_grad=True)
    torch.library.opcheck(gate.operator, (rows[0], rows[1], bias, rows[2], rows[3]), test_utils=tests)
    torch.library.opcheck(dropout.operator, (rows[0], 0.5, 3, torch.float32), test_utils=tests)
    torch.library.opcheck(dropout.operator, (rows[0], 0.5, 3, torch.bfloat16), test_utils=tests)


@needs_kernels
def test_elu_of_many_numbers_is_shared_between_threads(kernel_of_elu):
    """Pieces of 4,096 numbers and a rest."""
    x, threads = torch.randn(3 * 4096 + 21), torch.get_num_threads()
    with torch.inference_mode():
        torch.set_num_threads(2)
        try:
            torch.testing.assert_close(elu(x), F.elu(x), rtol=1e-6, atol=1e-6)
        finally:
            torch.set_num_threads(threads)
