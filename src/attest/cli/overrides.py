"""Of what was typed: what a command takes itself, and what goes to the settings of runs."""

from collections.abc import Sequence, Set
from typing import Any, cast

from omegaconf import OmegaConf
from yaml import YAMLError

from attest.config.schema import closest
from attest.errors import SettingsError


def divided(overrides: Sequence[str], ours: Set[str], theirs: Set[str]) -> tuple[list[str], list[str]]:
    """Those whose first key is one of `ours`, and those where it is one of `theirs`."""
    first = {text: key_of(text).partition(".")[0] for text in overrides}
    for text, key in first.items():
        if key not in ours | theirs:
            raise SettingsError(f"{text.partition('=')[0]}: unknown setting.{closest(key, ours | theirs)}")
    return [text for text in overrides if first[text] in ours], [text for text in overrides if first[text] in theirs]


def key_of(override: str) -> str:
    """What it sets, adds or takes away."""
    return override.lstrip("+~").partition("=")[0]


def only(overrides: Sequence[str], *known: str) -> list[str]:
    """The same, refused where a first key is not `known`: what a command has no use for may be a misspelt one."""
    if not known and overrides:
        raise SettingsError(f"{overrides[0]}: this command takes no settings")
    return divided(overrides, set(known), set())[0]


def nested(texts: Sequence[str]) -> dict[str, Any]:
    """a.b=c -> {a: {b: c}}."""
    try:
        return cast("dict[str, Any]", OmegaConf.to_container(OmegaConf.from_dotlist(list(texts))))
    except YAMLError as error:
        raise SettingsError(f"{' '.join(texts)}: {' '.join(str(error).split())}") from error


def listed(value: Any) -> list[str]:
    """mr,cr as well as [mr,cr]."""
    return [str(one) for one in cast("list[Any]", value)] if isinstance(value, list) else str(value).split(",")
