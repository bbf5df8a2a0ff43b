"""Objects named in the settings: {_target_: package.Class, key: value, ...}.

The signature of the class's constructor is the schema of its settings: unknown keys and wrong types raise SettingsError
before anything is built, and only packages that the user trusts are imported.
"""

import importlib
import inspect
import traceback
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from contextlib import suppress
from functools import cache
from types import FunctionType, ModuleType
from typing import Any, TypeVar, get_type_hints

from attest.config.flat import to_plain
from attest.config.own_folders import OwnFolder, check_origin, is_own_module, own_folders
from attest.config.schema import convert, did_you_mean, list_known_keys
from attest.config.settings import Settings
from attest.errors import SettingsError

TRUSTED = ("attest", "torch.optim")
"""The packages whose classes settings may name by default."""

EXTENSIONS = ("pytorch_lightning.callbacks", "pytorch_lightning.profilers")
"""The packages whose classes trainer.callbacks and trainer.profiler may name too."""

COMPONENTS = ("model", "head", "optimizer")
"""The settings that name a class."""

MOVED = {
    "attest.encoders": "attest.models.encoders",
    "attest.matchers": "attest.models.matchers",
    "attest.matrix_heads": "attest.models.heads.matrix",
    "attest.heads": "attest.models.heads",
    "attest.optim": "attest.training.optim",
}
"""Earlier package -> present package of the classes that were moved after ids of runs were first hashed.

Ids still hash the earlier names. Records with earlier names are read as if they had the present ones."""
VARIABLE = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
"""The kinds of parameters that stand for any number of arguments."""
PUBLIC = "attest.models"
"""The package that exports every class of the packages below it."""

Base = TypeVar("Base")
Component = Mapping[str, Any]
"""The settings of one object: its class under `_target_`, and the arguments of its constructor."""


def locate_class(component: Component, where: str, trusted: Iterable[str] = TRUSTED) -> type:
    """Import and return the class that a component names.

    Raise SettingsError if its package is neither in `trusted` nor in a folder of the user's own, if it cannot be
    imported, or if it has no such class. `where` is the component's key.
    """
    target = component.get("_target_")
    if not isinstance(target, str) or "." not in target:
        raise SettingsError(f"{where}._target_: expected package.Class, got {target!r}")
    return locate(target, f"{where}._target_", trusted, type)


def locate(target: str, where: str, trusted: Iterable[str], kind: Any) -> Any:
    """Import and return what a full name such as package.Class names, an instance of `kind`.

    Raise SettingsError, with the key `where`, as `locate_class` does.
    """
    module_name, _, name = target.rpartition(".")
    named = any(target == package or target.startswith(package + ".") for package in trusted)
    own = not named and is_own_module(module_name)
    if not named and not own:
        raise SettingsError(
            f"{where}: {target} is in none of the packages {', '.join(trusted)}; name the folder of its code "
            f"with --config-dir FOLDER or ATTEST_PATH, or add its package with packages=[attest,{target.split('.')[0]}]"
        )
    module = import_module(module_name, where)
    if own:
        check_origin(module_name)
    found = getattr(module, name, None)
    if not isinstance(found, kind):
        names = [key for key, value in vars(module).items() if isinstance(value, kind)]
        noun = "class" if kind is type else "function"
        raise SettingsError(f"{where}: {module_name} has no {noun} {name}.{did_you_mean(name, names)}")
    return found


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
            raise SettingsError(f"{where}: cannot import {name}: there is no module {error.name}") from error
        raise SettingsError(f"{where}: {failed_import(name, error)}") from error
    except Exception as error:  # code of the user's own can raise anything
        raise SettingsError(f"{where}: {failed_import(name, error)}") from error


