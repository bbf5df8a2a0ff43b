"""The messages of Hydra and OmegaConf in plain words: the key or choice, what is wrong, and the nearest name."""

import re
from collections.abc import Callable, Sequence

from hydra.errors import OverrideParseException
from omegaconf.errors import GrammarParseError, OmegaConfBaseException

from attest.config.components import COMPONENTS
from attest.config.earlier_setting_names import current_key
from attest.config.error_words import did_you_mean
from attest.config.hydra.unknown_keys import is_left_out, nearest_of_hydra
from attest.config.keys import choices_with, groups_of, known_keys
from attest.config.overrides import malformed_override
from attest.config.own_folders import choices
from attest.errors import SettingsError

LAUNCHER_EXTRAS = {"joblib": "joblib", "ray": "ray", "submitit_local": "slurm", "submitit_slurm": "slurm"}
"""The launchers of packages that are optional, each with the extra that installs it."""
EXAMPLES = {"table": "disan/table1", "search": "dam/ngram"}
"""The setting of a sweeper -> an example of its value."""


def settings_error(error: Exception, primary: str = "config") -> SettingsError:
    """Return the SettingsError that replaces an error of Hydra; conf/`primary`.yaml is the primary config."""
    if isinstance(error, OverrideParseException):
        return SettingsError(malformed_override(str(error.override)))
    message = str(error)
    for pattern, text_of in RULES:
        if match := re.search(pattern, message):
            return SettingsError(text_of(match, error, primary))
    key = getattr(error, "full_key", None)
    return SettingsError(f"{key}: {first_line(error)}" if key else " ".join(message.split()))


def missing_value(match: re.Match[str], error: Exception, primary: str) -> str:
    """Return the text on a sweeper whose table or search is not set."""
    return f"{match[1]}: missing; type {match[1]}={EXAMPLES[match[2]]}"


def several_values(match: re.Match[str], error: Exception, primary: str) -> str:
    """Return the text on values separated by commas where a command takes a single one."""
    trains = "`attest train -m` trains a run with each of them"
    advice = trains if primary == "config" else "type this command once for each of them"
    return f"{match[1] or match[2]}: several values; {advice}, and a list is written in brackets, as [a,b]"


def unknown_key(match: re.Match[str], error: Exception, primary: str) -> str:
    """Return the text on a key that was renamed, belongs to another choice of its group, or does not exist."""
    within = re.search(r"full_key: (\S+)", str(error.__cause__))  # the key in a dictionary of values
    key = within[1] if within and within[1].startswith(f"{match[1]}.") else match[1]
    if name := current_key(key):
        return f"{key}: renamed to {name}"
    if re.match(r"hydra[./]", key):
        return f"{key}: unknown setting.{nearest_of_hydra(key, error)}"
    if is_left_out(key):
        return f"{key}: not in the file of the {key.split('.')[0]} chosen here; type +{key}=VALUE to add it"
    if key in known_keys(primary):
        return f"{key}: no setting of the {key.split('.')[0]} chosen here"
    return f"{key}: unknown setting.{did_you_mean(key, known_keys(primary))}"


def missing_reference(match: re.Match[str], error: Exception, primary: str) -> str:
    """Return the text on an interpolation of a key that is not set."""
    key, where = match[1], str(getattr(error, "full_key", None))
    if key not in known_keys(primary):
        return f"{where}: ${{{key}}} names no setting.{did_you_mean(key, known_keys(primary))}"
    group, own = key.partition(".")[0], where.partition(".")[0]
    remedies = [*choices_with(key), *([f"another {own}"] if own in groups_of(primary) and own != group else [])]
    advice = f"; choose {' or '.join(remedies)}" if remedies else ""
    return f"{where}: needs {key}, a setting that the {group} chosen here lacks{advice}"


