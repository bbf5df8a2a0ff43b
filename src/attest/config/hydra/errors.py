"""Errors of Hydra, OmegaConf and YAML as SettingsError, with the file and the line of a mistake in a file."""

import re
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hydra.errors import HydraException
from omegaconf.errors import OmegaConfBaseException
from yaml import YAMLError

from attest.config.hydra.error_locations import NAMED_FILE, circle_of_files, location_in_defaults
from attest.config.hydra.keys_through_lists import list_key_error
from attest.config.hydra.messages import first_line, settings_error
from attest.config.keys import UNCHOSEN, groups_of
from attest.config.overrides import alternatives_of, key_of
from attest.config.yaml_files import line_of, read_yaml
from attest.errors import SettingsError

CHOSEN_TWICE = r"(?:Multiple values for )?(\S+?)(?:\. To override| appears more than once in the final defaults list)"
"""The messages of Hydra on a group from which two files are chosen, or one file twice."""


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
        if twice := re.match(CHOSEN_TWICE, str(error)):
            mistake = chosen_twice(twice[1], overrides)
        elif isinstance(error, HydraException | OmegaConfBaseException):
            mistake = settings_error(error, name)
        elif is_of_hydra(error):
            mistake = value_error(error, overrides, name)
        else:
            raise
        location = location_in_defaults(str(error), overrides)
        raise (SettingsError(f"{location}: {mistake}") if location else mistake) from error
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


def chosen_twice(group: str, overrides: Sequence[str]) -> SettingsError:
    """Return the SettingsError about a group from which two entries of defaults lists or two overrides choose."""
    typed = [text for text in overrides if "=" in text and text[0] not in "-~" and key_of(text) == group]
    if any(text.startswith("+") for text in typed):
        is_twice = len(typed) > 1
        return SettingsError(
            f"{' '.join(typed)}: this group is chosen twice; leave one choice out"
            if is_twice
            else f"+{group}: this group has a choice already; leave out the +"
        )
    return SettingsError(f"{group}: chosen twice; write `override /{group}: NAME` at the end of defaults")


def value_error(error: Exception, overrides: Sequence[str], primary: str) -> SettingsError:
    """Return the SettingsError that replaces an error of Python which Hydra raised without the name of an override."""
    if NAMED_FILE.search(str(error)):
        return SettingsError(str(error))
    if isinstance(error, TypeError) or "Config group override must be" in str(error):  # choices are names
        groups = groups_of(primary)
        chosen = [text for text in overrides if "=" in text and text[0] not in "-~" and key_of(text) in groups]
        wrong = [text for text in chosen if not all(isinstance(name, str) for name in alternatives_of(text))]
        unchosen = [key for text in wrong if (key := key_of(text)) in UNCHOSEN]
        advice = "".join(f"; type ~{group} for that of {UNCHOSEN[group]}" for group in unchosen)
        return SettingsError(
            f"{' '.join(wrong or chosen)}: the choice of a group is a name, as in protocol=paper, not a number or "
            f"null{advice}"
        )
    return SettingsError(f"{' '.join(overrides)}: {error}")
