"""Hydra's compositions, with every file of `conf/` parsed once and every choice of groups composed once in a process.

Hydra composes in two steps: it merges the files that the groups choose, then it applies the overrides of single values.
Most of its time goes to the first step, which depends on no value. Its result is therefore kept, with interpolations
left unresolved, and the second step changes a copy of it. Both steps are done by Hydra's own functions.
"""

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, cast

from hydra import compose, initialize_config_dir, version
from hydra._internal import config_loader_impl
from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra._internal.config_repository import CachingConfigRepository, IConfigRepository
from hydra._internal.defaults_list import DefaultsList, create_defaults_list
from hydra._internal.utils import create_config_search_path
from hydra.core.config_search_path import ConfigSearchPath
from hydra.core.default_element import GroupDefault, InputDefault, ResultDefault
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.plugins.config_source import ConfigResult
from omegaconf import DictConfig, OmegaConf

from attest.config.components import COMPONENTS, drop_foreign_arguments
from attest.config.own_folders import own_configs
from attest.config.paths import shipped_folder
from attest.config.precedence import EXPERIMENT, OWN_PROVIDERS, Layer, own_files_last
from attest.errors import SettingsError

CONFIG = "config"
"""The name of the configuration that every composition begins with."""
VERSION = "1.3"
"""The version of Hydra whose behaviour `conf/` relies on."""
SEARCH_PATH = "hydra.searchpath"
"""The setting of Hydra that adds folders with files of one's own."""
OWN_FOLDERS = f"{SEARCH_PATH} in command-line"
"""The name that Hydra gives to these folders."""


def ordered_defaults_list(
    repo: IConfigRepository, config_name: str | None, overrides_list: list[Override], **options: Any
) -> DefaultsList:
    """Return Hydra's list of defaults with the user's own files behind the scale (see attest.config.precedence).

    A data set that names its experiment chooses it, unless an override does.
    """
    if config_name == CONFIG:
        overrides_list = [*overrides_list, *experiment_of_dataset(repo, overrides_list)]
    chosen = create_defaults_list(repo, config_name, overrides_list, **options)
    chosen.defaults = own_files_last(
        chosen.defaults, {str(default.config_path) for default in chosen.defaults if is_own(default, repo)}
    )
    return chosen


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
    for name in COMPONENTS:
        named = [override for override in overrides if override.key_or_group == f"{name}._target_"]
        component = config.get(name)
        if named and isinstance(component, DictConfig) and isinstance(target := named[-1].value(), str):
            typed = [override.value() for override in overrides if override.key_or_group == "packages"]
            packages = typed[-1] if typed and isinstance(typed[-1], list) else config.get("packages") or ()
            if target != component.get("_target_"):
                OmegaConf.set_struct(component, False)  # the other class has settings that no file names
                drop_foreign_arguments(component, name, str(target), [str(package) for package in packages])
    apply_overrides(overrides, config)


# Hydra has no hooks for the order of the list, or for the application of overrides.
config_loader_impl.create_defaults_list = ordered_defaults_list  # pyright: ignore[reportPrivateImportUsage]
ConfigLoaderImpl._apply_overrides_to_config = staticmethod(apply_overrides_to_class)  # pyright: ignore


def is_own(default: ResultDefault, repo: IConfigRepository) -> bool:
    """Return whether an entry of a list of defaults is a file of the user's own."""
    result = repo.load_config(str(default.config_path))
    return result is not None and str(result.provider).startswith(OWN_PROVIDERS)


def compose_config(overrides: list[str]) -> DictConfig:
    """Return the configuration that Hydra composes from the overrides, without Hydra's own settings.

    Raise Hydra's own errors if an override is wrong.
    """
    version.setbase(VERSION)
    parsed = [parse_override(text) for text in overrides]
    if any(needs_hydra(override) for override in parsed):
        return compose_uncached(overrides)
    files = current_merger(parsed)
    config = files.merge([override for override in parsed if files.is_group(override)])
    values = [override for override in parsed if not (files.is_group(override) or adds_folders(override))]
    ConfigLoaderImpl._apply_overrides_to_config(values, config)
    return config


