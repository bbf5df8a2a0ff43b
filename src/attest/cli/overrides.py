"""Of what was typed: what a command takes itself, and what goes to the settings of runs."""

import re
from collections.abc import Sequence, Set
from typing import Any, cast

from omegaconf import OmegaConf
from yaml import YAMLError

from attest.errors import SettingsError
from attest.schema import closest

NUMBER = re.compile(r"\d+(e\d+)?")
"""What some ids would be read as."""


def divided(overrides: Sequence[str], ours: Set[str], theirs: Set[str]) -> tuple[list[str], list[str]]:
    """Those whose first key is one of `ours`, and those where it is one of `theirs`."""
    key_of = {text: text.lstrip("+~").partition("=")[0].partition(".")[0] for text in overrides}
    for text, key in key_of.items():
        if key not in ours | theirs:
            raise SettingsError(
                f"{text.partition('=')[0]}: there is no such setting here.{closest(key, ours | theirs)}"
            )
    return [text for text in overrides if key_of[text] in ours], [text for text in overrides if key_of[text] in theirs]


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


def override(key: str, text: str) -> str:
    """What to type in a shell; a text like a number stands in quotes, for Hydra and for the shell."""
    return f"\"{key}='{text}'\"" if NUMBER.fullmatch(text) else f"{key}={text}"
