"""The command that trains the run of a record anew."""

import shlex
import sys
from dataclasses import replace

import pytest

from attest.config.compose import compose, compose_unchecked
from attest.config.flat import flatten
from attest.config.locate import own_folder_advice
from attest.errors import SettingsError
from attest.reproduction.run_command import run_command, run_overrides
from attest.runs.records import Record


def settings_of(*overrides: str):
    return flatten(compose_unchecked(overrides))


@pytest.mark.parametrize(
    "overrides",
    [
        ["scale=mini"],
        ["experiment=disan/trec", "scale=paper", "seed=3"],
        ["dataset=multinli", "scale=paper"],
        ["experiment=disan/sick", "dataset=stsb", "scale=mini"],
        ["model=s2t", "scale=mini", "seed=2", "protocol.steps=8"],
        ["mask=forward_backward", "scale=mini"],
        ["model=psan", "phrases=balanced", "scale=mini", "optimizer=adam"],
        ["scale=mini", "text.strip_characters='a,b'", "text.deleted=['(','null']", "optimizer.lr=1e-06"],
        ["scale=mini", "phrases=learned", "phrases.parser_run='12e4'"],
    ],
)
def test_the_command_composes_to_the_settings_and_is_no_longer_than_what_was_typed(overrides):
    found = run_overrides(settings_of(*overrides))
    assert settings_of(*found) == settings_of(*overrides)
    assert len(found) <= len(overrides)


def test_another_class_takes_its_own_arguments():
    wanted = settings_of("model=additive", "model._target_=attest.models.SourceToToken", "model.activation=relu")
    assert settings_of(*run_overrides(wanted)) == wanted


def test_the_command_is_quoted_and_repeats_a_failed_run():
    record = Record(id="ab", status="failed", settings=settings_of("scale=mini"), versions={}, data={}, seed=1)
    assert shlex.split(run_command(record)) == ["attest", "train", "scale=mini", "retry_failed=true"]
    changed = replace(record, status="done", environment={"uncommitted_changes": True})
    assert run_command(changed) == "attest train scale=mini retry_uncommitted=true"


def test_a_data_set_whose_folder_is_not_named_has_no_command():
    settings = {**settings_of("scale=mini"), "dataset.name": "mine"}
    with pytest.raises(
        SettingsError, match="the data set mine is not found; name its folder by the variable ATTEST_PATH or"
    ):
        run_overrides(settings)


PACKAGE = """
from attest.models import Encoder


class Window(Encoder):
    def __init__(self, input_size: int, size: int = 3, dropout: float = 0.5) -> None:
        super().__init__()
        self.width = size

    def encode(self, x_ND, layout):
        raise NotImplementedError
"""
SIZED = PACKAGE.replace("size: int = 3", "hidden_size: int = 3").replace("= size", "= hidden_size")
TYPED = ["scale=mini", "model=s2t", "model._target_=own_package.Window", "model.size=4"]


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package on Python's path, which is in no folder of the user's own; its modules are forgotten after the test."""
    (tmp_path / "own_package.py").write_text(PACKAGE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "packages=[attest,torch.optim,own_package]"
    sys.modules.pop("own_package", None)


@pytest.mark.parametrize("dropped", [[], ["~model.dropout"]])
def test_a_class_of_a_package_is_found_by_the_command_as_it_was_by_the_one_typed(package, dropped):
    wanted = settings_of(*TYPED, *dropped, package)
    found = run_overrides(wanted)
    assert (found[0], found[-1]) == ("model=s2t", package)
    assert settings_of(*found) == wanted
    compose(found)


def test_a_package_whose_class_took_no_size_from_the_scale_does_not_get_it_now(package, tmp_path):
    (tmp_path / "own_package.py").write_text(SIZED)
    typed = [*TYPED[:3], package]
    assert settings_of(*typed)["model.hidden_size"] == 24
    for wanted in (settings_of(*typed), settings_of(*typed, "~model.hidden_size")):
        assert settings_of(*run_overrides(wanted)) == wanted


@pytest.mark.parametrize("form", [PACKAGE, SIZED])
def test_a_class_of_ones_own_is_typed_over_the_choice_that_the_pages_name(form, own_folder):
    (own_folder / "own_typed.py").write_text(form)
    typed = ["model=s2t", "scale=mini", "model._target_=own_typed.Window"]
    assert run_overrides(settings_of(*typed)) == typed


def test_a_record_alone_lets_no_package_be_imported(package):
    wanted = settings_of(*TYPED, package)
    del sys.modules["own_package"]
    assert run_overrides(wanted)[-1] == package
    assert "own_package" not in sys.modules


@pytest.mark.parametrize(
    ("key", "name"), [("model._target_", "nowhere.Mine"), ("task", "nowhere.Task"), ("text.tokens", "nowhere.cut")]
)
def test_code_that_is_not_found_has_no_command(key, name):
    settings = {**settings_of("scale=mini"), key: name}
    with pytest.raises(
        SettingsError, match=f"{key}: {name} is not found; {own_folder_advice('the folder of its code')}"
    ):
        run_overrides(settings)
