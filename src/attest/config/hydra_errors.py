"""Errors of Hydra, OmegaConf and YAML in plain words: the key or choice, what is wrong, and the nearest name."""

import re
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hydra.errors import HydraException, OverrideParseException
from omegaconf.errors import GrammarParseError, InterpolationKeyError, OmegaConfBaseException
from yaml import YAMLError

from attest.config.components import COMPONENTS
from attest.config.error_words import did_you_mean
from attest.config.keys import choices_with, groups_of, known_keys
from attest.config.list_keys import list_key_error
from attest.config.mistakes import NAMED_FILE, circle_of_files, place_in_defaults
from attest.config.overrides import key_of, malformed_override
from attest.config.own_folders import choices
from attest.config.renamed import present_key
from attest.config.yaml_files import line_of, read_yaml
from attest.errors import SettingsError

LAUNCHER_EXTRAS = {"joblib": "joblib", "ray": "ray", "submitit_local": "slurm", "submitit_slurm": "slurm"}
"""The launchers of packages that are optional, each with the extra that installs it."""


@contextmanager
def translate_hydra_errors(overrides: Sequence[str], name: str = "config") -> Iterator[None]:
    """Raise SettingsError in place of an error of Hydra in the block; conf/`name`.yaml is the primary config."""
    try:
        yield
    except (HydraException, OmegaConfBaseException, YAMLError, ValueError, TypeError) as error:
        if path := file_being_read(error):
            raise file_error(path, error) from error
        if mistake := list_key_error(error):
            raise mistake from error
        if isinstance(error, HydraException | OmegaConfBaseException):
            mistake = settings_error(error, name)
        elif is_of_hydra(error):
            mistake = value_error(error, overrides, name)
        else:
            raise
        place = place_in_defaults(str(error), overrides)
        raise (SettingsError(f"{place}: {mistake}") if place else mistake) from error
    except RecursionError:
        if (mistake := circle_of_files(overrides)) is None:
            raise
        raise mistake from None


def file_being_read(error: Exception) -> Path | None:
    """Return the file of settings that Hydra was reading when an error was raised, or None if it was reading none."""
    frames = (frame for frame, _ in traceback.walk_tb(error.__traceback__))
    read = [frame for frame in frames if frame.f_code.co_qualname == "FileConfigSource.load_config"]
    return Path(read[-1].f_locals["full_path"]) if read else None


def file_error(path: Path, error: Exception) -> SettingsError:
    """Return the SettingsError that replaces an error in the content of a file of settings."""
    try:
        read_yaml(path)
    except SettingsError as mistake:
        return mistake
    key = getattr(error, "full_key", None) or ""
    return SettingsError(f"{path}:{line_of(path, key)}: {key}: {first_line(error)}")


def is_of_hydra(error: Exception) -> bool:
    """Return whether code of Hydra raised an error of Python, such as that of a group set to a number."""
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    return frame.f_globals["__name__"].startswith("hydra.")


def value_error(error: Exception, overrides: Sequence[str], primary: str) -> SettingsError:
    """Return the SettingsError that replaces an error of Python which Hydra raised without the name of an override."""
    if NAMED_FILE.search(str(error)):
        return SettingsError(str(error))
    if isinstance(error, TypeError) or "Config group override must be" in str(error):  # choices are names
        groups = groups_of(primary)
        chosen = [text for text in overrides if not text.startswith("-") and key_of(text) in groups]
        return SettingsError(
            f"{' '.join(chosen)}: the choice of a group is a name, as in protocol=paper or mask=none, not a number or "
            "null"
        )
    return SettingsError(f"{' '.join(overrides)}: {error}")


