"""The parsers of files and of interpolations, changed so that they parse each file and each text once in a process.

Hydra alone reads its own files and those of `conf/` anew for each run of a sweep, and OmegaConf parses an interpolation
each time that it resolves it. Importing this module replaces their functions by some that return the same. Files of a
program whose primary config is not in conf/ are read as Hydra reads them.
"""

import copy
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from hydra._internal import defaults_list
from hydra._internal.config_repository import ConfigRepository
from hydra.core.default_element import InputDefault
from hydra.core.object_type import ObjectType
from hydra.plugins.config_source import ConfigResult, ConfigSource
from omegaconf import DictConfig, _utils, base, grammar_parser

from attest.config.hydra.precedence import OWN_PROVIDERS
from attest.config.hydra.scope import is_of_attest
from attest.config.yaml_files import read_yaml
from attest.system.files import file_version

SourceVersion = tuple[object, ...]
TEXT_CACHE_SIZE = 10_000
"""The number of interpolations whose parse is kept."""
known_files: dict[SourceVersion, ConfigResult] = {}
"""The files of settings that were read, by their versions."""

read_file = ConfigRepository.load_config
interpolation_map = defaults_list._create_interpolation_map
parse_interpolation = lru_cache(TEXT_CACHE_SIZE)(grammar_parser.parse)
"""OmegaConf's parser of interpolations. Nothing changes the trees that it returns."""


def version_in_source(source: ConfigSource | None, name: str) -> SourceVersion | None:
    """Return what identifies a file of settings and its content, or None if the source is not made of files."""
    if source is not None and source.scheme() == "file":
        path = Path(source.path, source._normalize_file_name(name))
        return source.provider, path, *file_version(path)
    if source is not None and source.scheme() == "pkg":  # files of an installed package, which do not change
        return source.provider, source.path, name
    return None


def read_file_once(repository: ConfigRepository, config_path: str) -> ConfigResult | None:
    """Return the settings of a file as Hydra reads them: a copy, because Hydra changes them in place.

    Raise SettingsError if a file of the user's own is not readable as YAML, or if its aliases make it endless or too
    large.
    """
    if not is_of_attest(repository.get_sources()):
        return read_file(repository, config_path)
    version = version_in_source(repository._find_object_source(config_path, ObjectType.CONFIG), config_path)
    if version is None:
        return read_file(repository, config_path)
    known = known_files.get(version)
    if known is None:
        provider, path, *_ = version
        if str(provider).startswith(OWN_PROVIDERS) and isinstance(path, Path):
            read_yaml(path)  # names what would end in a stack trace of OmegaConf, or never
        known = read_file(repository, config_path)
        assert known is not None  # the source has the file
        known_files[version] = known
    return replace(known, config=copy.deepcopy(known.config))


def interpolation_map_if_needed(
    overrides: defaults_list.Overrides, defaults: list[InputDefault], self_added: bool
) -> DictConfig:
    """Return the choices to which interpolations in a list of defaults refer; none if no entry has an interpolation."""
    needed = any(default.is_interpolation() for default in defaults)
    return interpolation_map(overrides, defaults, self_added) if needed else DictConfig({})


CHANGES: tuple[tuple[object, str, object, object], ...] = (
    (ConfigRepository, "load_config", read_file, read_file_once),
    (defaults_list, "_create_interpolation_map", interpolation_map, interpolation_map_if_needed),
    (_utils, "parse", grammar_parser.parse, parse_interpolation),
    (base, "parse", grammar_parser.parse, parse_interpolation),
)
"""The functions that are replaced: the module or class that has each, its name, the original and the replacement."""

for owner, name, _, function in CHANGES:
    setattr(owner, name, function)
