"""The file and line of a mistake in settings that stand in a file of the user's own."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hydra.core.override_parser.types import Override

from attest.config.hydra.cache import current_merger, folders_read, needs_hydra
from attest.config.hydra.defaults_lists import circle_error, entry_with, own_file, with_defaults
from attest.config.overrides import parse_hydra_override
from attest.config.paths import shipped_folder
from attest.config.yaml_files import line_of, read_yaml
from attest.errors import SettingsError

NAMED_FILE = re.compile(r"^In '?([^':]+/[^':]+)'?: |defaults list in '([^']+)'")
"""The file that an error of Hydra names, without its folder and suffix."""


@contextmanager
def locate_errors_in_own_files(overrides: Sequence[str]) -> Iterator[None]:
    """Put the file and line in front of a SettingsError about a setting that a file of the user's own states.

    `overrides` are those of the command. An error about a setting that they set themselves stays as it is.
    """
    try:
        yield
    except SettingsError as error:
        if (location := location_of_mistake(error, overrides)) is None:
            raise
        raise SettingsError(f"{location}: {error}") from error


def location_of_mistake(error: SettingsError, overrides: Sequence[str]) -> str | None:
    """Return FILE:LINE for an error, or None if no file of the user's own states the setting it is about."""
    try:
        parsed = [override for item in overrides if not needs_hydra(override := parse_hydra_override(item))]
        own = own_folders_read(overrides)
    except Exception:  # the mistake is in an override, or in the name of a folder
        return None
    key = re.split(": |=", str(error))[0]
    set_keys = [override.key_or_group for override in parsed if "." in override.key_or_group]
    if not key or any(f"{key}.".startswith(f"{name}.") for name in set_keys):
        return None
    files = {name: path for name in files_chosen(parsed, own) if (path := own_file(name, own))}
    located = (location_in(path, name.partition("/")[0], key) for name, path in files.items())
    return next(filter(None, located), None)


def own_folders_read(overrides: Sequence[str]) -> list[Path]:
    """Return the folders with settings of the user's own in which overrides find their files."""
    return [path for path in folders_read(overrides) if path != shipped_folder("conf")]


def folders_of_command(words: Sequence[str]) -> list[Path]:
    """Return `own_folders_read` for the words of a command, of which some are options such as -m."""
    return own_folders_read([text for text in words if not text.startswith("-")])


def files_chosen(overrides: Sequence[Override], folders: Sequence[Path]) -> list[str]:
    """Return the names of the files that take part in a composition, as model/mine, the last first.

    If they do not compose, these are the files that the overrides name, and those that own files among them may choose.
    """
    try:
        files = current_merger(overrides)
        groups = [override for override in overrides if files.is_group(override)]
        return [str(default.config_path) for default in reversed(files.defaults_list(groups).defaults)]
    except Exception:
        named = [f"{override.key_or_group}/{override.value()}" for override in reversed(overrides)]
        return with_defaults(named, folders)


def location_in(path: Path, group: str, key: str) -> str | None:
    """Return FILE:LINE of a setting in the file of a group, or None if the file neither states nor chooses it.

    A missing class is missing in the file of its group, though no line states it.
    """
    stated = read_yaml(path)
    for name in (key.removeprefix(f"{group}."), key):
        if re.split(r"[.\[]", name)[0] in stated or key == f"{group}._target_":
            return f"{path}:{line_of(path, name)}"
    number = entry_with(stated, key)
    return None if number is None else f"{path}:{line_of(path, f'defaults[{number}]')}"


def location_in_defaults(message: str, overrides: Sequence[str]) -> str | None:
    """Return FILE:LINE of the entry of a defaults list that an error of Hydra is about, such as In 'model/mine': ...

    It is None if the error names no file, or one that is not the user's own.
    """
    if (match := NAMED_FILE.search(message)) is None:
        return None
    path = own_file(match[1] or match[2], folders_of_command(overrides))
    if path is None:
        return None
    wrong = re.search(r"Could not (?:find|load|override) '([^']+)'", message)
    number = entry_with(read_yaml(path), wrong[1]) if wrong else None
    return f"{path}:{line_of(path, 'defaults' if number is None else f'defaults[{number}]')}"


def circle_of_files(overrides: Sequence[str]) -> SettingsError | None:
    """Return an error that names own files whose defaults lists choose each other in a circle, or None."""
    return circle_error(overrides, folders_of_command(overrides))
