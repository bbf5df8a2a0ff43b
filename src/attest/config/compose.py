"""From Hydra's overrides to typed settings. Below the command line, only this module and hydra_cache know Hydra."""

import re
import traceback
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import cache
from typing import Any, TypeVar

from hydra.errors import HydraException, OverrideParseException
from omegaconf import Container, DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from attest.config import components
from attest.config.components import COMPONENTS
from attest.config.hydra_cache import composed, composed_by_hydra
from attest.config.overrides import fit_overrides, key_of, malformed
from attest.config.paths import home, shipped_folder
from attest.config.renamed import present_key
from attest.config.schema import did_you_mean, flatten, parse, unflatten
from attest.config.settings import Phrases, Settings
from attest.config.yaml_files import read_yaml, yaml_names
from attest.errors import SettingsError

Command = TypeVar("Command")

GIVEN = {"model": ("input_size",), "head": ("width", "classes"), "optimizer": ("params",)}
"""What the program fills in itself; everything else a component takes is a setting."""

OmegaConf.register_new_resolver("attest_home", lambda: str(home()), replace=True)


def compose(overrides: Sequence[str]) -> Settings:
    """Settings from overrides such as ["model=disan", "seed=3"]."""
    return checked(compose_unchecked(overrides))


def compose_unchecked(overrides: Sequence[str]) -> Settings:
    """Settings of whose components nothing is known but their names: for places and files, and without torch."""
    with explained(overrides):
        return typed(composed(list(overrides)))


def compose_command(cls: type[Command], name: str, overrides: Sequence[str]) -> Command:
    """Return the settings of one command: its primary config conf/`name`.yaml with overrides, as an instance of `cls`.

    Groups that commands share, such as scale, may also set keys that `cls` does not have; those are left out.
    """
    names = [field.name for field in fields(cls)]  # type: ignore[arg-type]
    check_keys(overrides, names, name)
    fitted = fit_overrides(overrides, cls)
    with explained(fitted, name):
        config = composed_by_hydra(fitted, name)
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
    """The settings that a record holds, with their private parts (places, archives) as they are here and now."""
    options = sorted((shipped_folder("conf") / "vectors").glob("*.yaml"))
    named = [path.stem for path in options if read_yaml(path).get("file") == flat["vectors.file"]]
    vectors = [f"vectors={name}" for name in named]
    own = [f"scale={flat['scale']}", f"dataset={flat['dataset.name']}", *vectors]
    settings = compose(own)
    here, changed = flatten(settings), compose([*own, *overrides]) if overrides else settings
    for key, value in flatten(changed).items():
        if key not in here or here[key] != value:
            raise SettingsError(
                f"{key}: a finished run keeps its settings; only private ones such as paths.data change"
            )
    return parse(Settings, unflatten(flat, changed))


def check(config: DictConfig) -> Settings:
    """The typed settings of a composed configuration; whatever is wrong with it is a SettingsError."""
    return checked(typed(config))


def typed(config: DictConfig) -> Settings:
    with explained(()):
        data = OmegaConf.to_container(config, resolve=True)
    assert isinstance(data, dict)
    data.pop("hydra", None)
    data["optimizer"].pop("mini_lr", None)  # what scale=mini takes lr from: no setting of the optimiser's
    unknown_top_level(data)
    settings = parse(Settings, data)  # type: ignore[arg-type]
    return replace(settings, phrases=without_unused(settings.phrases))


def without_unused(phrases: Phrases) -> Phrases:
    """Return the settings with those at their defaults that have no effect, so that they do not change the run's id."""
    if phrases.source == "none":
        return Phrases()
    return phrases if phrases.source == "learned" else replace(phrases, parser_run=None)


def checked(settings: Settings) -> Settings:
    """The same, if its model, head and optimiser take what they are given."""
    for name in COMPONENTS:
        components.check_component(getattr(settings, name), name, GIVEN[name], settings.packages)
    check_sizes(settings)
    if settings.protocol.steps is None and settings.protocol.epochs is None:
        raise SettingsError("protocol: neither steps nor epochs are set, so nothing says how long to train; set one")
    return settings