def compose_uncached(overrides: list[str], name: str = CONFIG) -> DictConfig:
    """Return a primary config with overrides, composed by Hydra's public function without the caches of this module."""
    if GlobalHydra.instance().is_initialized():
        return compose(name, overrides=overrides)
    with initialize_config_dir(str(shipped_folder("conf")), version_base=VERSION):
        return compose(name, overrides=overrides)


def needs_hydra(override: Override) -> bool:
    """Return whether only Hydra can handle an override: a setting of Hydra itself, or a sweep over several values."""
    root = override.key_or_group.split("/")[0].split(".")[0]
    return override.is_sweep_override() or (root == "hydra" and not adds_folders(override))


def adds_folders(override: Override) -> bool:
    """Return whether an override is a list of folders with files of one's own; Hydra refuses other values."""
    value = override.value()
    return override.key_or_group == SEARCH_PATH and isinstance(value, list) and all(isinstance(v, str) for v in value)


@cache
def parse_override(text: str) -> Override:
    (override,) = OverridesParser.create().parse_overrides([text])
    return override


def search_path(folders: Sequence[str] = ()) -> ConfigSearchPath:
    """Return the search path for configurations: that of the running Hydra application or else `conf/`, and `folders`.

    `folders` are URLs such as file:///home/me/mine, as in hydra.searchpath.
    """
    hydra = GlobalHydra.instance()
    path = hydra.config_loader().get_search_path() if hydra.is_initialized() else path_without_hydra(*own_configs())
    if not folders:
        return path
    path = copy.deepcopy(path)
    schema = path.get_path().pop()  # Hydra wants the source of schemas last
    for folder in folders:
        path.append(OWN_FOLDERS, folder)
    path.get_path().append(schema)
    return path


@cache
def path_without_hydra(*own: Path) -> ConfigSearchPath:
    """Return the search path of `conf/` and of the folders `own`, which a plugin of Hydra adds (see hydra_plugins)."""
    return create_config_search_path(str(shipped_folder("conf")))


def own_folders(overrides: Sequence[Override]) -> list[str]:
    """Return the folders that overrides add to the search path by hydra.searchpath."""
    return [str(folder) for o in overrides if adds_folders(o) for folder in cast("list[str]", o.value())]


def folders_read(overrides: Sequence[str]) -> tuple[Path, ...]:
    """Return the folders on disk in which overrides find their files: `conf/`, and those of one's own."""
    elements = search_path(own_folders([parse_override(text) for text in overrides])).get_path()
    places = [str(element.path).removeprefix("file://") for element in elements]
    return tuple(Path(place) for place in places if "://" not in place)


class ConfigFiles(CachingConfigRepository):
    """The configuration files of a search path, each parsed once, without entries that choose Hydra's own settings.

    No run depends on Hydra's own settings, which take longer to compose than all others together.
    """

    def load_config(self, config_path: str) -> ConfigResult | None:
        known = f"config_path={config_path}" in self.cache
        result = super().load_config(config_path)
        if not known and result is not None and result.defaults_list is not None:
            result.defaults_list = [default for default in result.defaults_list if not changes_hydra(default)]
        return result


def changes_hydra(default: InputDefault) -> bool:
    """Return whether an entry of a defaults list chooses among Hydra's own settings."""
    return isinstance(default, GroupDefault) and default.override and str(default.group).strip("/").startswith("hydra/")


