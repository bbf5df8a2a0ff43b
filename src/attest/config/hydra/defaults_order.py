"""The order of the files that a composition merges: that of Hydra, with the user's own files behind the scale."""

import codecs
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hydra._internal.config_repository import IConfigRepository
from hydra._internal.defaults_list import DefaultsList, create_defaults_list
from hydra.core.default_element import ResultDefault
from hydra.core.override_parser.types import Override
from hydra.errors import MissingConfigException
from omegaconf import DictConfig

from attest.config.error_words import did_you_mean
from attest.config.hydra.class_overrides import deletions_for_own_classes, packages_in_overrides, values_of
from attest.config.hydra.precedence import EXPERIMENT, OWN_PROVIDERS, SCALE, group_of, own_files_last
from attest.config.hydra.scope import LAUNCHERS
from attest.config.locate import TRUSTED
from attest.config.overrides import parse_hydra_override
from attest.config.own_folders import choices
from attest.errors import SettingsError

HYDRAS_LAUNCHERS = "hydra/launcher"
PACKAGES = {EXPERIMENT: "_global_", SCALE: "_global_", "mask": "model"}
"""The groups whose files set values elsewhere than below the key of the group -> the package in their first line."""
CONFIG = "config"
"""The name of the configuration that every composition begins with."""


def ordered_defaults_list(
    repo: IConfigRepository, config_name: str | None, overrides_list: list[Override], **options: Any
) -> DefaultsList:
    """Return Hydra's list of defaults with the user's own files behind the scale (see attest.config.hydra.precedence).

    A data set that names its experiment chooses it, unless an override does. A head that an override chooses stands
    where a file of the user's own would, since experiments describe their heads themselves.
    """
    check_choices(overrides_list, repo)
    if config_name == CONFIG:
        overrides_list = [*overrides_list, *experiment_of_dataset(repo, overrides_list)]
    chosen = create_defaults_list(repo, config_name, overrides_list, **options)
    own = {str(default.config_path) for default in chosen.defaults if is_own_default(default, repo)}
    if config_name == CONFIG:
        check_own_files(chosen.defaults, own, repo, str(chosen.overrides.known_choices.get(SCALE)))
    own |= {f"head/{override.value()}" for override in overrides_list if override.key_or_group == "head"}
    packages = packages_in_overrides(overrides_list) or TRUSTED
    deletions = deletions_for_own_classes(chosen.defaults, own, repo, packages)
    chosen.config_overrides = [*deletions, *chosen.config_overrides]
    chosen.defaults = [with_own_launcher(default, repo) for default in own_files_last(chosen.defaults, own)]
    return chosen


def with_own_launcher(default: ResultDefault, repo: IConfigRepository) -> ResultDefault:
    """Return an entry of a list of defaults, with Attest's launcher in place of Hydra's of the same name."""
    group, _, name = str(default.config_path).rpartition("/")
    if group == HYDRAS_LAUNCHERS and repo.config_exists(f"{LAUNCHERS}/{name}"):
        return replace(default, config_path=f"{LAUNCHERS}/{name}")
    return default


def check_choices(overrides: Sequence[Override], repo: IConfigRepository) -> None:
    """Raise Hydra's error for a missing choice if an override chooses a file by a path that leaves its group, such as
    dataset=../dataset/snli."""
    for override in overrides:
        value = override.value()
        if isinstance(value, str) and ".." in value.split("/") and repo.group_exists(override.key_or_group):
            path = f"{override.key_or_group}/{value}"
            raise MissingConfigException(f"Could not find '{path}'", path)


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
        near = did_you_mean(str(named), choices("experiment"))
        raise SettingsError(
            f"dataset.{EXPERIMENT}: there is no experiment {named}.{near} Name a file of conf/experiment."
        )
    return [] if named is None else [parse_hydra_override(f"{EXPERIMENT}={named}")]


def check_own_files(
    defaults: Sequence[ResultDefault], own: Collection[str], repo: IConfigRepository, scale: str
) -> None:
    """Raise SettingsError if one of the user's own files names another scale than the chosen one, or lacks its header,
    or is the chosen scale and does not state its name."""
    for default in defaults:
        path, package = path_of(default), str(default.package or "")
        if path not in own:
            continue
        if (group := group_of(path)) in PACKAGES and group_of(package.replace(".", "/")) == group:
            raise SettingsError(headless(path, repo))
        stated = values_of(path, repo).get(SCALE, scale) if not package else scale
        if stated != scale:
            raise SettingsError(
                f"scale: {stated} is not the scale of this run, which is {scale}; leave this line out, and choose a "
                "scale as in scale=paper"
            )
    chosen = f"{SCALE}/{scale}"
    if chosen in own and SCALE not in values_of(chosen, repo):
        raise SettingsError(
            f"{file_of(chosen, repo)}:1: a scale states its name, by which records are told apart; add the line "
            f"`scale: {scale}`"
        )


def headless(path: str, repo: IConfigRepository) -> str:
    """Return the error text about the file of a group in PACKAGES in which Hydra finds no header."""
    file = file_of(path, repo)
    group = group_of(path)
    article = "an" if group == EXPERIMENT else "a"
    header = f"{article} {group} begins with the line `# @package {PACKAGES[group]}`"
    if file.is_file() and file.read_bytes().startswith(codecs.BOM_UTF8):
        return f"{file}:1: {header}, but a byte order mark stands in front of it; save the file as UTF-8 without one"
    return f"{file}:1: {header}, which is missing; add it as the first line"


def file_of(path: str, repo: IConfigRepository) -> Path:
    """Return the file of settings at a path below its folder, such as experiment/mine."""
    result = repo.load_config(path)
    return Path("" if result is None else result.path.removeprefix("file://"), f"{path}.yaml")


def path_of(default: ResultDefault) -> str:
    """Return the path of a file below its folder, without suffix."""
    return str(default.config_path)


def is_own_default(default: ResultDefault, repo: IConfigRepository) -> bool:
    """Return whether an entry of a list of defaults is a file of the user's own."""
    result = repo.load_config(str(default.config_path))
    return result is not None and str(result.provider).startswith(OWN_PROVIDERS)
