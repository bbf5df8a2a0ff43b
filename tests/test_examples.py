"""Public names: the examples in their docstrings run, their arguments are explained, and the reference lists them."""

import dataclasses
import doctest
import importlib
import inspect
import pkgutil
import re
import shutil
from pathlib import Path
from types import FunctionType

import pytest
import torch
from places import ROOT

import attest
from attest.models.heads.matrix.pruned import PrunedClassifier
from attest.training import run as training

PUBLIC = {
    f"{module}.{name}": getattr(importlib.import_module(module), name)
    for module in ("attest.models", "attest.models.attention", "attest.transfer")
    for name in importlib.import_module(module).__all__
} | {"attest.load": attest.load}
SHORT = {name.rpartition(".")[2]: value for name, value in PUBLIC.items()} | {"torch": torch, "attest": attest}
"""The names that examples may use: those that `from attest.models import *` and the like give, and torch."""
REFERENCE = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs/reference").glob("*.md"))


def examples(value):
    """Return the examples of an object's own docstring, with those of its public methods."""
    if not isinstance(value, type | FunctionType):
        return []
    module = inspect.getmodule(value)
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = finder.find(value, module=module, globs={**vars(module), **SHORT})
    return [test for test in found if test.examples]


def run_examples(tests):
    """Run examples; fail with what they print if they print something else."""
    for test in tests:
        said: list[str] = []
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        runner.run(test, out=said.append)
        assert not said, "".join(said)


@pytest.mark.parametrize("name", [name for name in PUBLIC if examples(PUBLIC[name]) and "models" in name])
def test_examples_of_models_run(name):
    run_examples(examples(PUBLIC[name]))


def test_examples_of_an_evaluation_run(mini_data, tmp_path, monkeypatch):
    (tmp_path / "data").symlink_to(mini_data)
    monkeypatch.chdir(tmp_path)
    found = [test for name in PUBLIC if name.startswith("attest.transfer") for test in examples(PUBLIC[name])]
    assert len(found) == 3
    run_examples(found)


def test_the_example_of_a_run_runs(settings_with, tmp_path, monkeypatch):
    settings = settings_with("model=disan", "protocol.steps=2", "protocol.evaluate_every=2")
    record = training.run(settings)
    (found,) = examples(attest.load)
    (folder,) = re.findall(r'attest\.load\("(\S+)"\)', found.docstring)
    shutil.copytree(Path(settings.paths.runs) / record.id, tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    run_examples([found])


def test_every_model_has_an_example():
    without = [name for name, value in PUBLIC.items() if inspect.isclass(value) and not examples(value)]
    assert sorted(name.rpartition(".")[2] for name in without) == ["Head", "Matcher", "Outcome", "Sklearn", "Torch"]


def test_every_public_name_is_in_the_reference():
    listed = [pkgutil.resolve_name(name) for name in re.findall(r"^::: (\S+)$", REFERENCE, re.MULTILINE)]
    missing = [name for name, value in PUBLIC.items() if not any(value is documented for documented in listed)]
    assert not missing, "add them to docs/reference"


@pytest.mark.parametrize("name", [name for name, value in PUBLIC.items() if isinstance(value, type | FunctionType)])
def test_every_argument_is_explained(name):
    """An argument with a suffix, such as keys_ND, may be explained without it. Fields have docstrings of their own."""
    value = PUBLIC[name]
    assert value.__doc__
    if dataclasses.is_dataclass(value):
        return
    text = value.__doc__ + (value.__init__.__doc__ or "" if inspect.isclass(value) else "")
    if inspect.isclass(value) and issubclass(value, PrunedClassifier):
        text += SHORT["PrunedSentenceClassifier"].__doc__
    for argument in inspect.signature(value).parameters:
        plain = re.sub("_[A-Z0-9]+$", "", argument)
        assert plain in ("args", "kwargs") or re.search(rf"\b{plain}\b", text), argument
