"""Copies and pickles of encoders and matchers, also of those that have made a step of training."""

import copy
import io

import pytest
import torch
from models.model_cases import CLASSES, MODELS, inputs_of
from models.model_copies import COPIES

from attest.models import PSAN, BiLSTMMax, SourceToToken, StructuredSelfAttention
from attest.models.layers import ACTIVATIONS


@pytest.fixture(params=CLASSES)
def model(request):
    return MODELS[request.param]()


def made_step(model):
    """The model after a step of training, whose penalty and gradients are still there."""
    x, inputs = inputs_of(model)
    vectors = model(x, *inputs)
    loss = vectors.square().sum() if model.auxiliary_loss is None else vectors.square().sum() + model.auxiliary_loss
    loss.backward()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.requires_grad:
                parameter -= 0.01 * parameter.grad
    return model


@pytest.mark.parametrize("how", COPIES)
def test_a_copy_after_a_step_gives_the_same_and_is_on_its_own(model, how):
    model = made_step(model)
    copied = COPIES[how](model)
    assert copied.auxiliary_loss is None  # it belongs to the last call of the other one
    x, inputs = inputs_of(model)
    torch.manual_seed(1)
    expected = model(x, *inputs).detach()
    torch.manual_seed(1)
    assert copied(x, *inputs).equal(expected)
    before = [p.clone() for p in model.parameters()]
    made_step(copied)
    assert all(p.equal(q) for p, q in zip(model.parameters(), before, strict=True))
    assert (copied.auxiliary_loss is None) == (model.auxiliary_loss is None)


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("make", [StructuredSelfAttention, BiLSTMMax], ids=lambda make: make.__name__)
def test_a_copy_clips_gradients_as_the_original_does(make, how):
    """torch copies no hooks, so that the copies of an encoder with `clip` learnt without it."""
    model = made_step(make(7, 3, clip=1e-3))
    copied = COPIES[how](COPIES[how](model))
    for encoder in (model, copied):
        encoder.zero_grad()
        x, inputs = inputs_of(encoder)
        (1e3 * encoder(x, *inputs)).square().sum().backward()
        largest = {name: float(p.grad.abs().max()) for name, p in encoder.named_parameters() if p.requires_grad}
        assert all((value <= 1.01e-3) == ("lstm" in name) for name, value in largest.items())


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_every_activation_can_be_pickled(activation):
    for encoder in (SourceToToken(7, activation=activation), PSAN(7, divisions=(0,), activation=activation)):
        copied = COPIES["pickle"](encoder)
        x, inputs = inputs_of(encoder)
        assert copied(x, *inputs).equal(encoder(x, *inputs))


def test_weights_travel_without_pickled_code(model):
    file = io.BytesIO()
    torch.save(made_step(model).state_dict(), file)
    file.seek(0)
    other = copy.deepcopy(model)
    with torch.no_grad():
        for parameter in other.parameters():
            parameter.fill_(0.1)
    other.load_state_dict(torch.load(file, weights_only=True))
    x, inputs = inputs_of(model)
    assert other.eval()(x, *inputs).equal(model.eval()(x, *inputs))
