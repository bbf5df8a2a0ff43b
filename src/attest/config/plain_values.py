"""The second step of composition on plain dicts: overrides of single values, then interpolations such as ${seed}.

Hydra does both on OmegaConf's nodes, which have to be made, copied and converted back, and take most of the time.
What is rare raises NotPlainError here and is left to Hydra: overrides that add, delete or name another class, wrong
keys, relative keys.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hydra.core.override_parser.types import Override, OverrideType
from omegaconf import OmegaConf
from omegaconf.grammar_visitor import GrammarVisitor
from omegaconf.resolvers import oc

from attest.config.parsed_once import parse_interpolation
from attest.config.paths import cache_folder, data_folder, home

OWN_RESOLVERS: dict[str, Callable[..., Any]] = {
    "attest_home": lambda: str(home()),
    "attest_data": data_folder,
    "attest_cache": lambda below: str(cache_folder(Path(below))),
}
"""The functions that interpolations in `conf/` call besides those of OmegaConf."""
RESOLVERS = {**OWN_RESOLVERS, "oc.env": oc.env}
"""The functions that need no OmegaConf node; oc.select, which reads the configuration, is `Interpolations.select`."""

for name, function in OWN_RESOLVERS.items():
    OmegaConf.register_new_resolver(name, function, replace=True)


class NotPlainError(Exception):
    """A configuration needs Hydra and OmegaConf themselves."""


def override_values(values: Mapping[str, Any], overrides: Sequence[Override]) -> dict[str, Any]:
    """Return nested dicts with some values replaced; raise NotPlainError for overrides other than key=value.

    An override of `_target_` names another class, which may take other arguments (see class_overrides).
    The dicts on the way to a replaced value are copies; all others are shared with `values`.
    """
    changed = dict(values)
    for override in overrides:
        value, (*parents, last) = override.value(), override.key_or_group.split(".")
        if override.type is not OverrideType.CHANGE or override.package is not None or last == "_target_":
            raise NotPlainError(override.input_line)
        inner = changed
        for key in parents:
            if not isinstance(inner.get(key), dict):
                raise NotPlainError(override.input_line)
            inner[key] = inner = dict(inner[key])
        if last not in inner or isinstance(inner[last], dict) or not is_plain(value):
            raise NotPlainError(override.input_line)
        inner[last] = value
    return changed


def is_plain(value: object) -> bool:
    """Return whether a value, or each item of a list, is a number, a truth value, None or a text without a meaning."""
    if isinstance(value, list):
        return all(map(is_plain, value))
    if isinstance(value, str):
        return "${" not in value and value != "???"
    return value is None or isinstance(value, bool | int | float)


class Interpolations:
    """The interpolations of one configuration, which are resolved in a copy of it."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values
        self.visitor = GrammarVisitor(self.look_up, self.call, memo=None)

    def resolve(self, value: Any) -> Any:
        """Return a copy of a value in which each text with ${...} is replaced by what it stands for."""
        if isinstance(value, dict):
            return {key: self.resolve(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.resolve(item) for item in value]
        if isinstance(value, str) and "${" in value:
            return self.visitor.visit(parse_interpolation(value))
        return value

    def look_up(self, key: str, memo: object = None) -> Any:
        """Return the value at an absolute dotted key."""
        value: Any = self.values
        for part in key.split("."):
            value = value[part]
        if value == "???":
            raise NotPlainError(key)
        return self.resolve(value)

    def select(self, key: str, default: Any = None) -> Any:
        """Return the value at an absolute dotted key, or `default` if there is none."""
        try:
            return self.look_up(key)
        except KeyError:
            return default

    def call(self, name: str, args: tuple[Any, ...], args_str: tuple[str, ...]) -> Any:
        """Return the result of a function, as in ${oc.env:HOME}."""
        return self.select(*args) if name == "oc.select" else RESOLVERS[name](*args)


def resolve_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of nested dicts with all interpolations resolved; raise NotPlainError if one is out of reach."""
    interpolations = Interpolations(values)
    try:
        return {key: interpolations.resolve(value) for key, value in values.items()}
    except Exception as error:  # any error is found again, and named, by OmegaConf
        raise NotPlainError(str(error)) from error
