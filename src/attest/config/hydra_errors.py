"""Errors of Hydra, OmegaConf and YAML in plain words: the key or choice, what is wrong, and the nearest name."""

import re
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from hydra.errors import HydraException, OverrideParseException
from omegaconf.errors import OmegaConfBaseException
from yaml import MarkedYAMLError

from attest.config.keys import groups_of, known_keys
from attest.config.overrides import key_of, malformed_override
from attest.config.own_folders import choices
from attest.config.renamed import present_key
from attest.config.schema import did_you_mean
from attest.errors import SettingsError

LAUNCHER_EXTRAS = {"joblib": "joblib", "ray": "ray", "submitit_local": "slurm", "submitit_slurm": "slurm"}
"""The launchers of packages that are optional, each with the extra that installs it."""


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
        if isinstance(error, TypeError) or "Config group override must be" in str(error):  # choices are names
            groups = groups_of(name)
            chosen = [text for text in overrides if not text.startswith("-") and key_of(text) in groups]
            raise SettingsError(f"{' '.join(chosen)}: the choice of a group is a name, as in protocol=paper") from error
        raise SettingsError(f"{' '.join(overrides)}: {error}") from error


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
        return SettingsError(f"{group}={choice}: no such choice.{did_you_mean(choice, options)}{known}")
    return SettingsError(" ".join(message.split()))


def choices_below(group: str, folder: str) -> list[str]:
    """Return the names of the choices in one folder of a group, such as disan/trec; of all choices if it has none."""
    names = list(choices(group))
    return [name for name in names if name.startswith(f"{folder}/")] or names
