"""Overrides and files that name another class for a model, a head or an optimiser, which takes other arguments."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra._internal.config_repository import IConfigRepository
from hydra.core.default_element import ResultDefault
from hydra.core.override_parser.types import Override
from omegaconf import DictConfig, OmegaConf

from attest.config.components import COMPONENTS, constructor_parameters, drop_foreign_arguments
from attest.config.hydra.precedence import group_of
from attest.config.locate import locate_class
from attest.config.overrides import parse_hydra_override
from attest.config.own_folders import is_own_module
from attest.errors import SettingsError

SHARED_ARGUMENTS = ("hidden_size", "dropout")
"""The settings at the top that model files pass on, as in hidden_size: ${hidden_size}; a scale may change them."""
hydra_apply_overrides = ConfigLoaderImpl._apply_overrides_to_config
"""Hydra's own function, which `patches.composition` replaces for compositions from conf/."""


def apply_overrides_dropping_foreign(overrides: list[Override], config: DictConfig) -> None:
    """Apply overrides as Hydra does; where one names another class, delete the arguments that only the replaced class
    takes.

    An argument that the files of settings give to the replaced class stays if the other class takes it and, for an
    optimiser, if it means the same in all classes (lr and weight_decay). Another model that takes one of
    SHARED_ARGUMENTS gets that of the experiment, as from a file of its own. An override that deletes a deleted argument
    is left out.
    """
    dropped: list[str] = []
    packages = [str(package) for package in packages_in_overrides(overrides) or config.get("packages") or ()]
    for name in COMPONENTS:
        named = [target for override in overrides if (target := target_in(override, name)) is not None]
        component = config.get(name)
        if named and isinstance(component, DictConfig):
            target = named[-1]
            if target != component.get("_target_"):
                OmegaConf.set_struct(component, False)  # the other class has settings that no file names
                dropped += [f"{name}.{key}" for key in drop_foreign_arguments(component, name, target, packages)]
                if name == "model":
                    add_shared_arguments(overrides, component, target, packages)
                    dropped += [f"model.{key}" for key in SHARED_ARGUMENTS if key not in component]
        elif isinstance(component, DictConfig) and takes_more(overrides, component, name, packages):
            OmegaConf.set_struct(component, False)  # the file names only some of the arguments of the class
    hydra_apply_overrides([o for o in overrides if not (o.is_delete() and o.key_or_group in dropped)], config)


def target_in(override: Override, name: str) -> str | None:
    """Return the class that an override names for a component, or None if it names none.

    It may be typed as optimizer._target_=CLASS or as optimizer={_target_: CLASS}.
    """
    value = override.value()
    if override.key_or_group == name and isinstance(value, dict):
        value = value.get("_target_")
    elif override.key_or_group != f"{name}._target_":
        return None
    return value if isinstance(value, str) else None


def add_shared_arguments(
    overrides: Sequence[Override], component: DictConfig, target: str, packages: Sequence[str]
) -> None:
    """Give those of SHARED_ARGUMENTS that another model, `target`, takes and that no override sets the values at the
    top."""
    with suppress(SettingsError):  # named by the checks of the composed settings
        taken = constructor_parameters(locate_class({"_target_": target}, "model", packages))
        set_keys = {override.key_or_group for override in overrides if not override.is_delete()}
        for key in SHARED_ARGUMENTS:
            if key in taken and key not in component and f"model.{key}" not in set_keys:
                component[key] = f"${{{key}}}"


def takes_more(overrides: Sequence[Override], component: DictConfig, name: str, packages: Sequence[str]) -> bool:
    """Return whether overrides set arguments of a component's class that its file leaves at their defaults.

    Any argument may be one if the class is the user's own: the checks of the composed settings name wrong arguments.
    """
    keys = {o.key_or_group.removeprefix(f"{name}.") for o in overrides if o.key_or_group.startswith(f"{name}.")}
    missing = keys - {str(key) for key in component}
    if not missing:
        return False
    with suppress(SettingsError):  # named by the checks of the composed settings
        cls = locate_class(component, name, packages)
        return is_own_module(cls.__module__) or not missing.isdisjoint(constructor_parameters(cls))
    return False


def deletions_for_own_classes(
    defaults: Sequence[ResultDefault], own: Collection[str], repo: IConfigRepository, packages: Sequence[str]
) -> list[Override]:
    """Return the overrides that delete the arguments of shipped files that are foreign to the class in an own file.

    An experiment has a head, and settings of an optimiser. If a file of the user's own names a class for one of them,
    this class need not take the same arguments, and those of an optimiser other than lr and weight_decay may mean
    another quantity. An argument that the own file gives stays, and is checked.
    """
    deletions = []
    for name in COMPONENTS:
        files = [path for path in sorted(own) if group_of(path) == name]
        values = [values_of(path, repo) for path in files]
        target = next((str(part["_target_"]) for part in values if "_target_" in part), None)
        if target is not None:
            shipped = [str(default.config_path) for default in defaults if str(default.config_path) not in own]
            inline = [part for path in shipped if isinstance(part := values_of(path, repo).get(name), DictConfig)]
            given = {str(key) for part in inline for key in part} - {str(key) for part in values for key in part}
            foreign = drop_foreign_arguments(dict.fromkeys(given), name, target, packages)
            deletions += [parse_hydra_override(f"~{name}.{key}") for key in sorted(foreign)]
    return deletions


def packages_in_overrides(overrides: Sequence[Override]) -> list[str]:
    """Return the trusted packages that overrides name; none if no override does."""
    values = [override.value() for override in overrides if override.key_or_group == "packages"]
    return [str(package) for package in values[-1]] if values and isinstance(values[-1], list) else []


def values_of(path: str, repo: IConfigRepository) -> Mapping[Any, Any]:
    """Return the values of a file of settings without their interpolations, or none if it is no mapping."""
    file = repo.load_config(path)
    return file.config if file is not None and isinstance(file.config, DictConfig) else {}