def settings_error(error: Exception, primary: str = "config") -> SettingsError:
    """Return the SettingsError that replaces an error of Hydra; conf/`primary`.yaml is the primary config."""
    message = str(error)
    if isinstance(error, OverrideParseException):
        return SettingsError(malformed_override(str(error.override)))
    if match := re.search(r"Missing mandatory value: (hydra\.sweeper\.(table|search))", message):
        example = {"table": "disan/table1", "search": "dam/ngram"}[match[2]]
        return SettingsError(f"{match[1]}: missing; type {match[1]}={example}")
    if match := re.search(r"Ambiguous value for argument '(.*?)'\n|Sweep parameters '(.*?)' requires", message):
        return SettingsError(
            f"{match[1] or match[2]}: several values; `attest train -m` trains a run with each of them, and a list is "
            "written in brackets, as [a,b]"
        )
    if match := re.search(r"Could not override '([^']+)'", message):
        within = re.search(r"full_key: (\S+)", str(error.__cause__))  # the key in a dictionary of values
        key = within[1] if within and within[1].startswith(f"{match[1]}.") else match[1]
        if name := present_key(key):
            return SettingsError(f"{key}: renamed to {name}")
        if key in known_keys(primary):  # the key belongs to another choice of its group
            return SettingsError(f"{key}: no setting of the {key.split('.')[0]} chosen here")
        return SettingsError(f"{key}: unknown setting.{did_you_mean(key, known_keys(primary))}")
    if isinstance(error, InterpolationKeyError) and (match := re.search(r"key '(.*?)' not found", message)):
        return SettingsError(f"{error.full_key}: {missing_reference(match[1], str(error.full_key), primary)}")
    if match := re.search(r"(\S+) appears more than once in the final defaults list", message):
        return SettingsError(f"{match[1]}: chosen twice; write `override /{match[1]}: NAME` at the end of defaults")
    if match := re.search(r"Could not (?:find|load) '([^']+)/([^'/]*)'", message):
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
        other = " Others of torch: optimizer._target_=torch.optim.NAME optimizer.lr=RATE." * (group == "optimizer")
        return SettingsError(f"{group}={choice}: no such choice.{did_you_mean(choice, options)}{known}{other}")
    if match := re.search(r"Could not delete from config. '(.*?)' does not exist", message):
        of_component = match[1].partition(".")[0] in COMPONENTS  # whose settings depend on the class that is chosen
        guess = "" if of_component else did_you_mean(match[1], known_keys(primary))
        return SettingsError(f"~{match[1]}: there is no such setting to delete; leave it out.{guess}")
    if match := re.search(r"Could not delete '(.*?)'. No match in the defaults list", message):
        options = ", ".join(choices(match[1]))
        return SettingsError(f"~{match[1]}: a group cannot be left out; choose from it, as {match[1]}=NAME: {options}")
    if match := re.search(r"Could not append to config. An item is already at '(.*?)'", message):
        return SettingsError(f"+{match[1]}: this setting is there; leave out the +")
    if match := re.search(r"Error merging override (\S+?)=", message):
        cause = f": {first_line(error.__cause__)}" if isinstance(error.__cause__, OmegaConfBaseException) else ""
        return SettingsError(f"{match[1]}: wrong type{cause}; a list is written as [a,b]")
    key = getattr(error, "full_key", None)
    return SettingsError(f"{key}: {first_line(error)}" if key else " ".join(message.split()))


def first_line(error: Exception) -> str:
    """Return the text of an error without the lines below it in which OmegaConf lists key and type."""
    text = " ".join(str(error).partition("\n    full_key: ")[0].split())
    return f"{text}; write an interpolation as in ${{seed}}" if isinstance(error, GrammarParseError) else text


def missing_reference(key: str, where: str, primary: str) -> str:
    """Return the text on an interpolation of a key that is not set; `where` is the setting that has it."""
    if key not in known_keys(primary):
        return f"${{{key}}} names no setting.{did_you_mean(key, known_keys(primary))}"
    group, own = key.partition(".")[0], where.partition(".")[0]
    remedies = [*choices_with(key), *([f"another {own}"] if own in groups_of(primary) and own != group else [])]
    advice = f"; choose {' or '.join(remedies)}" if remedies else ""
    return f"needs {key}, a setting that the {group} chosen here lacks{advice}"


def choices_below(group: str, folder: str) -> list[str]:
    """Return the names of the choices in one folder of a group, such as disan/trec; of all choices if it has none."""
    names = list(choices(group))
    return [name for name in names if name.startswith(f"{folder}/")] or names
