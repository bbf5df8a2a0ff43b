"""The command that trains a run again, found from the settings in its record.

A record holds each setting, but not what was typed. The command names the experiment and the choices of groups that
come nearest to the settings, and then each setting that still differs.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import Any

from attest.config.compose import compose_unchecked, recompose
from attest.config.flat import flatten
from attest.config.hydra.class_overrides import SHARED_ARGUMENTS
from attest.config.locate import TRUSTED, is_built_in, is_in, own_code, own_folder_advice
from attest.config.overrides import override_value, parse_override, quoted, value_of
from attest.config.own_folders import choices, is_own_module
from attest.config.settings import Settings
from attest.config.shell_command import shell_command
from attest.config.yaml_files import read_yaml
from attest.errors import SettingsError
from attest.runs.records import Record

DATASET = "dataset"
GROUPS = ("model", "mask", "head", "optimizer", DATASET, "text", "phrases", "vectors", "protocol")
"""The groups that a command may choose from, beside an experiment, in the order in which they are tried."""
TARGET = "_target_"
"""The last part of the key that names a class."""
BASE_MODEL = "s2t"
"""The choice of `model` that a command starts from if no file names the class of the run."""
KEY_COST = 1.5
"""The cost of an override of a single key, where the choice of a group costs 1: it also sets settings that ids do not
hash, such as the files of a data set."""
INFINITE = float("inf")
Flat = Mapping[str, Any]
"""Settings by dotted key."""


def run_command(record: Record) -> str:
    """Return the command that trains the run of a record again, or imports its weights, quoted for a shell.

    A finished run is trained again only if its code had uncommitted changes; a failed one, with retry_failed=true.
    Raise SettingsError if no command has these settings, as if they name a file of the user's own that is not found.
    """
    if imported := record.data.get("imported"):
        words = ["--words", imported["words"]] if imported.get("words") else []
        return shell_command("import", imported["file"], *words, *run_overrides(record.settings))
    return shell_command("train", *run_overrides(record.settings), *record.retry_overrides)


def run_overrides(settings: Flat) -> list[str]:
    """Return the overrides that compose to the settings of a record; raise SettingsError if there are none."""
    recomposed = recompose(settings)
    check_own_code(recomposed)
    wanted = flatten(recomposed)
    packages = packages_override(wanted)
    scale = f"scale={wanted['scale']}"
    overrides = nearest_choices(wanted, scale, GROUPS)
    if cost(overrides, wanted) > len(["experiment", "scale"]):  # else no command with an experiment is shorter
        others = nearest_choices(wanted, scale, ("experiment", *GROUPS))
        overrides = min(overrides, others, key=lambda overrides: cost(overrides, wanted))
    if (name := wanted["dataset.name"]) != composed(overrides)["dataset.name"]:
        raise SettingsError(f"the data set {name} is not found; {own_folder_advice('its folder')}")
    overrides += settings_overrides(composed(overrides), wanted, only=TARGET)
    overrides += settings_overrides(composed(overrides), wanted)  # another class takes other settings
    if composed(overrides) != wanted:
        raise SettingsError("no overrides of the files in conf/ have the settings of this run")
    if packages and any(text.startswith(f"model.{TARGET}=") for text in overrides):
        deletions = [
            f"~model.{key}" for key in SHARED_ARGUMENTS if f"model.{key}" not in wanted
        ]  # as the class might take them
        overrides += [text for text in deletions if text not in overrides]
    return [*overrides, *packages]  # composed without packages: a record alone lets no code be imported


def check_own_code(settings: Settings) -> None:
    """Raise SettingsError if the task, the tokeniser or the parser is in no folder that is named as the user's own."""
    for key, (name, _) in own_code(settings).items():
        if not is_own_module(name.rpartition(".")[0]):
            raise SettingsError(f"{key}: {name} is not found; {own_folder_advice('the folder of its code')}")


