"""Checks of what encoders, matchers and heads are given; every error is one sentence.

The signature of a constructor is the schema of its arguments: their types, choices and sizes are checked before the
constructor runs, so that a wrong one is named instead of failing in the middle of torch.
"""

import inspect
import math
from collections.abc import Callable, Sequence
from functools import cache, wraps
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import torch
from torch import Tensor, nn

Size = Annotated[int, "at least 1"]
"""The type of the size of a layer, or of a number of parts: a whole number of at least 1."""


class CheckedArguments:
    """The base class of modules whose constructors check their arguments by the annotations of their parameters."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "__init__" in vars(cls):
            cls.__init__ = checked(cls.__init__)


def checked(constructor: Callable[..., None]) -> Callable[..., None]:
    """Return a constructor that raises ValueError, in one sentence, for an argument of the wrong type."""
    signature = inspect.signature(constructor)

    @cache
    def hints() -> dict[str, Any]:
        try:
            return get_type_hints(constructor, include_extras=True)
        except NameError:  # annotations of a user's encoder may be for type checkers alone
            return {}

    @wraps(constructor)
    def check_and_construct(self: Any, *args: Any, **kwargs: Any) -> None:
        try:
            given = signature.bind(self, *args, **kwargs).arguments
        except TypeError:
            given = {}  # the constructor itself names the argument that is missing or unknown
        for name, value in given.items():
            kind, hint = signature.parameters[name].kind, hints().get(name, Any)
            if kind is inspect.Parameter.VAR_KEYWORD:
                for key, item in value.items():
                    check_argument(key, item, hint)
            elif kind is inspect.Parameter.VAR_POSITIONAL:
                for place, item in enumerate(value):
                    check_argument(f"{name}[{place}]", item, hint)
            else:
                check_argument(name, value, hint)
        constructor(self, *args, **kwargs)

    return check_and_construct


def check_argument(name: str, value: object, hint: Any) -> None:
    """Raise ValueError, with the argument's name, unless its value has the type `hint`.

    The types are bool, int, `Size`, float (any finite number), Literal, Sequence of these, and None; values of other
    types are not checked.
    """
    origin, options = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        if value is None and NoneType in options:
            return
        hints = [option for option in options if option is not NoneType]
        if len(hints) == 1:
            check_argument(name, value, hints[0])
    elif origin is Literal:
        check_choice(name, value, hint)
    elif origin is Sequence:
        if isinstance(value, str | bytes) or not isinstance(value, Sequence):
            raise ValueError(f"{name} is {value!r}; use a list, also for a single one")
        for place, item in enumerate(value):
            check_argument(f"{name}[{place}]", item, options[0])
    elif hint is bool and not isinstance(value, bool):
        raise ValueError(f"{name} is {value!r}; use True or False")
    elif hint == Size and not (is_number(value, Integral) and value >= 1):  # type: ignore[operator]
        raise ValueError(f"{name} is {value!r}; use a whole number of at least 1")
    elif hint is int and not is_number(value, Integral):
        raise ValueError(f"{name} is {value!r}; use a whole number")
    elif hint is float and not (is_number(value, Real) and math.isfinite(value)):  # type: ignore[arg-type]
        raise ValueError(f"{name} is {value!r}; use a finite number")


def is_number(value: object, kind: type) -> bool:
    """Return whether a value is a number of a kind, such as Integral; True and False are none."""
    return isinstance(value, kind) and not isinstance(value, bool)


def check_choice(name: str, value: object, choices: Any) -> None:
    """Raise ValueError, with the setting's name, unless its value is among those of the Literal type `choices`."""
    if not any(value is choice or (type(value) is type(choice) and value == choice) for choice in get_args(choices)):
        raise ValueError(f"{name} is {value!r}; use one of {', '.join(map(str, get_args(choices)))}")


def check_tensors(**tensors: object) -> None:
    """Raise ValueError if an argument of one of these names is no tensor."""
    for name, value in tensors.items():
        if not isinstance(value, Tensor):
            raise ValueError(f"{name} is of type {type(value).__name__}; use a torch.Tensor")


def check_type(module: nn.Module, **tensors: Tensor) -> None:
    """Raise ValueError if a tensor has another type than the module's parameters, unless autocast converts it.

    Autocast converts fp32 to its own type and back, and no other types.
    """
    for name, x in tensors.items():
        own, device = next(module.parameters(), x).dtype, x.device.type
        types = {own}
        if torch.is_autocast_enabled(device):
            types |= {torch.float32, torch.get_autocast_dtype(device)}
        if x.dtype not in types:
            raise ValueError(f"{name} is {x.dtype} and the parameters of {type(module).__name__} are {own}; convert it")
