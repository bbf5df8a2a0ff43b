"""Composition of settings, as dataclasses, from Hydra's overrides and the files in `conf/`."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from typing import Any, TypeVar, cast

from omegaconf import Container, DictConfig, OmegaConf

from attest.config import components
from attest.config.checks import check_settings
from attest.config.components import COMPONENTS
from attest.config.fit_overrides import fit_overrides
from attest.config.flat import flatten, unflatten
from attest.config.hydra.cache import compose_values, compose_with_hydra
from attest.config.hydra.error_locations import locate_errors_in_own_files
from attest.config.hydra.errors import translate_hydra_errors
from attest.config.keys import check_keys, check_top_level_keys, groups_of
from attest.config.overrides import key_of
from attest.config.own_folders import choices
from attest.config.schema import from_plain
from attest.config.settings import Dataset, Phrases, Settings, Vectors
from attest.config.vector_files import with_file_description
from attest.config.yaml_files import read_yaml
from attest.errors import SettingsError

Command = TypeVar("Command")


def compose(overrides: Sequence[str]) -> Settings:
    """Return the settings of a run from overrides such as ["model=disan", "seed=3"]; raise SettingsError if wrong."""
    with locate_errors_in_own_files(overrides):
        return check_and_complete(compose_unchecked(overrides))


def compose_unchecked(overrides: Sequence[str]) -> Settings:
    """Return settings whose model, head and optimiser are not checked: enough to find files, without loading torch."""
    with locate_errors_in_own_files(overrides), translate_hydra_errors(overrides):
        return parse_values(compose_values(list(overrides)), overrides)


def compose_command(cls: type[Command], name: str, overrides: Sequence[str]) -> Command:
    """Return the settings of one command: its primary config conf/`name`.yaml with overrides, as an instance of `cls`.

    Groups that commands share, such as scale, may also set keys that `cls` does not have; those are left out.
    """
    names = [field.name for field in fields(cls)]  # type: ignore[arg-type]
    check_keys(overrides, names, name)
    fitted = fit_overrides(overrides, cls)
    with translate_hydra_errors(fitted, name):
        config = compose_with_hydra(fitted, name)
        values = {key: config[key] for key in names if key in config}
        data = {
            key: OmegaConf.to_container(value, resolve=True) if isinstance(value, Container) else value
            for key, value in values.items()
        }
    return from_plain(cls, data)


def recompose(flat: Mapping[str, Any], overrides: Sequence[str] = ()) -> Settings:
    """Return the settings of a record, with the settings that ids do not hash (folders, downloads) of this machine.

    `flat` holds the record's settings by dotted key. `overrides` may change only settings that ids do not hash; any
    other change raises SettingsError.
    """
    options = choices("vectors").items()
    vectors = [f"vectors={name}" for name, path in options if read_yaml(path).get("file") == flat["vectors.file"]]
    known = flat["dataset.name"] in choices("dataset")
    own = [f"scale={flat['scale']}", *([f"dataset={flat['dataset.name']}"] if known else []), *vectors]
    settings = compose_unchecked(own)
    here, changed = flatten(settings), compose_unchecked([*own, *overrides]) if overrides else settings
    for key, value in flatten(changed).items():
        if key not in here or here[key] != value:
            raise SettingsError(
                f"{key}: cannot be changed for a finished run; only settings that its id does not hash, such as "
                "paths.data, can"
            )
    if not known:  # a data set of the user's own, whose folder is not named here: its files are not known
        changed = replace(changed, dataset=Dataset(name=flat["dataset.name"], format="tsv", files={}, labels=()))
    if not vectors:
        changed = replace(changed, vectors=Vectors(file=flat["vectors.file"], size=flat["vectors.size"]))
    return from_plain(Settings, unflatten(flat, changed))


def parse_and_check(config: DictConfig, overrides: Sequence[str]) -> Settings:
    """Return the settings of a configuration that Hydra composed from overrides; raise SettingsError if anything in it
    is wrong."""
    with translate_hydra_errors(()):
        values = OmegaConf.to_container(config, resolve=True)
    return check_and_complete(parse_values(cast("dict[str, Any]", values), overrides))


def check_and_complete(settings: Settings) -> Settings:
    """Return complete settings; raise SettingsError if anything in them is wrong."""
    check_settings(settings)
    return with_device_and_types(settings)


def with_device_and_types(settings: Settings) -> Settings:
    """Return the settings as ids hash them: arguments of components in the types of their constructors, and the device
    and number format of this machine."""
    from attest.config.devices import with_device  # imported here because it loads torch

    return replace(with_typed_components(settings), trainer=with_device(settings.trainer, settings.scale))


@cache
def section_groups() -> list[str]:
    """Return the groups whose choices are sections of the settings; the choice of a scale is a name."""
    return [group for group in groups_of() if group in {field.name for field in fields(Settings)} - {"scale"}]


def parse_values(values: dict[str, Any], overrides: Sequence[str]) -> Settings:
    """Return the settings of a configuration that overrides resolve to; raise SettingsError for a wrong key, type or
    range.

    The settings of the model, the head and the optimiser are left to `check_settings`.
    """
    values.pop("hydra", None)
    check_top_level_keys(values)
    for group in section_groups():
        if not isinstance(values.get(group, {}), dict):
            raise SettingsError(
                f"{group}: expected keys and values, got {values[group]!r}; a file chooses one of the group by "
                f"`override /{group}: NAME` at the end of its defaults"
            )
    if "task" not in values:
        raise SettingsError(
            "task: missing, since no experiment sets it; type experiment=disan/snli, or begin an experiment of your "
            "own with `defaults: [/experiment/disan/snli]`"
        )
    values.get("optimizer", {}).pop("mini_lr", None)  # scale=mini takes lr from it; the optimiser has no such setting
    vectors = with_file_description(values["vectors"], [*map(key_of, overrides)])
    settings = from_plain(Settings, values | {"vectors": vectors})
    return replace(settings, phrases=reset_unused_phrases(settings.phrases))


def reset_unused_phrases(phrases: Phrases) -> Phrases:
    """Return the phrase settings, with those that `source` makes useless reset to their defaults: ids ignore them."""
    if phrases.source == "none":
        return Phrases()
    return phrases if phrases.source == "learned" else replace(phrases, parser_run=None)


def with_typed_components(settings: Settings) -> Settings:
    """Return the settings with the values of model, head and optimiser as the types of their constructors."""
    packages = settings.packages
    components_of = {
        name: components.canonical_component(getattr(settings, name), name, packages) for name in COMPONENTS
    }
    return replace(settings, **components_of)
