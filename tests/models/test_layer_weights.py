"""Models whose weights are not their own parameters: `functional_call`, pruning and parametrisations."""

import copy

import pytest
import torch
from models.model_cases import CLASSES, MODELS, inputs_of
from torch.nn.utils import parametrize, prune

from attest.models import DAM, BiLSTMMax
from attest.models.layer_weights import layer_weights
from attest.models.matchers.scores import FeedForwardScores

KERNEL_MODELS = {
    "lstm": lambda: BiLSTMMax(7, 3, clip=10.0),
    "gru": MODELS["dam_recurrence"],
    "feed_forward": lambda: DAM(7, 20, attention="feed_forward", initialisation="uniform", initial=0.3),
}
"""Models with layers whose own `forward` is not called."""

pytestmark = pytest.mark.usefixtures("backend")


@pytest.fixture(params=CLASSES)
def model(request):
    return MODELS[request.param]().eval()


def test_functional_call_computes_with_the_given_weights(model):
    x, inputs = inputs_of(model)
    weights = {name: 1.1 * p.detach() for name, p in model.named_parameters()}
    other = copy.deepcopy(model)
    other.load_state_dict(weights)
    assert torch.func.functional_call(model, weights, (x, *inputs)).equal(other(x, *inputs))


def test_functional_call_gives_gradients_to_the_given_weights(model):
    x, inputs = inputs_of(model)
    weights = {name: p.detach().clone().requires_grad_(p.requires_grad) for name, p in model.named_parameters()}
    torch.func.functional_call(model, weights, (x, *inputs)).square().sum().backward()
    model(x, *inputs).square().sum().backward()
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            torch.testing.assert_close(weights[name].grad, parameter.grad, msg=name)


def kernel_layers(model):
    """The layers of a model whose own `forward` is not called, each with the name of a weight."""
    scores = [layer for layer in model.modules() if isinstance(layer, FeedForwardScores)]
    return [
        *((layer, "weight_hh_l0") for layer in model.modules() if isinstance(layer, torch.nn.RNNBase)),
        *((layer, "weight") for network in scores for layer in (network.hidden, network.output)),
    ]


@pytest.mark.parametrize("kind", KERNEL_MODELS)
def test_a_pruned_model_learns_and_its_pruned_weights_stay_zero(kind):
    """Pruning computes the weights in a hook of the layer, also in the second step."""
    model = KERNEL_MODELS[kind]()
    for layer, name in kernel_layers(model):
        prune.l1_unstructured(layer, name, 0.5)
    x, inputs = inputs_of(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    for _ in range(2):
        optimizer.zero_grad()
        model(x, *inputs).square().sum().backward()
        optimizer.step()
    got = model(x, *inputs)
    for layer, name in kernel_layers(model):
        pruned = layer.get_buffer(f"{name}_mask").eq(0)
        assert int(pruned.sum()) == round(pruned.numel() / 2)
        gradient = layer.get_parameter(f"{name}_orig").grad
        assert gradient is not None
        assert gradient[pruned].eq(0).all()
        assert gradient.abs().sum() > 0
        prune.remove(layer, name)
        assert layer.get_parameter(name)[pruned].eq(0).all()
    assert model(x, *inputs).equal(got)


class Doubled(torch.nn.Module):
    def forward(self, x):
        return 2 * x


@pytest.mark.parametrize("kind", KERNEL_MODELS)
def test_a_parametrised_model_computes_with_the_parametrised_weights(kind):
    model = KERNEL_MODELS[kind]()
    other = copy.deepcopy(model)
    for (layer, name), (plain, _) in zip(kernel_layers(model), kernel_layers(other), strict=True):
        parametrize.register_parametrization(layer, name, Doubled())
        with torch.no_grad():
            plain.get_parameter(name).mul_(2)
    x, inputs = inputs_of(model)
    assert model(x, *inputs).equal(other(x, *inputs))


def test_hooks_of_the_user_are_not_called_for_parameters():
    """A hook that reads the inputs of `forward` would find none."""
    layer, calls = torch.nn.Linear(2, 3), []
    layer.register_forward_pre_hook(lambda *arguments: calls.append(arguments))
    weight, bias = layer_weights(layer, ["weight", "bias"])
    assert weight is layer.weight
    assert bias is layer.bias
    assert not calls
