"""Composition of typed settings from Hydra's overrides and the files in `conf/`."""

import re
import traceback
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import cache
from typing import Any, TypeVar, cast

from hydra.errors import HydraException, OverrideParseException
from omegaconf import Container, DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException
from yaml import MarkedYAMLError

from attest.config import components
from attest.config.components import COMPONENTS
from attest.config.flat import flatten, unflatten
from attest.config.hydra_cache import compose_uncached, compose_values
from attest.config.overrides import fit_overrides, key_of, malformed_override
from attest.config.own_folders import choices, is_own_module
from attest.config.paths import shipped_folder
from attest.config.places import naming_own_files
from attest.config.renamed import present_key
from attest.config.schema import did_you_mean, parse
from attest.config.settings import Dataset, Phrases, Settings
from attest.config.yaml_files import read_yaml
from attest.errors import SettingsError

Command = TypeVar("Command")

PASSED_PARAMETERS = {"model": ("input_size",), "head": ("width", "classes"), "optimizer": ("params",)}
"""The constructor parameters of each component that the program passes itself; all others are settings."""

LAUNCHER_EXTRAS = {"joblib": "joblib", "ray": "ray", "submitit_local": "slurm", "submitit_slurm": "slurm"}
"""The launchers of packages that are optional, each with the extra that installs it."""


def compose(overrides: Sequence[str]) -> Settings:
    """Return the settings of a run from overrides such as ["model=disan", "seed=3"]; raise SettingsError if wrong."""
    with naming_own_files(overrides):
        return checked(compose_unchecked(overrides))


def compose_unchecked(overrides: Sequence[str]) -> Settings:
    """Return settings whose model, head and optimiser are not checked: enough to find files, without loading torch."""
    with naming_own_files(overrides), translate_hydra_errors(overrides):
        return parse_values(compose_values(list(overrides)))


def compose_cell(overrides: Sequence[str]) -> Settings:
    """Return complete settings, of which the sizes are not checked: that is done when a run is made."""
    with naming_own_files(overrides):
        return complete(compose_unchecked(overrides))


def compose_command(cls: type[Command], name: str, overrides: Sequence[str]) -> Command:
    """Return the settings of one command: its primary config conf/`name`.yaml with overrides, as an instance of `cls`.

    Groups that commands share, such as scale, may also set keys that `cls` does not have; those are left out.
    """
    names = [field.name for field in fields(cls)]  # type: ignore[arg-type]
    check_keys(overrides, names, name)
    fitted = fit_overrides(overrides, cls)
    with translate_hydra_errors(fitted, name):
        config = compose_uncached(fitted, name)
        values = {key: config[key] for key in names if key in config}
        data = {
            key: OmegaConf.to_container(value, resolve=True) if isinstance(value, Container) else value
            for key, value in values.items()
        }
    return parse(cls, data)


def check_keys(overrides: Sequence[str], roots: Collection[str], name: str = "config") -> None:
    """Raise SettingsError for an override whose key does not begin with one of `roots`, the settings of a command."""
    if overrides and not roots:
        raise SettingsError(f"{overrides[0]}: this command takes no settings")
    for key in map(key_of, overrides):
        if key.partition(".")[0] not in roots:
            if renamed := present_key(key):
                raise SettingsError(f"{key}: renamed to {renamed}")
            if key in known_keys():
                raise SettingsError(f"{key}: not used by this command, which takes {', '.join(sorted(roots))}")
            own = {known for known in known_keys(name) if known.partition(".")[0] in roots}
            raise SettingsError(f"{key}: unknown setting.{did_you_mean(key, {*own, *roots})}")