def unknown_choice(match: re.Match[str], error: Exception, primary: str) -> str:
    """Return the text on a choice that its group does not have, or whose package is not installed."""
    group, choice, options = match[1], match[2], re.findall(r"^\t(\S+)$", str(error), re.MULTILINE)
    if not options or ("/" in group and not group.startswith("hydra/")):
        # Hydra lists only direct choices of a folder, but a choice may be a path below its group.
        group, choice = f"{group}/{choice}".split("/", 1)
        options = choices_below(group, choice.partition("/")[0])
    if group == "hydra/launcher" and choice in LAUNCHER_EXTRAS and choice not in options:
        return f"{group}={choice}: not installed; type pip install 'attest[{LAUNCHER_EXTRAS[choice]}]'"
    if group == "parser_training":
        return (
            f"scale={choice}: a parser has no settings for this scale; write the line defaults: [mini] into a file "
            f"conf/{group}/{choice}.yaml beside conf/scale/{choice}.yaml"
        )
    if ending := [name for name in choices(group) if name.endswith(f"/{choice}")]:
        return f"{group}={choice}: no such choice. Did you mean {' or '.join(ending)}?"
    known = f" There are: {', '.join(options)}." if options else ""
    torch = " Others of torch: optimizer._target_=torch.optim.NAME optimizer.lr=RATE." if group == "optimizer" else ""
    return f"{group}={choice}: no such choice.{did_you_mean(choice, options)}{known}{torch}"


def nothing_to_delete(match: re.Match[str], error: Exception, primary: str) -> str:
    """Return the text on ~KEY for a key that is not set."""
    of_component = match[1].partition(".")[0] in COMPONENTS  # whose settings depend on the class that is chosen
    guess = "" if of_component else did_you_mean(match[1], known_keys(primary))
    return f"~{match[1]}: there is no such setting to delete; leave it out.{guess}"


def deleted_group(match: re.Match[str], error: Exception, primary: str) -> str:
    """Return the text on ~GROUP, or on ~GROUP=NAME if another name is chosen."""
    group, _, name = match[1].partition("=")
    fault = f"{name} is not chosen" if name else "a group cannot be left out"
    return f"~{match[1]}: {fault}; choose from it, as {group}=NAME: {', '.join(choices(group))}"


def existing_key(match: re.Match[str], error: Exception, primary: str) -> str:
    """Return the text on +KEY for a key that exists."""
    return f"+{match[1]}: this setting is there; leave out the +"


def wrong_type_text(match: re.Match[str], error: Exception, primary: str) -> str:
    """Return the text on a value of a wrong type."""
    cause = f": {first_line(error.__cause__)}" if isinstance(error.__cause__, OmegaConfBaseException) else ""
    return f"{match[1]}: wrong type{cause}; a list is written as [a,b]"


RULES: Sequence[tuple[str, Callable[[re.Match[str], Exception, str], str]]] = (
    (r"Missing mandatory value: (hydra\.sweeper\.(table|search))", missing_value),
    (r"Ambiguous value for argument '(.*?)'\n|Sweep parameters '(.*?)' requires", several_values),
    (r"Could not override '([^']+)'", unknown_key),
    (r"Interpolation key '(.*?)' not found", missing_reference),
    (r"Could not (?:find|load) '([^']+)/([^'/]*)'", unknown_choice),
    (r"Could not delete from config. '(.*?)' does not exist", nothing_to_delete),
    (r"Could not delete '(.*?)'. No match in the defaults list", deleted_group),
    (r"Could not append to config. An item is already at '(.*?)'", existing_key),
    (r"Error merging override (\S+?)=", wrong_type_text),
)
"""A pattern of messages -> the function that returns the text in its place, from the match, the error and the name of
the primary config. The first pattern that matches counts."""


def first_line(error: Exception) -> str:
    """Return the text of an error without the lines below it in which OmegaConf lists key and type."""
    text = " ".join(str(error).partition("\n    full_key: ")[0].split())
    return f"{text}; write an interpolation as in ${{seed}}" if isinstance(error, GrammarParseError) else text


def choices_below(group: str, folder: str) -> list[str]:
    """Return the names of the choices in one folder of a group, such as disan/trec; of all choices if it has none."""
    names = list(choices(group))
    return [name for name in names if name.startswith(f"{folder}/")] or names
