"""Hydra's compositions, with every file of `conf/` parsed once and every choice of groups composed once in a process.

Hydra composes in two steps: it merges the files that the groups choose, then it applies the overrides of single values.
Most of its time goes to the first step, which depends on no value. Its result is therefore kept, with interpolations
left unresolved, and the second step changes a copy of it. Hydra's own functions do both.
"""

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, cast

from hydra import compose, initialize_config_dir
from hydra._internal.utils import create_config_search_path
from hydra.core.config_search_path import ConfigSearchPath
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.types import Override
from omegaconf import DictConfig, OmegaConf

from attest.config.hydra.class_overrides import apply_overrides_dropping_foreign
from attest.config.hydra.defaults_order import CONFIG
from attest.config.hydra.merger import VERSION, Merger, our_version_of_hydra
from attest.config.hydra.scope import is_of_attest
from attest.config.overrides import parse_hydra_override
from attest.config.own_folders import own_configs
from attest.config.paths import cache_folder, data_folder, home, shipped_folder
from attest.errors import SettingsError
from attest.system.files import file_version

RESOLVERS: Mapping[str, Callable[..., str]] = {
    "attest_home": lambda: str(home()),
    "attest_data": data_folder,
    "attest_cache": lambda below: str(cache_folder(Path(below))),
}
"""The functions that interpolations in `conf/` call besides those of OmegaConf."""
for name, function in RESOLVERS.items():
    OmegaConf.register_new_resolver(name, function, replace=True)

SEARCH_PATH = "hydra.searchpath"
"""The setting of Hydra that adds folders with files of one's own."""
OWN_FOLDERS = f"{SEARCH_PATH} in command-line"
"""The name that Hydra gives to these folders."""

MERGER_CACHE_SIZE = 32
"""The number of search paths, and of states of the user's own files, whose merged files are kept."""
VersionedFile = tuple[str, int, int, int]
"""The path of a file, and its version (`attest.system.files.file_version`)."""


def compose_config(overrides: list[str]) -> DictConfig:
    """Return the configuration that Hydra composes from the overrides, without Hydra's own settings.

    Raise Hydra's own errors if an override is wrong.
    """
    parts = merge_groups(overrides)
    if parts is None:
        return compose_with_hydra(overrides)
    merged, changes = parts
    config = copy.deepcopy(merged)
    apply_overrides_dropping_foreign(changes, config)
    return config


def compose_values(overrides: list[str]) -> dict[str, Any]:
    """Return the configuration that Hydra composes from the overrides, resolved, as nested dicts.

    Raise errors of Hydra or OmegaConf if an override is wrong.
    """
    return cast("dict[str, Any]", OmegaConf.to_container(compose_config(overrides), resolve=True))


def merge_groups(overrides: list[str]) -> tuple[DictConfig, list[Override]] | None:
    """Return the merged values of the groups that overrides choose, and the overrides of single values.

    The result is None if an override needs Hydra.
    """
    parsed = [parse_hydra_override(text) for text in overrides]
    if any(needs_hydra(override) for override in parsed):
        return None
    files = current_merger(parsed)
    groups = [override for override in parsed if files.is_group(override)]
    changes = [override for override in parsed if not (files.is_group(override) or adds_folders(override))]
    return files.merge(groups), changes


def compose_with_hydra(overrides: list[str], name: str = CONFIG) -> DictConfig:
    """Return a primary config with overrides, composed by Hydra's public function without the cache of merged files."""
    running = GlobalHydra.instance()
    if is_running():
        return compose(name, overrides=overrides)
    other = running.hydra
    running.clear()
    try:
        with our_version_of_hydra(), initialize_config_dir(str(shipped_folder("conf")), version_base=VERSION):
            return compose(name, overrides=overrides)
    finally:
        GlobalHydra.instance().hydra = other


def is_running() -> bool:
    """Return whether a Hydra application runs whose configuration is conf/, and not that of another program."""
    running = GlobalHydra.instance()
    return running.is_initialized() and is_of_attest(running.config_loader().get_search_path().get_path())


def needs_hydra(override: Override) -> bool:
    """Return whether only Hydra can handle an override.

    That is a setting of Hydra itself, a sweep over several values, or a list of trusted packages, which decides whose
    arguments are dropped when groups are merged.
    """
    root = override.key_or_group.split("/")[0].split(".")[0]
    return override.is_sweep_override() or root == "packages" or (root == "hydra" and not adds_folders(override))


def adds_folders(override: Override) -> bool:
    """Return whether an override is a list of folders with files of one's own; Hydra refuses other values."""
    value = override.value()
    return override.key_or_group == SEARCH_PATH and isinstance(value, list) and all(isinstance(v, str) for v in value)


def search_path(folders: Sequence[str] = ()) -> ConfigSearchPath:
    """Return the search path for configurations, and `folders`: that of `attest train` while it runs, else `conf/`.

    `folders` are URLs such as file:///home/me/mine, as in hydra.searchpath.
    """
    hydra = GlobalHydra.instance()
    path = hydra.config_loader().get_search_path() if is_running() else path_without_hydra(*own_configs())
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


def added_folders(overrides: Sequence[Override]) -> list[str]:
    """Return the folders that overrides add to the search path by hydra.searchpath."""
    return [str(folder) for o in overrides if adds_folders(o) for folder in cast("list[str]", o.value())]


def folders_read(overrides: Sequence[str]) -> tuple[Path, ...]:
    """Return the folders on disk in which overrides find their files: `conf/`, and those of one's own."""
    added = added_folders([parse_hydra_override(text) for text in overrides if SEARCH_PATH in text])
    elements = search_path(added).get_path()
    paths = [str(element.path).removeprefix("file://") for element in elements]
    return tuple(Path(path) for path in paths if "://" not in path)


def current_merger(overrides: Sequence[Override]) -> Merger:
    """Return the merger for the current search path, with the folders that overrides add to it."""
    folders = added_folders(overrides)
    for folder in folders:
        path = folder.removeprefix("file://")
        if "://" not in path and not Path(path).is_dir():
            raise SettingsError(f"{SEARCH_PATH}: {folder}: no such folder; name one that holds groups such as model/")
    search_urls = tuple(str(element.path) for element in search_path(folders).get_path())
    return merger(search_urls, tuple(folders), tuple(own_file_versions(search_urls)))


@lru_cache(MERGER_CACHE_SIZE)
def merger(folders: tuple[str, ...], own: tuple[str, ...] = (), versions: tuple[VersionedFile, ...] = ()) -> Merger:
    """Return the merger for the current search path with the folders `own`; equal `folders`, and equal `versions` of
    the user's own files, give the same merger."""
    return Merger(search_path(own))


def own_file_versions(search_urls: Sequence[str]) -> Iterator[VersionedFile]:
    """Yield the path and the version of each file of settings in folders of the user's own.

    `search_urls` are the URLs of a search path. A program that composes, such as a notebook, may continue after a file
    has changed.
    """
    shipped = shipped_folder("conf")
    for url in search_urls:
        folder = Path(url.removeprefix("file://"))
        if url.startswith("file://") and folder != shipped:
            groups = (folder / name for name in shipped_group_names())
            for path in sorted([*folder.glob("*.yaml"), *(path for group in groups for path in group.rglob("*.yaml"))]):
                with suppress(FileNotFoundError):  # a dangling link, as editors leave beside a file with changes
                    yield str(path), *file_version(path)


@cache
def shipped_group_names() -> list[str]:
    """Return the names of the groups of settings that `conf/` has."""
    return [path.name for path in shipped_folder("conf").iterdir() if path.is_dir()]