def unknown_top_level(data: dict[Any, Any]) -> None:
    """A nicer word than the schema's for +modle.x=1: the nearest key may be a nested one."""
    known = set(Settings.__dataclass_fields__)
    for key in data:
        if key not in known:
            for name in (*dotted_keys(data[key], str(key)), str(key)):
                if renamed := present_key(name):
                    raise SettingsError(f"{name}: renamed to {renamed}")
            raise SettingsError(f"{key}: unknown setting.{did_you_mean(str(key), known)}")


def check_sizes(settings: Settings) -> None:
    """Build encoder, head and optimiser without memory, so that values out of range show before any data is read."""
    import torch  # here, so that composing a configuration for its text alone does not load it

    from attest.config.build import build_model

    with torch.device("meta"):
        encoder, head = build_model(settings, settings.vectors.size)
        parameters = [{"params": [*encoder.parameters(), *head.parameters()]}]
        components.build_component(settings.optimizer, "optimizer", trusted=settings.packages, params=parameters)


@contextmanager
def explained(overrides: Sequence[str], name: str = "config") -> Iterator[None]:
    """Raise SettingsError in place of Hydra's errors about overrides of the primary config conf/`name`.yaml."""
    try:
        yield
    except (HydraException, OmegaConfBaseException) as error:
        raise explain(error, name) from error
    except ValueError as error:  # such as a group given a number: no word of which
        *_, (frame, _) = traceback.walk_tb(error.__traceback__)
        if not frame.f_globals["__name__"].startswith("hydra."):
            raise
        raise SettingsError(f"{' '.join(overrides)}: {error}") from error


def explain(error: Exception, primary: str = "config") -> SettingsError:
    """Return one sentence for an error that Hydra words in several."""
    message = str(error)
    if isinstance(error, OverrideParseException):
        return SettingsError(malformed(str(error.override)))
    if match := re.search(r"Could not override '([^']+)'", message):
        if name := present_key(match[1]):
            return SettingsError(f"{match[1]}: renamed to {name}")
        if match[1] in known_keys(primary):  # of another option of its group
            return SettingsError(f"{match[1]}: no setting of the {match[1].split('.')[0]} chosen here")
        return SettingsError(f"{match[1]}: unknown setting.{did_you_mean(match[1], known_keys(primary))}")
    if match := re.search(r"Could not find '([^']+)/([^'/]+)'", message):
        group, choice, options = match[1], match[2], re.findall(r"^\t(\S+)$", message, re.MULTILINE)
        if not options:  # Hydra lists those of a folder alone, and a choice may be a path below its group
            group, choice = f"{group}/{choice}".split("/", 1)
            options = choices_below(group, choice.partition("/")[0])
        known = f" There are: {', '.join(options)}." if options else ""
        return SettingsError(f"{group}={choice}: no such choice.{did_you_mean(choice, options)}{known}")
    return SettingsError(" ".join(message.split()))


def choices_below(group: str, folder: str) -> list[str]:
    """The choices of a group in one of its folders, or all of them, as disan/trec."""
    names = yaml_names(shipped_folder("conf") / group)
    return [name for name in names if name.startswith(f"{folder}/")] or names


@cache
def known_keys(name: str = "config") -> set[str]:
    """Return the dotted keys of a primary config, its groups, and the dotted keys of the choices in these groups."""
    config = composed_by_hydra([], name)
    keys = set(dotted_keys(OmegaConf.to_container(config, resolve=False)))
    for group in groups_of(name):
        keys.add(group)
        if isinstance(config.get(group), DictConfig):
            for option in (shipped_folder("conf") / group).glob("*.yaml"):
                own = {key: value for key, value in read_yaml(option).items() if key != "defaults"}
                keys.update(dotted_keys(own, group))
    return keys


def groups_of(name: str = "config") -> dict[str, str | None]:
    """Return the config groups that a primary config chooses from, each with its default choice, in their order."""
    entries = read_yaml(shipped_folder("conf") / f"{name}.yaml")["defaults"]
    chosen = [pair for entry in entries if isinstance(entry, dict) for pair in entry.items()]
    return {group: choice for group, choice in chosen if group.isidentifier()}


def dotted_keys(value: Any, where: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            name = f"{where}.{key}" if where else str(key)
            yield name
            yield from dotted_keys(item, name)
