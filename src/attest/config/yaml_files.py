"""YAML files with keys and values: tables, figures, benchmarks, choices and data sets are written down in them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, cast

import yaml
from omegaconf._utils import get_yaml_loader
from yaml import YAMLError

from attest.config.schema import did_you_mean
from attest.errors import SettingsError


def read_yaml(path: Path) -> dict[str, Any]:
    """What stands in the file, with its interpolations as they are written."""
    try:
        with path.open(encoding="utf-8") as file:
            data = loader()(file).get_single_data()
    except YAMLError as error:
        raise SettingsError(f"{path}: not readable as YAML: {' '.join(str(error).split())}") from error
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise SettingsError(f"{path}: expected keys and values")
    return cast("dict[str, Any]", data)


@cache
def loader() -> Any:
    """Return OmegaConf's loader, on the parser in C if PyYAML has it: that is ten times as fast."""
    plain = get_yaml_loader()
    if not yaml.__with_libyaml__:
        return plain

    from yaml.cyaml import CParser  # type: ignore[reportAttributeAccessIssue]

    class Loader(CParser, plain):
        def __init__(self, stream: Any) -> None:
            CParser.__init__(self, stream)
            yaml.constructor.SafeConstructor.__init__(self)
            yaml.resolver.Resolver.__init__(self)

    return Loader


def yaml_names(folder: Path) -> list[str]:
    """Of all files below the folder, as disan/table1."""
    return sorted(path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.yaml"))


def check_name(name: str, known: Sequence[str], otherwise: str) -> None:
    """`otherwise` is what to say of a name that is not known, before the known ones."""
    if name not in known:
        raise SettingsError(f"{name}: {otherwise}.{did_you_mean(name, known)} There are: {', '.join(known)}.")


@contextmanager
def naming_file(path: Path) -> Iterator[None]:
    """Mistakes in what the file says are said with its name in front."""
    try:
        yield
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from error
