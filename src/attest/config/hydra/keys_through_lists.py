"""The error about an override whose key goes through a list, such as dataset.labels.first=yes."""

import traceback
from typing import Any

from omegaconf import DictConfig, OmegaConf

from attest.errors import SettingsError


def list_key_error(error: Exception) -> SettingsError | None:
    """Return the SettingsError that replaces an error of Hydra about an override that sets or deletes a part of a
    list, or None for any other error."""
    if (applied := override_being_applied(error)) is None:
        return None
    key, config = applied
    name = list_on_the_way(key, config)
    return SettingsError(f"{key}: {name} is a list; write the whole list, as in {name}=[a,b]") if name else None


def override_being_applied(error: BaseException) -> tuple[str, DictConfig] | None:
    """Return the key of the override that Hydra was applying when an error was raised, and the configuration, or None
    if it was applying none."""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_qualname == "ConfigLoaderImpl._apply_overrides_to_config" and "override" in frame.f_locals:
            return frame.f_locals["override"].key_or_group, frame.f_locals["cfg"]
    return None


def list_on_the_way(key: str, config: DictConfig) -> str | None:
    """Return the dotted key of the first list that a longer dotted key goes through, or None if there is none."""
    value: Any = OmegaConf.to_container(config, resolve=False)
    parts = key.split(".")
    for number, part in enumerate(parts):
        if isinstance(value, list):
            return ".".join(parts[:number])
        value = value.get(part) if isinstance(value, dict) else None
    return None
