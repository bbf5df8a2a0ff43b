"""The error about an override whose key goes through a list, such as dataset.labels.first=yes."""

import traceback
from typing import Any

from omegaconf import DictConfig, OmegaConf

from attest.errors import SettingsError


def list_key_error(error: Exception) -> SettingsError | None:
    """Return the SettingsError that replaces an error of Hydra about an override that sets or deletes a part of a
    list, or None for any other error."""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_qualname == "ConfigLoaderImpl._apply_overrides_to_config":
            override, config = frame.f_locals["override"], frame.f_locals["cfg"]
            if name := list_on_the_way(override.key_or_group, config):
                return SettingsError(
                    f"{override.key_or_group}: {name} is a list; write the whole list, as in {name}=[a,b]"
                )
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
