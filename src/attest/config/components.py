"""Objects named in the settings: {_target_: package.Class, key: value, ...}.

The signature of the class's constructor is the schema of its settings: unknown keys and wrong types raise SettingsError
before anything is built.
"""

import inspect
from collections.abc import Collection, Iterator, Mapping, MutableMapping
from contextlib import suppress
from typing import Any, get_type_hints

from attest.config.earlier_class_names import hashed_class_name
from attest.config.error_words import did_you_mean, list_known_keys
from attest.config.flat import to_plain
from attest.config.locate import TRUSTED, Component, locate_class
from attest.config.own_folders import is_own_module
from attest.config.schema import convert
from attest.config.settings import Trainer
from attest.errors import SettingsError
from attest.system.failures import machine_error

EXTENSIONS = ("pytorch_lightning.callbacks", "pytorch_lightning.profilers")
"""The packages whose classes trainer.callbacks and trainer.profiler may name too."""
COMPONENTS = ("model", "head", "optimizer")
"""The settings that name a class."""
SAME_MEANING = {"optimizer": ("lr", "weight_decay")}
"""The arguments that mean the same in all classes of a component: others, such as eps, are deleted if another class is
chosen. A component without an entry keeps all arguments that the other class takes."""
VARIABLE = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
"""The kinds of parameters that stand for any number of arguments."""


def drop_foreign_arguments(
    component: MutableMapping[Any, Any], where: str, target: str, trusted: Collection[str] = TRUSTED
) -> list[str]:
    """Delete the arguments of a component that another class, `target`, does not take or that are not in SAME_MEANING.

    Return the names of these arguments. A class that cannot be found is left to `check_component`, which says so.
    """
    with suppress(SettingsError):
        taken = constructor_parameters(locate_class({"_target_": target}, where, trusted))
        takes_any = any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in taken.values())
        arguments = [key for key in component if key != "_target_"]
        foreign = [
            key for key in arguments if not (takes_any or key in taken) or key not in SAME_MEANING.get(where, arguments)
        ]
        for key in foreign:
            del component[key]
        return foreign
    return []


def constructor_parameters(cls: type) -> dict[str, inspect.Parameter]:
    """Return the parameters of the constructor of `cls` by name, without self."""
    signature = inspect.signature(cls.__init__)
    return dict(list(signature.parameters.items())[1:])


def check_component(
    component: Component, where: str, given: Collection[str] = (), trusted: Collection[str] = TRUSTED
) -> dict[str, Any]:
    """Return the keyword arguments of a component, converted to the types of its constructor's signature.

    `given` are the names of parameters that are no settings, because the program passes them itself, such as sizes that
    follow from the data. Raise SettingsError for an unknown or missing setting, or for a value of the wrong type.
    """
    cls = locate_class(component, where, trusted)
    taken = constructor_parameters(cls)
    variable = {name for name, parameter in taken.items() if parameter.kind in VARIABLE}
    takes_any = any(taken[name].kind is inspect.Parameter.VAR_KEYWORD for name in variable)
    if lacking := [] if takes_any else [name for name in given if name not in taken]:
        raise SettingsError(
            f"{where}: the constructor of {cls.__module__}.{cls.__qualname__} takes no {lacking[0]}, which every "
            f"{where} is given; add this parameter"
        )
    settable = {name: parameter for name, parameter in taken.items() if name not in {*given, *variable}}
    arguments = {key: value for key, value in component.items() if key != "_target_"}
    for key in arguments:
        if key not in settable and not takes_any:
            raise SettingsError(
                f"{where}.{key}: unknown setting of {cls.__name__}."
                + (
                    " The mask group sets directions, which only directional encoders have."
                    if key == "directions"
                    else did_you_mean(key, settable, where) or list_known_keys(settable)
                )
            )
    for name, parameter in settable.items():
        if name not in arguments and parameter.default is inspect.Parameter.empty:
            raise SettingsError(f"{where}.{name}: missing; {cls.__name__} needs it; type {where}.{name}=VALUE")
    return convert_arguments(cls, arguments, where)


def convert_arguments(cls: type, arguments: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return arguments of the constructor of `cls`, converted to the types of its signature (lr=1 -> 1.0).

    Where a parameter has no annotation, its default gives the type of a number. Raise SettingsError, with the key
    `where`, for a value of the wrong type.
    """
    taken, hints = constructor_parameters(cls), constructor_hints(cls, where)
    floats = {name for name, parameter in taken.items() if name not in hints and isinstance(parameter.default, float)}
    converted = {key: convert(value, hints.get(key, Any), f"{where}.{key}") for key, value in arguments.items()}
    return {key: float(value) if key in floats and type(value) is int else value for key, value in converted.items()}


def constructor_hints(cls: type, where: str) -> dict[str, Any]:
    """Return the annotations of the constructor of `cls`; raise SettingsError if one cannot be read."""
    try:
        return get_type_hints(cls.__init__, include_extras=True)
    except (NameError, AttributeError, TypeError, SyntaxError) as error:
        raise SettingsError(
            f"{where}: an annotation of the constructor of {cls.__name__} cannot be read ({error}); correct "
            "it, or import the name where the module is run, and not under TYPE_CHECKING alone"
        ) from error


def canonical_component(component: Component, where: str, trusted: Collection[str] = TRUSTED) -> Component:
    """Return a component with its arguments as plain values of the types of its constructor, so that each value has
    one spelling: that which records hold and ids hash."""
    arguments = {key: value for key, value in component.items() if key != "_target_"}
    return {**component, **to_plain(convert_arguments(locate_class(component, where, trusted), arguments, where))}


def build_component(component: Component, where: str, *, trusted: Collection[str] = TRUSTED, **given: Any) -> Any:
    """Build the object that a component describes; `given` are the arguments that the program passes itself.

    Raise SettingsError if the settings are wrong, also if the constructor raises ValueError (a value out of range) or,
    unless the class is the user's own, another error that wrong values cause.
    """
    arguments = check_component(component, where, given, trusted)
    cls = locate_class(component, where, trusted)
    try:
        return cls(**given, **arguments)
    except ValueError as error:
        raise SettingsError(f"{where}: {error}") from error
    except (IndexError, TypeError, RuntimeError) as error:  # as of torch, for betas=[0.9] or fused beside foreach
        if is_own_module(cls.__module__) or machine_error(error) is not None:
            raise
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise SettingsError(
            f"{where}: {cls.__name__} cannot be made with these settings ({reason}); correct {', '.join(arguments)}"
        ) from error


def changed_arguments(component: Component, where: str, trusted: Collection[str] = TRUSTED) -> dict[str, Any]:
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


def named_callbacks(settings: Trainer) -> Iterator[tuple[str, Component]]:
    """Yield the key of each callback in the settings, and its description."""
    for number, component in enumerate(settings.callbacks):
        yield f"trainer.callbacks[{number}]", component
