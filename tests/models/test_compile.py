"""Encoders and matchers under torch.compile: the same vectors and gradients as without it."""

import pytest
import torch
from models.model_cases import MODELS, inputs_of

from attest.models import StructuredSelfAttention

pytestmark = [
    pytest.mark.usefixtures("backend"),
    pytest.mark.filterwarnings("ignore::UserWarning"),  # the compiler's own, about breaks of the graph
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The .grad attribute"),
]


def gradients(model, call, x, inputs):
    """Return the vectors that a call gives, and the gradients of x and of the model's parameters."""
    model.zero_grad()
    x = x.clone().requires_grad_()
    vectors = call(x, *inputs)
    vectors.square().sum().backward()
    return vectors, x.grad, *(p.grad for p in model.parameters())


@pytest.mark.parametrize("name", ["disan", "bilstm", "dam"])
def test_a_compiled_model_computes_the_same(name):
    torch._dynamo.reset()
    model = MODELS[name]().train()
    x, inputs = inputs_of(model)
    expected, got = (gradients(model, call, x, inputs) for call in (model, torch.compile(model, backend="aot_eager")))
    torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-4)


def test_a_compiled_model_limits_its_gradients():
    torch._dynamo.reset()
    model = StructuredSelfAttention(7, 3, clip=1e-5)
    x, inputs = inputs_of(model)
    gradients(model, torch.compile(model, backend="aot_eager"), x, inputs)
    clipped = [p.grad.abs().max() for name, p in model.named_parameters() if "lstm" in name and p.grad is not None]
    assert len(clipped) == 6
    assert 0.99e-5 < max(clipped) <= 1.01e-5