def failed_import(name: str, error: Exception) -> str:
    """Return the text on an error that was raised while a module was imported, with the place in the user's code."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "importlib" not in frame.filename]
    own = [frame for frame in frames if frame.filename != __file__]
    place = f"{own[-1].filename}:{own[-1].lineno}: " if own else ""
    if isinstance(error, SyntaxError) and error.filename:
        place, error = f"{error.filename}:{error.lineno}: ", SyntaxError(error.msg)
    return f"cannot import {name}: {place}{type(error).__name__}: {' '.join(str(error).split())}".rstrip(": ")


def drop_foreign_arguments(
    component: MutableMapping[Any, Any], where: str, target: str, trusted: Iterable[str] = TRUSTED
) -> None:
    """Delete the arguments of a component that the constructor of another class, `target`, does not take.

    A class that cannot be found is left to `check_component`, which says so.
    """
    with suppress(SettingsError):
        taken = constructor_parameters(locate_class({"_target_": target}, where, trusted))
        if not any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in taken.values()):
            for key in [key for key in component if key != "_target_" and key not in taken]:
                del component[key]


def present_class_name(target: str) -> str:
    """Return the present full name of a class, given the name, present or earlier, that a record has for it."""
    package, _, name = target.rpartition(".")
    place = MOVED.get(package, package)
    return f"{PUBLIC}.{name}" if place.startswith(f"{PUBLIC}.") else f"{place}.{name}"


def hashed_class_name(target: str, cls: type) -> str:
    """Return the full name that ids of runs hash for a class: the one that it had when ids were first hashed."""
    for earlier, place in MOVED.items():
        if cls.__module__ == place or cls.__module__.startswith(f"{place}."):
            return f"{earlier}.{cls.__name__}"
    return target


def constructor_parameters(cls: type) -> dict[str, inspect.Parameter]:
    """Return the parameters of the constructor of `cls` by name, without self."""
    signature = inspect.signature(cls.__init__)
    return dict(list(signature.parameters.items())[1:])


def check_component(
    component: Component, where: str, given: Iterable[str] = (), trusted: Iterable[str] = TRUSTED
) -> dict[str, Any]:
    """Return the keyword arguments of a component, converted to the types of its constructor's signature.

    `given` are the names of parameters that are no settings, because the program passes them itself, such as sizes that
    follow from the data. Raise SettingsError for an unknown or missing setting, or for a value of the wrong type.
    """
    cls = locate_class(component, where, trusted)
    taken = constructor_parameters(cls)
    variable = {name for name, parameter in taken.items() if parameter.kind in VARIABLE}
    takes_any = any(taken[name].kind is inspect.Parameter.VAR_KEYWORD for name in variable)
    settable = {name: parameter for name, parameter in taken.items() if name not in {*given, *variable}}
    arguments = {key: value for key, value in component.items() if key != "_target_"}
    for key in arguments:
        if key not in settable and not takes_any:
            raise SettingsError(
                f"{where}.{key}: unknown setting of {cls.__name__}."
                + (did_you_mean(key, settable, where) or list_known_keys(settable))
                + (
                    " The mask group sets directions, which only directional encoders have."
                    if key == "directions"
                    else ""
                )
            )
    for name, parameter in settable.items():
        if name not in arguments and parameter.default is inspect.Parameter.empty:
            raise SettingsError(f"{where}.{name}: {cls.__name__} requires this setting")
    return convert_arguments(cls, arguments, where)


def convert_arguments(cls: type, arguments: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return arguments of the constructor of `cls`, converted to the types of its signature (lr=1 -> 1.0).

    Where a parameter has no annotation, its default gives the type of a number. Raise SettingsError, with the key
    `where`, for a value of the wrong type.
    """
    taken, hints = constructor_parameters(cls), get_type_hints(cls.__init__, include_extras=True)
    floats = {name for name, parameter in taken.items() if name not in hints and isinstance(parameter.default, float)}
    converted = {key: convert(value, hints.get(key, Any), f"{where}.{key}") for key, value in arguments.items()}
    return {key: float(value) if key in floats and type(value) is int else value for key, value in converted.items()}


def canonical_component(component: Component, where: str, trusted: Iterable[str] = TRUSTED) -> Component:
    """Return a component with its arguments as plain values of the types of its constructor, so that each value has
    one spelling: that which records hold and ids hash."""
    arguments = {key: value for key, value in component.items() if key != "_target_"}
    return {**component, **to_plain(convert_arguments(locate_class(component, where, trusted), arguments, where))}


def build_component(component: Component, where: str, *, trusted: Iterable[str] = TRUSTED, **given: Any) -> Any:
    """Build the object that a component describes; `given` are the arguments that the program passes itself.

    Raise SettingsError if the settings are wrong, also if the constructor raises ValueError (a value out of range).
    """
    arguments = check_component(component, where, given, trusted)
    try:
        return locate_class(component, where, trusted)(**given, **arguments)
    except ValueError as error:
        raise SettingsError(f"{where}: {error}") from error


def changed_arguments(component: Component, where: str, trusted: Iterable[str] = TRUSTED) -> dict[str, Any]:
    """Return what ids hash of a component: the name of its class, and its settings that differ from the defaults.

    Their values have the types of the constructor, so that lr=1 and lr=1.0 are one setting.
    """
    cls = locate_class(component, where, trusted)
    defaults = {name: parameter.default for name, parameter in constructor_parameters(cls).items()}
    changed = {
        key: value
        for key, value in canonical_component(component, where, trusted).items()
        if value != to_plain(defaults.get(key, inspect.Parameter.empty))
    }
    return {**changed, "_target_": hashed_class_name(component["_target_"], cls)}
