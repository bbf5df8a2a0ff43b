"""Encoders and matchers whose own parameters are in bf16 or fp16, on every back end, beside the same ones in fp32."""

import copy

import pytest
import torch
from models.model_cases import MASK, MODELS, inputs_of

from attest.models import Aggregation, Encoder, PairClassifier, RelatednessScorer, SentenceClassifier
from attest.models.attention import feature
from attest.models.kernels import backends
from attest.models.kernels.dropout import Dropout

ROUNDING = {torch.bfloat16: 2**-8, torch.float16: 2**-11}
"""The largest relative error of a number that is rounded to a type."""
ROUNDINGS = 8
"""Parameters, word vectors and the results of at most six layers are rounded, one after another."""


@pytest.fixture(params=MODELS)
def make(request):
    torch.manual_seed(1)
    return MODELS[request.param]


def with_gradients(model, x, others):
    model.zero_grad()
    vectors = model(x, *others)
    vectors.float().square().sum().backward()
    gradients = [p.grad.flatten().double() for p in model.parameters() if p.requires_grad]
    return vectors.detach(), torch.cat(gradients)


def relative(got, expected):
    return float((got.double() - expected.double()).norm() / expected.double().norm())


def test_values_and_gradients_are_those_of_fp32_but_for_rounding(make, monkeypatch):
    monkeypatch.setattr(feature, "compiled_attention", lambda: feature.reference_attention)  # compiling takes seconds
    model = make()
    x, others = inputs_of(model)
    for backend in ("native", "reference", "compiled"):
        backends.use(backend)
        vectors, gradients = with_gradients(model, x, others)
        for kind, rounding in ROUNDING.items():
            half = copy.deepcopy(model).to(kind)
            found, of_found = with_gradients(half, x.to(kind), others)
            assert found.dtype == kind
            assert relative(found, vectors) < ROUNDINGS * rounding, (backend, kind)
            # Backwards each layer rounds once more.
            assert relative(of_found, gradients) < 2 * ROUNDINGS * rounding, (backend, kind)


def test_maps_are_those_of_fp32_but_for_rounding(make):
    model = make().eval()
    x, others = inputs_of(model)
    maps = model.attend(x, *others)
    for kind, rounding in ROUNDING.items():
        found = copy.deepcopy(model).to(kind).attend(x.to(kind), *others)
        for name, weights in maps.items():
            if name == "maximum":  # the highest of two words that are nearly alike may be the other one
                continue
            torch.testing.assert_close(found[name].float(), weights.float(), rtol=0, atol=2 * ROUNDINGS * rounding)


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float16], ids=str)
def test_a_step_under_autocast_works(make, kind):
    """Under fp16 the kernels leave the work to torch, where they used to write beyond arrays."""
    model = make(dropout=0.3)
    x, others = inputs_of(model)
    with torch.autocast("cpu", kind):
        vectors = model(x, *others)
    vectors.float().square().sum().backward()
    assert vectors.isfinite().all()
    assert all(p.grad.isfinite().all() for p in model.parameters() if p.requires_grad)


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float16, torch.float64], ids=str)
@pytest.mark.parametrize(
    ("head", "sentences"),
    [(PairClassifier, 2), (SentenceClassifier, 1), (RelatednessScorer, 2), (Aggregation, 2)],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_heads_follow(head, sentences, kind):
    built, vectors = head(6, 3, hidden_size=5), torch.randn(sentences, 4, 6)
    expected, found = built(*vectors), copy.deepcopy(built).to(kind)(*vectors.to(kind))
    assert found.dtype == kind
    torch.testing.assert_close(found.float(), expected, rtol=0, atol=float(expected.detach().abs().max()) * 0.04)


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float16, torch.float64], ids=str)
def test_dropout_draws_the_same_in_every_type(kind):
    module, x = Dropout(0.5), torch.randn(50, 37)
    torch.manual_seed(1)
    plain = module(x)
    torch.manual_seed(1)
    found = module(x.to(kind))
    assert found.dtype == kind
    torch.testing.assert_close(found.float(), 2 * torch.where(plain == 0, 0.0, x.to(kind).float()))


def test_word_vectors_of_another_type_than_the_encoder_are_refused(make):
    model = make()
    x, others = inputs_of(model)
    with pytest.raises(ValueError, match=r"^x is torch.float64 and the parameters of \w+ are torch.float32; convert"):
        model(x.double(), *others)
    with pytest.raises(ValueError, match=r"^x is torch.int64 and"):
        model.attend(x.long(), *others)


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float16], ids=str)
def test_under_autocast_word_vectors_are_in_fp32_or_in_its_type(make, kind):
    """Autocast converts no other types: layers used to fail in torch's own words, or some encoders to return."""
    model = make()
    x, others = inputs_of(model)
    with torch.autocast("cpu", kind):
        for other in {torch.bfloat16, torch.float16, torch.float64} - {kind}:
            with pytest.raises(
                ValueError, match=rf"^x is {other} and the parameters of \w+ are torch.float32; convert"
            ):
                model(x.to(other), *others)
        for own in (torch.float32, kind):
            assert model(x.to(own), *others).isfinite().all()


def test_an_encoder_without_parameters_takes_every_type():
    class Mean(Encoder):
        width = 7

        def encode(self, x_ND, layout):
            return layout.grid(x_ND).mean(1)

    x = torch.randn(5, 11, 7)
    for kind in (torch.float16, torch.bfloat16, torch.float64):
        assert Mean()(x.to(kind), MASK).dtype == kind
