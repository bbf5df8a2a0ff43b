"""Derivatives of encoders and matchers beyond the gradient of a loss: those of plain torch, or refused."""

import pytest
import torch
from models.model_cases import CLASSES, MODELS, inputs_of
from torch.autograd import forward_ad

from attest.models.kernels import backends

LSTMS = ("bilstm", "bilstm_max", "bilstm_max_torch", "structured")
PAIR_SCORES = ("dam", "dam_ngrams")
KERNELS_WITH_GRADIENTS = ("s2t", "multi_head", *LSTMS, "disan", "fast", "psan_levels", "dam_recurrence")
SECOND = "cannot be differentiated again"

ignore_jit = pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")  # forward mode of torch uses it


@pytest.fixture
def case(request):
    """A model in evaluation, a function that computes its vectors from words, and words x."""
    model = MODELS[request.param]().eval()
    x, inputs = inputs_of(model)
    return model, lambda x: model(x, *inputs), x


def squares(encode):
    return lambda x: encode(x).square().sum()


def models(names):
    return pytest.mark.parametrize("case", names, indirect=True)


@ignore_jit
@models([name for name in CLASSES if name not in LSTMS + PAIR_SCORES])
def test_forward_mode_agrees_with_the_gradient(case):
    model, encode, x = case
    function, direction = squares(encode), torch.randn_like(x)
    _, derivative = torch.func.jvp(function, (x,), (direction,))
    torch.testing.assert_close(derivative, (torch.func.grad(function)(x) * direction).sum(), rtol=1e-3, atol=1e-3)
    model.requires_grad_(False)
    with forward_ad.dual_level():
        tangent = forward_ad.unpack_dual(function(forward_ad.make_dual(x, direction))).tangent
    torch.testing.assert_close(tangent, derivative)


@ignore_jit
@models(LSTMS + PAIR_SCORES)
def test_forward_mode_is_refused_where_torch_has_no_rule(case):
    _, encode, x = case
    with pytest.raises(RuntimeError, match="forward AD|setup_context"):
        torch.func.jvp(encode, (x,), (torch.ones_like(x),))


@models([name for name in CLASSES if name not in PAIR_SCORES])
def test_torch_func_and_autograd_have_the_same_gradient(case):
    _, encode, x = case
    function = squares(encode)
    got = torch.func.grad(function)(x)
    torch.testing.assert_close(got, torch.autograd.grad(function(x.requires_grad_()), x)[0], rtol=1e-3, atol=1e-4)


def gradient_penalty(encode, x):
    """Return the gradient of a loss that the vectors enter by their gradient alone: the incoming one is constant."""
    (gradient,) = torch.autograd.grad(encode(x.requires_grad_()).sum(), x, create_graph=True)
    gradient.square().sum().backward()
    return x.grad


@models(KERNELS_WITH_GRADIENTS)
def test_kernels_refuse_a_second_derivative_which_plain_torch_has(case):
    if "native" not in backends.choose_backend("cpu", "float32"):
        pytest.skip("there is no C++ compiler here")
    _, encode, x = case
    with pytest.raises(RuntimeError, match=rf"{SECOND}; call attest.models.kernels.backends.use\('reference'\)"):
        gradient_penalty(encode, x)
    backends.use("reference")
    assert gradient_penalty(encode, x).abs().sum() > 0


@models(PAIR_SCORES)
@pytest.mark.parametrize("backend", ["auto", "reference"])
def test_pair_scores_refuse_a_second_derivative(case, backend):
    _, encode, x = case
    backends.use(backend)
    with pytest.raises(RuntimeError, match=f"{SECOND}; use another attention than feed_forward"):
        gradient_penalty(encode, x)


@models(["additive", "s2t", "multi_head", "cnn_max", "disan", "fast", "psan_levels"])
def test_vmap_takes_batches_with_one_mask(case):
    _, encode, x = case
    batches = torch.stack([x, 2 * x])
    torch.testing.assert_close(torch.vmap(encode)(batches), torch.stack([*map(encode, batches)]))
