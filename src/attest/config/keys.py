"""The keys of all settings, as people type them: groups, dotted keys, and keys that do not exist."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from omegaconf import DictConfig, OmegaConf

from attest.config.earlier_setting_names import current_key
from attest.config.error_words import did_you_mean, list_known_keys
from attest.config.hydra.cache import compose_with_hydra
from attest.config.overrides import key_of
from attest.config.own_folders import choices, own_configs
from attest.config.paths import shipped_folder
from attest.config.settings import Settings
from attest.config.yaml_files import read_yaml
from attest.errors import SettingsError

CONFIGS = ("config", "transfer", "parser_training")
"""The primary configs in conf/."""
UNCHOSEN = {"mask": "the model", "head": "the experiment"}
"""The groups from which nothing needs to be chosen -> what has the settings of the group then."""


def check_keys(
    overrides: Sequence[str], roots: Collection[str], name: str = "config", command: str = "this command"
) -> None:
    """Raise SettingsError for an override whose key does not begin with one of `roots`, the settings of a command.

    `name` is the primary config of the command.
    """
    if overrides and not roots:
        raise SettingsError(f"{overrides[0]}: {command} takes no settings")
    for key in map(key_of, overrides):
        if key.partition(".")[0] not in roots:
            if renamed := current_key(key):
                raise SettingsError(f"{key}: renamed to {renamed}")
            own = {known for known in known_keys(name) if known.partition(".")[0] in roots}
            if any(key in known_keys(config) for config in CONFIGS):
                sections = {known.partition(".")[0] for known in own if "." in known}
                accepted = [f"{root}.*" if root in sections else root for root in sorted(roots)]
                raise SettingsError(f"{key}: {command} accepts only these settings: {', '.join(accepted)}")
            hint = did_you_mean(key, {*own, *roots}) or list_known_keys(sorted(roots))
            raise SettingsError(f"{key}: unknown setting.{hint}")


def check_top_level_keys(data: dict[Any, Any]) -> None:
    """Raise SettingsError, with the new or nearest name, for an unknown top-level key such as modle in +modle.x=1."""
    known = set(Settings.__dataclass_fields__)
    for key in data:
        if key not in known:
            for name in (*dotted_keys(data[key], str(key)), str(key)):
                if renamed := current_key(name):
                    raise SettingsError(f"{name}: renamed to {renamed}")
            raise SettingsError(f"{key}: unknown setting.{did_you_mean(str(key), known | known_keys())}")


def known_keys(name: str = "config") -> set[str]:
    """Return the keys that overrides of a primary config may set: groups, its dotted keys and those of all choices."""
    return keys_with(name, *own_configs())


@cache
def keys_with(name: str, *own: Path) -> set[str]:
    """Return `known_keys` where the folders `own` are the user's."""
    config = compose_with_hydra([], name)
    keys = set(dotted_keys(OmegaConf.to_container(config, resolve=False)))
    for group in groups_of(name):
        keys.add(group)
        if isinstance(config.get(group), DictConfig):
            for path in choices(group).values():
                keys.update(keys_of_choice(group, path))
    for path in choices("mask").values() if "model" in keys else ():
        keys.update(keys_of_choice("model", path))  # the values of a mask stand below the key of the model
    return keys


def keys_of_choice(group: str, path: Path) -> set[str]:
    """Return the dotted keys that a file of a group sets; none if the file is broken."""
    with suppress(SettingsError):  # a broken file is reported where it is chosen
        return set(dotted_keys({key: value for key, value in read_yaml(path).items() if key != "defaults"}, group))
    return set()


def choices_with(key: str) -> list[str]:
    """Return the choices of a group that set a dotted key, such as model=structured for model.hops."""
    group = key.partition(".")[0]
    return [f"{group}={name}" for name, path in choices(group).items() if key in keys_of_choice(group, path)]


def groups_of(name: str = "config") -> dict[str, str | None]:
    """Return the default choice of each config group in the defaults list of a primary config, by group.

    Of a group from which several may be chosen, it is the first.
    """
    entries = read_yaml(shipped_folder("conf") / f"{name}.yaml")["defaults"]
    chosen = [pair for entry in entries if isinstance(entry, dict) for pair in entry.items()]
    first = {group: choice[0] if isinstance(choice, list) else choice for group, choice in chosen}
    return {group: choice for group, choice in first.items() if group.isidentifier()}


def dotted_keys(value: Any, where: str = "") -> Iterator[str]:
    """Yield the dotted keys of all values in nested dicts, dicts included; `where` is the key of the outermost dict."""
    if isinstance(value, dict):
        for key, item in value.items():
            name = f"{where}.{key}" if where else str(key)
            yield name
            yield from dotted_keys(item, name)
