"""The first step of composition: a merger of the files that groups choose, with a cache."""

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra._internal.config_repository import CachingConfigRepository
from hydra._internal.defaults_list import DefaultsList
from hydra.core.config_search_path import ConfigSearchPath
from hydra.core.default_element import GroupDefault, InputDefault, ResultDefault
from hydra.core.override_parser.types import Override
from hydra.plugins.config_source import ConfigResult
from omegaconf import OmegaConf

from attest.config import hydra_hooks  # noqa: F401  it replaces functions of Hydra
from attest.config.defaults_order import CONFIG, is_own_default, ordered_defaults_list
from attest.config.flat import flatten
from attest.config.precedence import Layer


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
        self.merged: dict[tuple[str, ...], dict[str, Any]] = {}

    def is_group(self, override: Override) -> bool:
        """Return whether Hydra reads an override as the choice of a group, not as the value of a setting."""
        return not isinstance(override.value(), dict) and self.files.group_exists(override.key_or_group)

    def merge(self, groups: Sequence[Override]) -> Mapping[str, Any]:
        """Return the merged values of the chosen groups, with interpolations left unresolved."""
        key = tuple(str(override.input_line) for override in groups)
        if key not in self.merged:
            chosen = self.defaults_list(groups)
            values = self.merge_files(chosen.defaults)
            if chosen.config_overrides:
                config = OmegaConf.create(values)
                ConfigLoaderImpl._apply_overrides_to_config(chosen.config_overrides, config)
                values = cast("dict[Any, Any]", OmegaConf.to_container(config, resolve=False))
            self.merged[key] = values
        return self.merged[key]

    def merge_files(self, defaults: Sequence[ResultDefault]) -> dict[Any, Any]:
        """Return the merged values of the files, without Hydra's own settings."""
        values: dict[Any, Any] = {}
        try:
            for default in defaults:
                merge_into(values, self.content(default))
        except InterpolatedDictError:
            config = self.loader._compose_config_from_defaults_list(list(defaults), self.loader.repository)
            values = cast("dict[Any, Any]", OmegaConf.to_container(config, resolve=False))
        values.pop("hydra", None)
        return values

    def content(self, default: ResultDefault) -> dict[Any, Any]:
        """Return the values of a file below the key of its package, with interpolations left unresolved."""
        key = str(default.config_path), str(default.package)
        if key not in self.contents:
            single = self.loader._compose_config_from_defaults_list([default], self.loader.repository)
            self.contents[key] = cast("dict[Any, Any]", OmegaConf.to_container(single, resolve=False))
        return self.contents[key]

    def defaults_list(self, groups: Sequence[Override]) -> DefaultsList:
        """Return the files that the groups choose, in the order in which they are merged, and what is deleted then."""
        return ordered_defaults_list(self.files, CONFIG, list(groups), prepend_hydra=False, skip_missing=False)

    def layers(self, groups: Sequence[Override]) -> Iterator[Layer]:
        """Yield the files that the groups choose, each with its own values, in the order in which they are merged."""
        for default in self.defaults_list(groups).defaults:
            values = flatten(self.content(default))
            yield Layer(str(default.config_path), is_own_default(default, self.files), values)


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