def recompose(flat: Mapping[str, Any], overrides: Sequence[str] = ()) -> Settings:
    """Return the settings of a record, with the private settings (folders, downloads) of this machine.

    `flat` holds the record's settings by dotted key. `overrides` may change private settings only; any other change
    raises SettingsError.
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
                f"{key}: a finished run keeps its settings; only private ones such as paths.data change"
            )
    if not known:  # a data set of the user's own, whose folder is not named here: its files are not known
        changed = replace(changed, dataset=Dataset(name=flat["dataset.name"], format="tsv", files={}, labels=()))
    return parse(Settings, unflatten(flat, changed))


def parse_and_check(config: DictConfig) -> Settings:
    """Return the settings of a configuration that Hydra composed; raise SettingsError if anything in it is wrong."""
    with translate_hydra_errors(()):
        values = OmegaConf.to_container(config, resolve=True)
    return checked(parse_values(cast("dict[str, Any]", values)))


def checked(settings: Settings) -> Settings:
    """Return complete settings; raise SettingsError if anything in them is wrong."""
    check_settings(settings)
    return complete(settings)


def complete(settings: Settings) -> Settings:
    """Return the settings as ids hash them: with typed components, and with the device of this machine."""
    from attest.config.devices import with_device  # imported here because it loads torch

    return replace(with_typed_components(settings), trainer=with_device(settings.trainer, settings.scale))


def parse_values(values: dict[str, Any]) -> Settings:
    """Return the settings of a resolved configuration; raise SettingsError for a wrong key, type or range.

    The settings of the model, the head and the optimiser are left to `check_settings`.
    """
    values.pop("hydra", None)
    values["optimizer"].pop("mini_lr", None)  # scale=mini takes lr from it; the optimiser has no such setting
    check_top_level_keys(values)
    settings = parse(Settings, values)
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


def check_settings(settings: Settings) -> None:
    """Raise SettingsError if the model, the head or the optimiser rejects its settings, or no length is set."""
    for key, (target, kind) in components.own_code(settings).items():
        components.locate(target, key, (), kind)
    for name in COMPONENTS:
        components.check_component(getattr(settings, name), name, PASSED_PARAMETERS[name], settings.packages)
    check_sizes(settings)
    check_extensions(settings)
    if settings.protocol.steps is None and settings.protocol.epochs is None:
        raise SettingsError("protocol: neither steps nor epochs are set, so nothing says how long to train; set one")


def check_extensions(settings: Settings) -> None:
    """Raise SettingsError if a callback or the profiler rejects its settings, or its package is not trusted."""
    named = {f"trainer.callbacks[{number}]": item for number, item in enumerate(settings.trainer.callbacks)}
    named |= {} if settings.trainer.profiler is None else {"trainer.profiler": settings.trainer.profiler}
    for where, component in named.items():
        components.check_component(component, where, trusted=(*settings.packages, *components.EXTENSIONS))


def check_top_level_keys(data: dict[Any, Any]) -> None:
    """Raise SettingsError, with the new or nearest name, for an unknown top-level key such as modle in +modle.x=1."""
    known = set(Settings.__dataclass_fields__)
    for key in data:
        if key not in known:
            for name in (*dotted_keys(data[key], str(key)), str(key)):
                if renamed := present_key(name):
                    raise SettingsError(f"{name}: renamed to {renamed}")
            raise SettingsError(f"{key}: unknown setting.{did_you_mean(str(key), known)}")


def check_sizes(settings: Settings) -> None:
    """Build model, head and optimiser on the meta device: raise SettingsError for wrong values before data is read."""
    from attest.config.build import build_shapes  # imported here because it loads torch

    try:
        encoder, head = build_shapes(settings)
    except SettingsError:
        raise
    except Exception:
        if any(is_own_module(str(getattr(settings, name)["_target_"])) for name in COMPONENTS):
            return  # code of the user's own need not work without values; the run builds it with values
        raise
    parameters = [{"params": [*encoder.parameters(), *head.parameters()]}]
    components.build_component(settings.optimizer, "optimizer", trusted=settings.packages, params=parameters)


@contextmanager
def translate_hydra_errors(overrides: Sequence[str], name: str = "config") -> Iterator[None]:
    """Raise SettingsError in place of an error of Hydra in the block; conf/`name`.yaml is the primary config."""
    try:
        yield
    except (HydraException, OmegaConfBaseException) as error:
        raise settings_error(error, name) from error
    except MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"{mark.name}:{mark.line + 1}: " if mark is not None else ""
        raise SettingsError(f"{place}not readable as YAML: {error.problem}") from error
    except (ValueError, TypeError) as error:  # such as that of a group set to a number, which names no override
        *_, (frame, _) = traceback.walk_tb(error.__traceback__)
        if not frame.f_globals["__name__"].startswith("hydra."):
            raise
        if isinstance(error, TypeError):  # Hydra expects that choices are names
            groups = groups_of(name)
            choices = [text for text in overrides if not text.startswith("-") and key_of(text) in groups]
            raise SettingsError(
                f"{' '.join(choices)}: the choice of a group is a name, as in protocol=paper"
            ) from error
        raise SettingsError(f"{' '.join(overrides)}: {error}") from error


def settings_error(error: Exception, primary: str = "config") -> SettingsError:
    """Return the SettingsError that replaces an error of Hydra; conf/`primary`.yaml is the primary config."""
    message = str(error)
    if isinstance(error, OverrideParseException):
        return SettingsError(malformed_override(str(error.override)))
    if match := re.search(r"Could not override '([^']+)'", message):
        if name := present_key(match[1]):
            return SettingsError(f"{match[1]}: renamed to {name}")
        if match[1] in known_keys(primary):  # the key belongs to another choice of its group
            return SettingsError(f"{match[1]}: no setting of the {match[1].split('.')[0]} chosen here")
        return SettingsError(f"{match[1]}: unknown setting.{did_you_mean(match[1], known_keys(primary))}")
    if match := re.search(r"Could not (?:find|load) '([^']+)/([^'/]+)'", message):
        group, choice, options = match[1], match[2], re.findall(r"^\t(\S+)$", message, re.MULTILINE)
        if not options or ("/" in group and not group.startswith("hydra/")):
            # Hydra lists only direct choices of a folder, but a choice may be a path below its group.
            group, choice = f"{group}/{choice}".split("/", 1)
            options = choices_below(group, choice.partition("/")[0])
        if group == "hydra/launcher" and choice in LAUNCHER_EXTRAS and choice not in options:
            return SettingsError(
                f"{group}={choice}: not installed; type pip install 'attest[{LAUNCHER_EXTRAS[choice]}]'"
            )
        known = f" There are: {', '.join(options)}." if options else ""
        return SettingsError(f"{group}={choice}: no such choice.{did_you_mean(choice, options)}{known}")
    return SettingsError(" ".join(message.split()))


def choices_below(group: str, folder: str) -> list[str]:
    """Return the names of the choices in one folder of a group, such as disan/trec; of all choices if it has none."""
    names = list(choices(group))
    return [name for name in names if name.startswith(f"{folder}/")] or names


@cache
def known_keys(name: str = "config") -> set[str]:
    """Return the keys that overrides of a primary config may set: groups, its dotted keys and those of all choices."""
    config = compose_uncached([], name)
    keys = set(dotted_keys(OmegaConf.to_container(config, resolve=False)))
    for group in groups_of(name):
        keys.add(group)
        if isinstance(config.get(group), DictConfig):
            for option in choices(group).values():
                own = {key: value for key, value in read_yaml(option).items() if key != "defaults"}
                keys.update(dotted_keys(own, group))
    return keys


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