class Merger:
    """The first step of composition for one search path: a merger of the files that groups choose, with a cache.

    OmegaConf merges configurations node by node, which takes most of the time. The files hold plain values, so they are
    merged as dicts, by the same rules.
    """

    def __init__(self, path: ConfigSearchPath) -> None:
        self.loader = ConfigLoaderImpl(path)
        self.loader.ensure_main_config_source_available()
        self.files = ConfigFiles(self.loader.repository)
        self.contents: dict[tuple[str, str], dict[Any, Any]] = {}
        self.merged: dict[tuple[str, ...], dict[Any, Any]] = {}

    def is_group(self, override: Override) -> bool:
        """Return whether Hydra reads an override as the choice of a group, not as the value of a setting."""
        return not isinstance(override.value(), dict) and self.files.group_exists(override.key_or_group)

    def merge(self, groups: Sequence[Override]) -> DictConfig:
        """Return the merged configuration of the chosen groups: a copy, which the caller may change."""
        key = tuple(str(override.input_line) for override in groups)
        if key not in self.merged:
            self.merged[key] = self.merge_files(self.defaults(groups))
        config = OmegaConf.create(self.merged[key])
        OmegaConf.set_struct(config, True)
        return config

    def merge_files(self, defaults: Sequence[ResultDefault]) -> dict[Any, Any]:
        """Return the merged values of the files, without Hydra's own settings."""
        values: dict[Any, Any] = {}
        try:
            for default in defaults:
                merge_into(values, self.content(default))
        except InterpolatedDictError:
            config = self.loader._compose_config_from_defaults_list(list(defaults), CopyingRepository(self.files))
            values = cast("dict[Any, Any]", OmegaConf.to_container(config, resolve=False))
        values.pop("hydra", None)
        return values

    def content(self, default: ResultDefault) -> dict[Any, Any]:
        """Return the values of a file below the key of its package, with interpolations left unresolved."""
        key = str(default.config_path), str(default.package)
        if key not in self.contents:
            single = self.loader._compose_config_from_defaults_list([default], CopyingRepository(self.files))
            self.contents[key] = cast("dict[Any, Any]", OmegaConf.to_container(single, resolve=False))
        return self.contents[key]

    def defaults(self, groups: Sequence[Override]) -> list[ResultDefault]:
        """Return the files that the groups choose, in the order in which they are merged."""
        chosen = ordered_defaults_list(self.files, CONFIG, list(groups), prepend_hydra=False, skip_missing=False)
        return chosen.defaults

    def layers(self, groups: Sequence[Override]) -> Iterator[Layer]:
        """Yield the files that the groups choose, each with its own values, in the order in which they are merged."""
        for default in self.defaults(groups):
            values = dict(leaves(self.content(default)))
            yield Layer(str(default.config_path), is_own(default, self.files), values)


class InterpolatedDictError(Exception):
    """Keys are set below a value such as ${other}, so that OmegaConf has to look up what it stands for."""


def merge_into(values: dict[Any, Any], later: Mapping[Any, Any]) -> None:
    """Merge the dict `later` into `values`: dicts key by key; "???" leaves a value, and all else replaces it.

    Raise InterpolatedDictError if `later` has a dict where `values` has an interpolation.
    """
    for key, value in later.items():
        known = values.get(key)
        if isinstance(value, dict) and isinstance(known, str) and "${" in known:
            raise InterpolatedDictError
        if isinstance(value, dict) and isinstance(known, dict):
            merge_into(known, value)
        elif key not in values or value != "???":
            values[key] = copy.deepcopy(value)


def leaves(values: Mapping[Any, Any], where: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the dotted key and the value of each single setting in nested dicts."""
    for key, value in values.items():
        name = f"{where}.{key}" if where else str(key)
        if isinstance(value, dict):
            yield from leaves(value, name)
        else:
            yield name, value


class CopyingRepository(CachingConfigRepository):
    """A repository that returns copies of the files in `ConfigFiles`, because Hydra changes them in place."""

    def __init__(self, files: ConfigFiles) -> None:
        self.delegate, self.files = files.delegate, files

    def load_config(self, config_path: str) -> ConfigResult | None:
        result = self.files.load_config(config_path)
        return None if result is None else replace(result, config=copy.deepcopy(result.config))


def current_merger(overrides: Sequence[Override]) -> Merger:
    """Return the merger for the current search path, with the folders that overrides add to it."""
    folders = own_folders(overrides)
    return merger(tuple(str(element.path) for element in search_path(folders).get_path()), tuple(folders))


@cache
def merger(folders: tuple[str, ...], own: tuple[str, ...] = ()) -> Merger:
    """Return the merger for the current search path with the folders `own`, made once for the same `folders`."""
    return Merger(search_path(own))
