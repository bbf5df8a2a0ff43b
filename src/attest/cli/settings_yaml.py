"""The settings of a command as YAML, as --cfg prints them."""

from typing import Any

from omegaconf import OmegaConf

from attest.config.flat import to_plain


def print_settings(settings: Any) -> None:
    """Print settings as YAML, with the keys under which a command line sets them."""
    print(OmegaConf.to_yaml(OmegaConf.create(to_plain(settings))), flush=True)
