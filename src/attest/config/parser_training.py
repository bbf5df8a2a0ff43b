"""How a parser is trained: what `conf/parsing.yaml` may say."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from attest.config.paths import shipped
from attest.config.schema import AtLeastOne, Positive, Range, closest, parse
from attest.config.yaml_files import read_yaml
from attest.errors import SettingsError


@dataclass(frozen=True, kw_only=True)
class Scorer:
    """The sizes of a SpanScorer, by its own names."""

    rows: Annotated[int, Range(2)]
    word_size: Annotated[int, AtLeastOne]
    hidden_size: Annotated[int, AtLeastOne]
    layers: Annotated[int, AtLeastOne]
    span_size: Annotated[int, AtLeastOne]
    dropout: Annotated[float, Range(0, 1, open_high=True)]
    hidden: Annotated[float, Range(0, 1)]


@dataclass(frozen=True, kw_only=True)
class Parsing:
    """One parser."""

    treebanks: Sequence[str]
    """Data sets whose files hold trees, all of them trained on together."""
    scorer: Scorer
    learning_rate: Annotated[float, Positive]
    """Of Adam; falls to nothing in a straight line."""
    batch_words: Annotated[int, AtLeastOne]
    epochs: Annotated[float, Positive]
    longest: Annotated[int, Range(3)]
    """Longer sentences are not trained on."""
    seed: Annotated[int, Range(0)]


def parsing_of(scale: str, changes: Mapping[str, Any] | None = None) -> Parsing:
    """The settings of this scale, with changes."""
    path = shipped("conf") / "parsing.yaml"
    scales = read_yaml(path)
    if scale not in scales:
        raise SettingsError(f"scale={scale}: {path} does not say how a parser is trained at that scale")
    parsing = parse(Parsing, merged(scales[scale], changes or {}))
    named = list(parsing.treebanks)
    if not named or len(set(named)) < len(named):
        raise SettingsError(f"treebanks={','.join(named)}: name one data set that has trees, or several different ones")
    return parsing


def merged(settings: Mapping[str, Any], changes: Mapping[str, Any], where: str = "") -> dict[str, Any]:
    """Nested settings with nested changes, which may not name what is not there."""
    found = dict(settings)
    for key, value in changes.items():
        if key not in settings:
            raise SettingsError(f"{where}{key}: a parser has no such setting.{closest(key, settings)}")
        inner = isinstance(settings[key], Mapping) and isinstance(value, Mapping)
        found[key] = merged(settings[key], value, f"{where}{key}.") if inner else value
    return found