def packages_override(wanted: Flat) -> list[str]:
    """Return the override of `packages` that classes outside of Attest and of the user's own folders need, if any.

    Raise SettingsError for a class whose package Python does not find here either.
    """
    needed = []
    for key, target in wanted.items():
        if key.endswith(TARGET) and not is_in(target, TRUSTED) and not is_own_module(target.rpartition(".")[0]):
            package = target.partition(".")[0]
            if not is_found(package):
                advice = own_folder_advice("the folder of its code")
                raise SettingsError(
                    f"{key}: {target} is not found; {advice}, or install {package} or put its folder on PYTHONPATH"
                )
            needed.append(package)
    return [override_of("packages", list(dict.fromkeys([*TRUSTED, *needed])))] if needed else []


def is_found(package: str) -> bool:
    """Return whether Python finds a package of this name; nothing of it is run."""
    with suppress(ValueError):  # of the module __main__
        return find_spec(package) is not None
    return False


def nearest_choices(wanted: Flat, scale: str, groups: Sequence[str]) -> list[str]:
    """Return the choice of each group, tried in this order, that brings the settings nearest to those wanted."""
    chosen: list[str] = []
    for group in groups:
        present = composed([*chosen, scale])
        if present == wanted:
            break  # any further choice would only make the command longer
        if group in GROUPS and section(present, group) == section(wanted, group):
            continue
        candidates = [[*chosen, f"{group}={name}"] for name in candidate_names(group, wanted)]
        costs = {tuple(overrides): cost([*overrides, scale], wanted) for overrides in (chosen, *candidates)}
        if group == DATASET and any(costs[tuple(overrides)] < INFINITE for overrides in candidates):
            del costs[tuple(chosen)]  # no other override changes the files of a data set
        chosen = list(min(costs, key=lambda overrides: costs[overrides]))
    return [*chosen, scale]


def section(settings: Flat, group: str) -> Flat:
    """Return the settings that the choice of a group sets."""
    start = "model." if group == "mask" else f"{group}."
    return {key: value for key, value in settings.items() if key.startswith(start)}


def candidate_names(group: str, wanted: Flat) -> Sequence[str]:
    """Return the choices of a group that a command may name.

    A model of the user's own that no file names is typed over START: its settings may be equal to those of any model,
    whose name in the command would mislead.
    """
    named = choices(group)
    if group == DATASET:  # runs are opened by the names of their data sets, which are those of the files
        return [name for name in named if name == wanted["dataset.name"]]
    target = wanted["model._target_"]
    is_typed = group == "model" and not is_built_in(target)
    if is_typed and all(read_yaml(path).get(TARGET) != target for path in named.values()):
        return [BASE_MODEL]
    return list(named)


def composed(overrides: Sequence[str]) -> Flat:
    """Return the settings that overrides compose to, by dotted key."""
    return flatten(compose_unchecked(overrides))


def cost(overrides: Sequence[str], wanted: Flat) -> float:
    """Return the cost of a command that begins with these choices of groups; infinite if they do not compose."""
    with suppress(SettingsError):
        return len(overrides) + KEY_COST * len(list(settings_overrides(composed(overrides), wanted)))
    return INFINITE


def settings_overrides(found: Flat, wanted: Flat, only: str = "") -> Iterator[str]:
    """Yield the overrides that turn the settings `found` into those that are wanted, of all keys or of those that end
    in `only`."""
    for key in [*wanted, *(key for key in found if key not in wanted)]:
        if key.endswith(only) and (key not in found or key not in wanted or found[key] != wanted[key]):
            yield override_of(key, wanted[key]) if key in wanted else f"~{key}"


def override_of(key: str, value: Any) -> str:
    """Return the override that sets a key to a plain value, with quotation marks where Hydra's grammar needs them."""
    with suppress(SettingsError):
        plain = f"{key}={override_value(value)}"
        if value_of(parse_override(plain)) == value:
            return plain
    return f"{key}={in_quotes(value)}"


def in_quotes(value: Any) -> str:
    """Return a plain value as an override writes it, with all its texts in quotation marks."""
    if isinstance(value, list | tuple):
        return f"[{','.join(map(in_quotes, value))}]"
    return quoted(value) if isinstance(value, str) else override_value(value)
