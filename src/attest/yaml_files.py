"""YAML files with keys and values: tables, figures, benchmarks, choices and data sets are written down in them."""

from pathlib import Path
from typing import Any, cast

from omegaconf import OmegaConf
from yaml import YAMLError

from attest.errors import SettingsError


def read_yaml(path: Path) -> dict[str, Any]:
    """What stands in the file, with its interpolations as they are written."""
    try:
        data = OmegaConf.to_container(OmegaConf.load(path), resolve=False)
    except YAMLError as error:
        raise SettingsError(f"{path}: not readable as YAML: {' '.join(str(error).split())}") from error
    if not isinstance(data, dict):
        raise SettingsError(f"{path}: expected keys and values")
    return cast("dict[str, Any]", data)
