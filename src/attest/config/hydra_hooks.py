"""The changes that Attest makes to Hydra: the order of the user's own files, and overrides that name another class.

Hydra has no hooks for the order of the list of defaults, or for the application of overrides, so importing this module
replaces its functions.
"""

import codecs
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from hydra._internal import config_loader_impl
from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra._internal.config_repository import IConfigRepository
from hydra._internal.defaults_list import DefaultsList, create_defaults_list
from hydra.core.default_element import ResultDefault
from hydra.core.override_parser.types import Override
from omegaconf import DictConfig, OmegaConf

from attest.config.components import COMPONENTS, constructor_parameters, drop_foreign_arguments
from attest.config.locate import TRUSTED, locate_class
from attest.config.own_folders import is_own_module
from attest.config.parsed_once import parse_override
from attest.config.precedence import EXPERIMENT, OWN_PROVIDERS, SCALE, group_of, own_files_last
from attest.errors import SettingsError

CONFIG = "config"
"""The name of the configuration that every composition begins with."""


def ordered_defaults_list(
    repo: IConfigRepository, config_name: str | None, overrides_list: list[Override], **options: Any
) -> DefaultsList:
    """Return Hydra's list of defaults with the user's own files behind the scale (see attest.config.precedence).

    A data set that names its experiment chooses it, unless an override does. A head that an override chooses stands
    where a file of the user's own would, since experiments describe their heads themselves.
    """
    if config_name == CONFIG:
        overrides_list = [*overrides_list, *experiment_of_dataset(repo, overrides_list)]
    chosen = create_defaults_list(repo, config_name, overrides_list, **options)
    own = {str(default.config_path) for default in chosen.defaults if is_own_default(default, repo)}
    if config_name == CONFIG:
        check_own_files(chosen.defaults, own, repo)
    own |= {f"head/{override.value()}" for override in overrides_list if override.key_or_group == "head"}
    packages = typed_packages(overrides_list) or TRUSTED
    deletions = deletions_for_own_classes(chosen.defaults, own, repo, packages)
    chosen.config_overrides = [*deletions, *chosen.config_overrides]
    chosen.defaults = own_files_last(chosen.defaults, own)
    return chosen


def check_own_files(defaults: Sequence[ResultDefault], own: Collection[str], repo: IConfigRepository) -> None:
    """Raise SettingsError if one of the user's own files names another scale than the chosen one, or is an experiment
    whose settings would stand below the key `experiment`."""
    scale = next((path.partition("/")[2] for path in map(path_of, defaults) if group_of(path) == SCALE), None)
    for default in defaults:
        path, package = path_of(default), str(default.package or "")
        if path not in own:
            continue
        if group_of(path) == EXPERIMENT and group_of(package.replace(".", "/")) == EXPERIMENT:
            raise SettingsError(headless(path, repo))
        stated = values_of(path, repo).get(SCALE, scale) if not package else scale
        if stated != scale:
            raise SettingsError(
                f"scale: {stated} is not the scale of this run, which is {scale}; leave this line out, and choose a "
                "scale as in scale=paper"
            )


def headless(path: str, repo: IConfigRepository) -> str:
    """Return the text on the file of an experiment in which Hydra finds no header."""
    result = repo.load_config(path)
    file = Path("" if result is None else result.path.removeprefix("file://"), f"{path}.yaml")
    header = "an experiment begins with the line `# @package _global_`"
    if file.is_file() and file.read_bytes().startswith(codecs.BOM_UTF8):
        return f"{file}:1: {header}, but a byte order mark stands in front of it; save the file as UTF-8 without one"
    return f"{file}:1: {header}, which is missing; add it as the first line"


def path_of(default: ResultDefault) -> str:
    """Return the path of a file below its folder, without suffix."""
    return str(default.config_path)


