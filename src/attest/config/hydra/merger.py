"""The first step of composition: a merger of the files that groups choose, with a cache."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from hydra import version
from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra._internal.config_repository import CachingConfigRepository
from hydra._internal.defaults_list import DefaultsList
from hydra.core.config_search_path import ConfigSearchPath
from hydra.core.default_element import GroupDefault, InputDefault, ResultDefault
from hydra.core.override_parser.types import Override
from hydra.plugins.config_source import ConfigResult
from omegaconf import DictConfig, OmegaConf

from attest.config.flat import flatten
from attest.config.hydra.class_overrides import apply_overrides_dropping_foreign
from attest.config.hydra.defaults_order import CONFIG, is_own_default, ordered_defaults_list
from attest.config.hydra.patches import composition, parse_cache  # noqa: F401  they replace functions of Hydra
from attest.config.hydra.precedence import Layer

VERSION = "1.3"
"""The version of Hydra whose behaviour `conf/` relies on."""


@contextmanager
def our_version_of_hydra() -> Iterator[None]:
    """Let Hydra behave as VERSION in the block: the program that runs may have chosen another version."""
    base = version.VersionBase.instance()
    earlier = base.getbase()
    version.setbase(VERSION)
    try:
        yield
    finally:
        base.version_base = earlier


class ConfigFiles(CachingConfigRepository):
    """The configuration files of a search path, each parsed once, without entries that choose Hydra's own settings.

    No run depends on Hydra's own settings, which take longer to compose than all others together.
    """

    def load_config(self, config_path: str) -> ConfigResult | None:
        result = super().load_config(config_path)
        if result is not None and result.defaults_list is not None:
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
        self.merged: dict[tuple[str, ...], DictConfig] = {}

    def is_group(self, override: Override) -> bool:
        """Return whether Hydra reads an override as the choice of a group, not as the value of a setting."""
        return not isinstance(override.value(), dict) and self.files.group_exists(override.key_or_group)

    @our_version_of_hydra()
    def merge(self, groups: Sequence[Override]) -> DictConfig:
        """Return the merged values of the chosen groups, with interpolations left unresolved."""
        key = tuple(str(override.input_line) for override in groups)
        if key not in self.merged:
            chosen = self.defaults_list(groups)
            config = self.loader._compose_config_from_defaults_list(chosen.defaults, self.loader.repository)
            OmegaConf.set_struct(config, False)
            config.pop("hydra", None)
            apply_overrides_dropping_foreign(chosen.config_overrides, config)
            OmegaConf.set_struct(config, True)
            self.merged[key] = config
        return self.merged[key]

    @our_version_of_hydra()
    def content(self, default: ResultDefault) -> dict[Any, Any]:
        """Return the values of a file below the key of its package, with interpolations left unresolved."""
        single = self.loader._compose_config_from_defaults_list([default], self.loader.repository)
        return cast("dict[Any, Any]", OmegaConf.to_container(single, resolve=False))

    @our_version_of_hydra()
    def defaults_list(self, groups: Sequence[Override]) -> DefaultsList:
        """Return the files that the groups choose, in the order in which they are merged, and what is deleted then."""
        return ordered_defaults_list(self.files, CONFIG, list(groups), prepend_hydra=False, skip_missing=False)

    def layers(self, groups: Sequence[Override]) -> Iterator[Layer]:
        """Yield the files that the groups choose, each with its own values, in the order in which they are merged."""
        for default in self.defaults_list(groups).defaults:
            values = flatten(self.content(default))
            yield Layer(str(default.config_path), is_own_default(default, self.files), values)
