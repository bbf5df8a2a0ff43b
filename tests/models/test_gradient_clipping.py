"""The clipping of gradients, which no copy, loading or conversion of an encoder may lose."""

import copy

import pytest
import torch
from models.model_cases import inputs_of
from models.model_copies import COPIES

from attest.models import BiLSTMMax, StructuredSelfAttention
from attest.models.encoders.recurrent import clip_gradient

LIMIT = 1e-3

pytestmark = pytest.mark.usefixtures("backend")


def test_values_stay_and_each_number_of_the_gradient_is_limited():
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    clipped = clip_gradient(x, 0.5)
    assert clipped.equal(x)
    (clipped * torch.tensor([0.25, -4.0, 7.0])).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [0.25, -0.5, 0.5]


def test_torch_func_can_differentiate_it():
    x, factors = torch.ones(3), torch.tensor([0.25, -4.0, 7.0])
    gradient = torch.func.grad(lambda x: (clip_gradient(x, 0.5) * factors).sum())(x)
    assert gradient.tolist() == [0.25, -0.5, 0.5]


def assigned(encoder):
    other = copy.deepcopy(encoder)
    other.load_state_dict({name: value.clone() for name, value in encoder.state_dict().items()}, assign=True)
    return other


def assigned_to_meta(encoder):
    with torch.device("meta"):
        other = type(encoder)(7, 3, clip=LIMIT)
    other.load_state_dict({name: value.clone() for name, value in encoder.state_dict().items()}, assign=True)
    return other


def converted(encoder):
    torch.__future__.set_overwrite_module_params_on_conversion(True)
    try:
        return encoder.double().float()
    finally:
        torch.__future__.set_overwrite_module_params_on_conversion(False)


WAYS = {
    "fresh": lambda encoder: encoder,
    "unfrozen": lambda encoder: encoder.requires_grad_(False),
    "frozen, copied": lambda encoder: copy.deepcopy(encoder.requires_grad_(False)),
    "frozen, pickled": lambda encoder: COPIES["pickle"](encoder.requires_grad_(False)),
    "assigned": assigned,
    "assigned to meta": assigned_to_meta,
    "converted": converted,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("make", [StructuredSelfAttention, BiLSTMMax], ids=lambda make: make.__name__)
def test_gradients_stay_limited(make, way):
    encoder = WAYS[way](make(7, 3, clip=LIMIT)).requires_grad_(True)
    x, inputs = inputs_of(encoder)
    (1e3 * encoder(x, *inputs)).square().sum().backward()
    largest = {name: float(p.grad.abs().max()) for name, p in encoder.named_parameters() if p.grad is not None}
    assert all((value <= 1.01 * LIMIT) == ("lstm" in name) for name, value in largest.items())
    assert sum("lstm" in name for name in largest) == 6  # three for each direction; the redundant bias has none