def deletions_for_own_classes(
    defaults: Sequence[ResultDefault], own: Collection[str], repo: IConfigRepository, packages: Sequence[str]
) -> list[Override]:
    """Return the overrides that delete arguments of the shipped files which the class in an own file does not take.

    An experiment has a head, and settings of an optimiser. If a file of the user's own names another class for one of
    them, this class need not take the same arguments. An argument that the own file gives stays, and is checked.
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
            remaining = dict.fromkeys(given)
            drop_foreign_arguments(remaining, name, target, packages)
            deletions += [parse_override(f"~{name}.{key}") for key in sorted(given - remaining.keys())]
    return deletions


def typed_packages(overrides: Sequence[Override]) -> list[str]:
    """Return the trusted packages that overrides name; none if no override does."""
    typed = [override.value() for override in overrides if override.key_or_group == "packages"]
    return [str(package) for package in typed[-1]] if typed and isinstance(typed[-1], list) else []


def values_of(path: str, repo: IConfigRepository) -> Mapping[Any, Any]:
    """Return the values of a file of settings without their interpolations, or none if it is no mapping."""
    file = repo.load_config(path)
    return file.config if file is not None and isinstance(file.config, DictConfig) else {}


def experiment_of_dataset(repo: IConfigRepository, overrides: Sequence[Override]) -> list[Override]:
    """Return the override that chooses the experiment of the chosen data set, or none if it needs none.

    Raise SettingsError if there is no such experiment, or if the data set is not named as its file is: runs are opened
    by the names of their data sets.
    """
    chosen = {override.key_or_group: override.value() for override in overrides}
    dataset = chosen.get("dataset")
    file = repo.load_config(f"dataset/{dataset}") if isinstance(dataset, str) else None
    if file is None or not isinstance(file.config, DictConfig):
        return []
    if (name := file.config.get("name", dataset)) != dataset:
        raise SettingsError(f"dataset.name: {name} is not the name of its file; write name: {dataset}")
    named = None if EXPERIMENT in chosen else file.config.get(EXPERIMENT)
    if named is not None and repo.load_config(f"{EXPERIMENT}/{named}") is None:
        raise SettingsError(f"dataset.{EXPERIMENT}: there is no experiment {named}")
    return [] if named is None else [parse_override(f"{EXPERIMENT}={named}")]


apply_overrides = ConfigLoaderImpl._apply_overrides_to_config


def apply_overrides_to_class(overrides: list[Override], config: DictConfig) -> None:
    """Apply overrides as Hydra does; where they name another class, drop what that class does not take.

    The dropped arguments are those that the files of settings give to the class that is replaced.
    """
    packages = [str(package) for package in typed_packages(overrides) or config.get("packages") or ()]
    for name in COMPONENTS:
        named = [override for override in overrides if override.key_or_group == f"{name}._target_"]
        component = config.get(name)
        if named and isinstance(component, DictConfig) and isinstance(target := named[-1].value(), str):
            if target != component.get("_target_"):
                OmegaConf.set_struct(component, False)  # the other class has settings that no file names
                drop_foreign_arguments(component, name, str(target), packages)
        elif isinstance(component, DictConfig) and takes_more(overrides, component, name, packages):
            OmegaConf.set_struct(component, False)  # the file names only some of the arguments of the class
    apply_overrides(overrides, config)


def takes_more(overrides: Sequence[Override], component: DictConfig, name: str, packages: Sequence[str]) -> bool:
    """Return whether overrides set arguments of a component's class that its file leaves at their defaults.

    Of a class of the user's own, all arguments may be such: the checks of the composed settings name wrong ones.
    """
    keys = {o.key_or_group.removeprefix(f"{name}.") for o in overrides if o.key_or_group.startswith(f"{name}.")}
    missing = keys - {str(key) for key in component}
    if not missing:
        return False
    with suppress(SettingsError):  # named by the checks of the composed settings
        cls = locate_class(component, name, packages)
        return is_own_module(cls.__module__) or not missing.isdisjoint(constructor_parameters(cls))
    return False


config_loader_impl.create_defaults_list = ordered_defaults_list  # pyright: ignore[reportPrivateImportUsage]
ConfigLoaderImpl._apply_overrides_to_config = staticmethod(apply_overrides_to_class)  # pyright: ignore


def is_own_default(default: ResultDefault, repo: IConfigRepository) -> bool:
    """Return whether an entry of a list of defaults is a file of the user's own."""
    result = repo.load_config(str(default.config_path))
    return result is not None and str(result.provider).startswith(OWN_PROVIDERS)
