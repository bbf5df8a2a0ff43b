"""Errors about unknown keys: those of Hydra's own settings, and those of the schema that a chosen file leaves out."""

from collections.abc import Mapping
from typing import get_origin

from omegaconf import DictConfig, OmegaConf

from attest.config.error_words import did_you_mean
from attest.config.fit_overrides import allowed_types, type_of
from attest.config.hydra.keys_through_lists import override_being_applied
from attest.config.settings import Settings

HYDRAS_GROUPS = [
    f"hydra/{name}" for name in ("callbacks", "help", "hydra_logging", "job_logging", "launcher", "sweeper")
]
DESCRIPTIONS = ("dataset", "vectors")
"""The groups whose files describe official files, and leave out what these do not have."""


def nearest_of_hydra(key: str, error: BaseException) -> str:
    """Return " Did you mean NAME?" for an unknown key that begins with hydra, or the empty string if none is near.

    The settings of a launcher are those of the chosen one: Hydra's error has the configuration.
    """
    section, _, name = key.rpartition(".")
    if not section:
        return did_you_mean(key, HYDRAS_GROUPS)
    applied = override_being_applied(error)
    values = OmegaConf.select(applied[1], section) if applied else None
    return did_you_mean(name, map(str, values), section) if isinstance(values, DictConfig) else ""


def is_left_out(key: str) -> bool:
    """Return whether an unknown key of DESCRIPTIONS is one of the schema, which the chosen file leaves out."""
    section = key.rpartition(".")[0]
    if key.partition(".")[0] not in DESCRIPTIONS or not section:
        return False
    origins = map(get_origin, allowed_types(type_of(Settings, section)))
    is_mapping = any(isinstance(origin, type) and issubclass(origin, Mapping) for origin in origins)
    return is_mapping or type_of(Settings, key) is not None
