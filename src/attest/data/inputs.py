"""Inputs of a command: the files, packages and devices that must be there before its work begins."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from attest.config.settings import Dataset, Trainer, Vectors
from attest.data.dataset import dataset_files
from attest.data.files.find_files import find_source
from attest.data.vector_file import find_vectors
from attest.errors import AttestError, SettingsError
from attest.system.devices import is_available


@dataclass(frozen=True)
class Input:
    """Something that a command needs, and a quick check that it is there."""

    name: str
    """The input for people to read, such as "the files of snli"."""
    check: Callable[[], object]
    """A function that raises an AttestError if the input is missing."""


def check_inputs(inputs: Iterable[Input]) -> None:
    """Raise the error of the first missing input; its text also names the other missing inputs."""
    if errors := missing_inputs(inputs):
        raise joint_error(errors)


def joint_error(errors: Mapping[str, AttestError]) -> AttestError:
    """Return one error for the errors of missing inputs, given by the name of the input."""
    (_, first), *others = errors.items()
    more = f" (also missing: {', '.join(name for name, _ in others)})" if others else ""
    return type(first)(f"{first}{more}")


def missing_inputs(inputs: Iterable[Input]) -> dict[str, AttestError]:
    """Return the errors of the missing inputs by the name of the input."""
    errors: dict[str, AttestError] = {}
    for item in inputs:
        try:
            item.check()
        except AttestError as error:
            errors[item.name] = error
    return errors


def dataset_input(dataset: Dataset, data: Path) -> Input:
    """Return the official files of a data set as an input."""
    return Input(f"the files of {dataset.name}", partial(dataset_files, dataset, data))


def tree_inputs(dataset: Dataset, data: Path) -> Iterator[Input]:
    """Yield the files with additional trees of a data set as inputs."""
    for path in dataset.parses:
        yield Input(f"the trees {path}", partial(find_source, data, path))


def vectors_input(vectors: Vectors, data: Path) -> Input:
    """Return the file of word vectors as an input, which is there if none is needed."""
    return Input(f"the word vectors {vectors.file}", partial(find_vectors, vectors, data))


def device_input(trainer: Trainer) -> Input:
    """Return the device that trains as an input."""

    def check() -> None:
        if trainer.accelerator != "auto" and not is_available(trainer.accelerator):
            raise SettingsError(
                f"trainer.accelerator={trainer.accelerator}: torch finds no GPU that it can use here (`attest doctor` "
                "prints what it finds); leave the setting out to train on the CPU"
            )

    return Input("a GPU", check)


def package_input(module: str, package: str, extra: str, user: str) -> Input:
    """Return an optional package as an input: `extra` installs it, and `user`, a setting or command, needs it."""

    def check() -> None:
        if not is_installed(module):
            raise SettingsError(f"{user}: {package} is not installed; type pip install 'attest[{extra}]'")

    return Input(package, check)


def is_installed(module: str) -> bool:
    """Return whether a module can be imported, without importing it."""
    return sys.modules[module] is not None if module in sys.modules else find_spec(module) is not None
