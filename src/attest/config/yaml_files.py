"""YAML files with keys and values: tables, figures, benchmarks, choices and data sets are written down in them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from omegaconf import OmegaConf
from yaml import YAMLError

from attest.config.schema import closest
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


def names_in(folder: Path) -> list[str]:
    """Of all files below the folder, as disan/table1."""
    return sorted(path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.yaml"))


def check_name(name: str, known: Sequence[str], otherwise: str) -> None:
    """`otherwise` is what to say of a name that is not known, before the known ones."""
    if name not in known:
        raise SettingsError(f"{name}: {otherwise}.{closest(name, known)} There are: {', '.join(known)}.")


@contextmanager
def blamed_on(path: Path) -> Iterator[None]:
    """Mistakes in what the file says are said with its name in front."""
    try:
        yield
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from error
