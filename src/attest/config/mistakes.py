"""The file and line of a mistake in settings that stand in a file of the user's own."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hydra.core.override_parser.types import Override

from attest.config.hydra_cache import current_merger, folders_read, needs_hydra
from attest.config.parsed_once import parse_override
from attest.config.paths import shipped_folder
from attest.config.yaml_files import line_of, read_yaml
from attest.errors import SettingsError


@contextmanager
def naming_own_files(overrides: Sequence[str]) -> Iterator[None]:
    """Put the file and line in front of a SettingsError about a setting that a file of the user's own states.

    `overrides` are those of the command. Settings that they set themselves are left alone.
    """
    try:
        yield
    except SettingsError as error:
        if (place := place_of_mistake(error, overrides)) is None:
            raise
        raise SettingsError(f"{place}: {error}") from error


def place_of_mistake(error: SettingsError, overrides: Sequence[str]) -> str | None:
    """Return FILE:LINE for an error, or None if no file of the user's own states the setting it is about."""
    try:
        parsed = [override for item in overrides if not needs_hydra(override := parse_override(item))]
        own = [path for path in folders_read(overrides) if path != shipped_folder("conf")]
    except Exception:  # the mistake is in an override, or in the name of a folder
        return None
    key = re.split(": |=", str(error))[0]
    typed = [override.key_or_group for override in parsed if "." in override.key_or_group]
    if not key or any(f"{key}.".startswith(f"{name}.") for name in typed):
        return None
    files = {name: path for name in files_chosen(parsed) if (path := own_file(name, own))}
    return next((place for name, path in files.items() if (place := place_in(path, name.partition("/")[0], key))), None)


def own_file(name: str, folders: Sequence[Path]) -> Path | None:
    """Return the path of a file such as model/mine in the first of the folders that has it, or None."""
    return next((path for folder in folders if (path := folder / f"{name}.yaml").is_file()), None)


def files_chosen(overrides: Sequence[Override]) -> list[str]:
    """Return the names of the files that take part in a composition, as model/mine, the last first.

    If they do not compose, these are the files that the overrides name.
    """
    try:
        files = current_merger(overrides)
        groups = [override for override in overrides if files.is_group(override)]
        return [str(default.config_path) for default in reversed(files.defaults_list(groups).defaults)]
    except Exception:
        return [f"{override.key_or_group}/{override.value()}" for override in reversed(overrides)]


def place_in(path: Path, group: str, key: str) -> str | None:
    """Return FILE:LINE of a setting in the file of a group, or None if the file neither states nor chooses it."""
    stated = read_yaml(path)
    for name in (key.removeprefix(f"{group}."), key):
        if re.split(r"[.\[]", name)[0] in stated:
            return f"{path}:{line_of(path, name)}"
    for number, entry in enumerate(stated.get("defaults") or ()):
        words = entry if isinstance(entry, str) else " ".join(map(str, entry))
        if words.rpartition(" ")[2].lstrip("/").startswith(key):
            return f"{path}:{line_of(path, f'defaults[{number}]')}"
    return None
