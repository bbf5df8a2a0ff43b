"""Classes and functions that settings name in full, as package.Class, from packages that the user trusts."""

import importlib
import sys
import traceback
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar

from attest.config.error_words import did_you_mean
from attest.config.own_folders import OwnFolder, check_origin, is_own_module, own_folders
from attest.config.paths import OWN_FOLDERS_VARIABLE
from attest.config.settings import Settings
from attest.errors import SettingsError

TRUSTED = ("attest", "torch.optim")
"""The packages whose classes settings may name by default."""
Base = TypeVar("Base")
Component = Mapping[str, Any]
"""The settings of one object: its class under `_target_`, and the arguments of its constructor."""


def locate_class(component: Component, where: str, trusted: Collection[str] = TRUSTED) -> type:
    """Import and return the class that a component names.

    Raise SettingsError if its package is neither in `trusted` nor in a folder of the user's own, if it cannot be
    imported, or if it has no such class. `where` is the component's key.
    """
    target = component.get("_target_")
    if target is None:
        raise SettingsError(f"{where}._target_: missing; name a class, as in _target_: package.Class")
    if not isinstance(target, str) or "." not in target:
        raise SettingsError(f"{where}._target_: expected package.Class, got {target!r}")
    return locate(target, f"{where}._target_", trusted, type)


def locate(target: str, where: str, trusted: Collection[str], kind: Any) -> Any:
    """Import and return what a full name such as package.Class names, an instance of `kind`.

    Raise SettingsError, with the key `where`, as `locate_class` does.
    """
    module_name, _, name = target.rpartition(".")
    named = is_in(target, trusted)
    own = not named and is_own_module(module_name)
    if not named and is_built_in(target):
        raise SettingsError(f"packages: attest is missing; type packages=[{','.join(TRUSTED)}]")
    if not named and not own:
        advice = own_folder_advice("the folder of its code")
        if not trusted:
            raise SettingsError(f"{where}: {target} is in no folder of your own; {advice}")
        package = target.partition(".")[0]
        if package not in sys.stdlib_module_names:  # of Python's own, nothing is a model, a head or an optimiser
            advice += f", or add its package with packages=[{','.join([*TRUSTED, package])}]"
        raise SettingsError(f"{where}: {target} is in none of the packages {', '.join(trusted)}; {advice}")
    module = import_module(module_name, where)
    if own:
        check_origin(module_name)
    offered = {key: value for key, value in vars(module).items() if isinstance(value, kind)}
    if is_in(target, TRUSTED):  # but not what a trusted module imports from another package
        offered = {key: value for key, value in offered.items() if is_in(value.__module__, trusted)}
    if name not in offered:
        noun = "class" if kind is type else "function"
        raise SettingsError(f"{where}: {module_name} has no {noun} {name}.{did_you_mean(name, offered)}")
    return offered[name]


def is_built_in(name: str) -> bool:
    """Return whether the full name of a class or a module is one of Attest's own."""
    return is_in(name, ("attest",))


def own_folder_advice(folder: str) -> str:
    """Return how to name a folder of the user's own, which ends an error. `folder` is the noun, as in "its folder"."""
    return f"name {folder} by the variable {OWN_FOLDERS_VARIABLE} or, in a command, by --config-dir FOLDER"


def is_in(name: str, packages: Collection[str]) -> bool:
    """Return whether a full name is one of these packages, or in one of them."""
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def own_code(settings: Settings) -> dict[str, tuple[str, type]]:
    """Return the full name, and the kind, of the user's own task, tokeniser and parser, by the key that names it."""
    named = {
        "task": (settings.task, type),
        "text.tokens": (settings.text.tokens, FunctionType),
        "phrases.source": (settings.phrases.source, type),
    }
    return {key: (name, kind) for key, (name, kind) in named.items() if "." in name}


def own_function(target: str, where: str) -> Callable[..., Any]:
    """Return the function of the user's own that a full name such as my_text.tokenise names."""
    return located_function(target, where, own_folders())


@cache
def located_function(target: str, where: str, folders: Sequence[OwnFolder]) -> Callable[..., Any]:
    """Return the function of one of the folders, located once because tokenisers are called for every sentence."""
    return locate(target, where, (), FunctionType)


def own_subclass(target: str, where: str, base: type[Base]) -> type[Base]:
    """Return the class of the user's own that a full name names; raise SettingsError if it is none of `base`."""
    cls = locate(target, where, (), type)
    if not issubclass(cls, base):
        raise SettingsError(f"{where}: {target} does not derive from {base.__module__}.{base.__name__}")
    return cls


def import_module(name: str, where: str) -> ModuleType:
    """Import and return a module; raise SettingsError, with the file and line, if that fails. `where` is its key."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            advice = "; write module.Class, a class at the top of a module" if "is not a package" in str(error) else ""
            if "." not in error.name:
                advice = (
                    "; install its package, or put its folder on PYTHONPATH; code in a folder that "
                    f"{OWN_FOLDERS_VARIABLE} or --config-dir names needs no `packages`"
                )
            raise SettingsError(f"{where}: cannot import {name}: there is no module {error.name}{advice}") from error
        raise SettingsError(f"{where}: {failed_import(name, error)}") from error
    except (Exception, SystemExit) as error:  # code of the user's own can raise anything, and can end Python
        raise SettingsError(f"{where}: {failed_import(name, error)}") from error


def failed_import(name: str, error: BaseException) -> str:
    """Return the text on an error that was raised while a module was imported, with the location in the user's code."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "importlib" not in frame.filename]
    own = [frame for frame in frames if frame.filename != __file__]
    own = [frame for frame in own if "site-packages" not in Path(frame.filename).parts] or own
    location = f"{own[-1].filename}:{own[-1].lineno}: " if own else ""
    if isinstance(error, SyntaxError) and error.filename:
        location, error = f"{error.filename}:{error.lineno}: ", SyntaxError(error.msg)
    return f"cannot import {name}: {location}{type(error).__name__}: {' '.join(str(error).split())}".rstrip(": ")
