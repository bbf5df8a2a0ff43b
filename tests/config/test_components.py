import pytest
import torch

from attest.config.components import build_component, changed_arguments, check_component, constructor_hints
from attest.errors import SettingsError
from attest.models.encoders import DiSAN

DISAN = {"_target_": "attest.models.DiSAN", "hidden_size": 3, "scale": 2}


def test_builds_with_what_is_given():
    encoder = build_component(DISAN, "model", input_size=5)
    assert isinstance(encoder, DiSAN)
    assert encoder.width == 6


@pytest.mark.parametrize(
    ("component", "message"),
    [
        ({**DISAN, "hiden_size": 3}, "model.hiden_size: unknown setting of DiSAN. Did you mean model.hidden_size"),
        ({**DISAN, "hidden_size": "3"}, "model.hidden_size: expected a whole number, got '3'"),
        ({**DISAN, "directions": ["forward", "up"]}, r"model.directions\[1\]: 'up' is not one of forward"),
        ({**DISAN, "activation": "elo"}, "model.activation: 'elo' is not one of elu"),
        ({**DISAN, "scale": -1}, r"model: scale \(the paper's c\) is .*; use a positive number"),
        ({**DISAN, "input_size": 5}, "model.input_size: unknown setting of DiSAN"),
        ({"_target_": "attest.models.BiLSTM", "directions": ["forward"]}, "which only directional encoders have"),
        ({"_target_": "attest.models.DiSAM"}, "attest.models has no class DiSAM. Did you mean DiSAN"),
        ({"_target_": "attest.encodres.DiSAN"}, "cannot import attest.encodres"),
        ({"_target_": "other.Class"}, r"is in none of the packages .*packages=\[attest,torch.optim,other\]"),
        ({"_target_": "os.system"}, r"os.system is in none of the packages .*--config-dir FOLDER$"),
        ({"_target_": "attest.runs.store.Path"}, r"attest.runs.store has no class Path\.$"),
        ({"_target_": "attestation.Forged"}, "is in none of the packages"),
        ({"hidden_size": 3}, "model._target_: missing; name a class"),
    ],
)
def test_mistakes_are_settings_errors(component, message):
    with pytest.raises(SettingsError, match=message):
        build_component(component, "model", input_size=5)


def test_required_settings_are_asked_for():
    with pytest.raises(SettingsError, match="model.input_size: missing; DiSAN needs it; type model.input_size=VALUE"):
        check_component(DISAN, "model")


def test_a_users_own_package_can_be_trusted():
    assert build_component({"_target_": "queue.Queue", "maxsize": 3}, "it", trusted=["queue"]).maxsize == 3


def test_differences_are_from_the_constructors_defaults():
    component = {**DISAN, "scale": 5.0, "directions": ("forward", "backward"), "activation": "relu"}
    assert changed_arguments(component, "model") == {
        "_target_": "attest.encoders.DiSAN",
        "hidden_size": 3,
        "activation": "relu",
    }


@pytest.mark.parametrize("annotation", ["torch.Tensr", "Decimal", "a b"])
def test_an_annotation_that_cannot_be_read(annotation):
    class Own:
        def __init__(self, size: int = 3) -> None: ...

    Own.__init__.__annotations__["size"] = annotation
    message = "^model: an annotation of the constructor of Own cannot be read .*; correct it, or import the name"
    with pytest.raises(SettingsError, match=message):
        constructor_hints(Own, "model")


@pytest.mark.parametrize(
    ("settings", "mistake"),
    [
        ({"betas": [0.9]}, r"optimizer.betas: expected a list of 2 values, got \[0.9\]$"),
        (
            {"fused": True, "foreach": True},
            "optimizer: Adam cannot be made with these settings .RuntimeError: .*`fused`",
        ),
    ],
)
def test_values_that_torch_refuses_with_other_errors_are_settings_errors(settings, mistake):
    adam = {"_target_": "torch.optim.Adam", **settings}
    with pytest.raises(SettingsError, match=f"^{mistake}"):
        build_component(adam, "optimizer", params=[torch.nn.Parameter(torch.empty(3, device="meta"))])
