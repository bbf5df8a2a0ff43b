"""Inputs are looked for before work begins, and all that are missing are named together."""

import sys
from types import SimpleNamespace

import pytest

from attest.config.settings import Trainer
from attest.data.inputs import Input, check_inputs, device_input, is_installed, missing_inputs, package_input
from attest.errors import DataError, SettingsError


def failing(error):
    def check():
        raise error

    return check


def test_the_first_error_names_the_other_missing_inputs():
    inputs = [
        Input("here", lambda: None),
        Input("the files of a", failing(DataError("a: missing"))),
        Input("a GPU", failing(SettingsError("no GPU"))),
    ]
    assert list(missing_inputs(inputs)) == ["the files of a", "a GPU"]
    with pytest.raises(DataError, match=r"^a: missing \(also missing: a GPU\)$"):
        check_inputs(inputs)
    with pytest.raises(SettingsError, match="^no GPU$"):
        check_inputs(inputs[2:])
    check_inputs(inputs[:1])


def test_only_errors_of_ours_mean_that_an_input_is_missing():
    with pytest.raises(ZeroDivisionError):
        missing_inputs([Input("broken", failing(ZeroDivisionError()))])


@pytest.mark.parametrize("available", [False, True])
def test_a_gpu_is_needed_where_it_is_asked_for(available, monkeypatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: available)
    assert not missing_inputs([device_input(Trainer())])
    missing = missing_inputs([device_input(Trainer(accelerator="gpu"))])
    assert ("trainer.accelerator=gpu: torch finds no GPU" in str(missing.get("a GPU"))) is not available


def test_a_package_is_looked_for_without_importing_it(monkeypatch):
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    assert is_installed("colorsys")
    assert "colorsys" not in sys.modules
    monkeypatch.setitem(sys.modules, "colorsys", None)
    assert not is_installed("colorsys")
    monkeypatch.setitem(sys.modules, "no_such_package", SimpleNamespace())
    assert is_installed("no_such_package")
    with pytest.raises(
        SettingsError, match=r"classifier=x: colours is not installed; type pip install 'attest\[hue\]'"
    ):
        check_inputs([package_input("colorsys", "colours", "hue", "classifier=x")])
