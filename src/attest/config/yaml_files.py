"""Reading of YAML files, which describe tables, figures, benchmarks, data sets and other choices of settings."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import Any, cast

import yaml
from omegaconf._utils import get_yaml_loader
from yaml import MarkedYAMLError, YAMLError
from yaml.reader import ReaderError

from attest.config.error_words import did_you_mean
from attest.config.yaml_aliases import check_aliases
from attest.errors import SettingsError

LIKE = 0.6
"""The ratio of difflib from which on two parts of names count as alike."""


def read_yaml(path: Path) -> dict[str, Any]:
    """Return the keys and values of a YAML file, with interpolations unresolved; an empty dict if it is empty.

    Raise SettingsError if it is not YAML, if it holds no mapping, or if its aliases make it endless or too large.
    """
    try:
        with path.open(encoding="utf-8") as file:
            reader = loader()(file)
            root = reader.get_single_node()
            if root is None:
                return {}
            check_aliases(path, root)
            data = reader.construct_document(root)
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path}: the file is not UTF-8; save it in UTF-8") from error
    except YAMLError as error:
        raise SettingsError(yaml_mistake(path, error)) from error
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise SettingsError(f"{path}: expected keys and values")
    return cast("dict[str, Any]", data)


def read_texts(path: Path) -> Any:
    """Return the keys and values of a YAML file, which `read_yaml` can read, with every value as it is written: 0.790
    is "0.790"."""
    with path.open(encoding="utf-8") as file:
        return text_loader()(file).get_single_data()


def yaml_mistake(path: Path, error: YAMLError) -> str:
    """Return the text on a file that is not YAML, with the line of the mistake if the error has one."""
    line, reason = None, " ".join(str(error).split())
    if isinstance(error, MarkedYAMLError) and error.problem_mark is not None:
        line, reason = error.problem_mark.line, error.problem
    elif isinstance(error, ReaderError):  # a control character, which the file has nowhere before
        line, reason = path.read_text(encoding="utf-8").partition(chr(error.character))[0].count("\n"), error.reason
    return f"{path}:{'' if line is None else f'{line + 1}:'} not readable as YAML: {reason}"


def text_loader() -> Any:
    """Return PyYAML's loader class that makes texts of all values, the one in C if available."""
    return yaml.CBaseLoader if yaml.__with_libyaml__ else yaml.BaseLoader


@cache
def loader() -> Any:
    """Return OmegaConf's YAML loader class, based on PyYAML's C parser if available, which is ten times as fast."""
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
    """Return the names of all YAML files below a folder, without suffix and sorted, such as disan/table1."""
    return sorted(path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.yaml"))


def check_name(name: str, known: Sequence[str], mistake: str) -> None:
    """Raise SettingsError if `name` is not in `known`. Its text is `mistake` with the name and the known names.

    The nearest name is offered too, unless it is in another folder and has another last part: dam/own for disan.
    """
    if name not in known:
        near = did_you_mean(name, [other for other in known if "/" not in other or shares_part(name, other)])
        raise SettingsError(f"{name}: {mistake}.{near} There are: {', '.join(known)}.")


def shares_part(name: str, other: str) -> bool:
    """Return whether two names such as disan/table1 are alike in their first or in their last parts."""
    pairs = [(text.partition("/")[0], text.rpartition("/")[2]) for text in (name, other)]
    return any(SequenceMatcher(None, *parts).ratio() >= LIKE for parts in zip(*pairs, strict=True))


@contextmanager
def locate_errors_in_file(path: Path) -> Iterator[None]:
    """Put the file's path and line in front of any SettingsError that is raised in the context.

    The line is that of the key with which the error's text begins.
    """
    try:
        yield
    except SettingsError as error:
        raise SettingsError(f"{path}:{line_of(path, str(error).partition(': ')[0])}: {error}") from error


def line_of(path: Path, key: str) -> int:
    """Return the line of a YAML file, from 1, where a dotted key such as rows.disan.set[0] stands.

    If the file lacks the last parts of the key, it is the line of the first parts, or 1.
    """
    with path.open(encoding="utf-8") as file:
        node, line = loader()(file).get_single_node(), 1
    for part in re.findall(r"[^.\[\]]+", key):
        if isinstance(node, yaml.MappingNode):
            entry = next(((name, value) for name, value in node.value if name.value == part), None)
            if entry is None:
                break
            line, node = entry[0].start_mark.line + 1, entry[1]
        elif isinstance(node, yaml.SequenceNode) and part.isdecimal() and int(part) < len(node.value):
            node = node.value[int(part)]
            line = node.start_mark.line + 1
        else:
            break
    return line
