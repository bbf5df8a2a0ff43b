"""The words in which errors name settings, values and types."""

import dataclasses
import difflib
import types
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, get_args, get_origin

from attest.config.constraints import DottedName
from attest.errors import SettingsError

SCALARS = {int: "a whole number", float: "a number", str: "text", bool: "true or false"}
"""The types of single values, in words."""
OWN_CLASS_TEXT = "package.Class"
"""The name of a class of the user's own, in words."""


SYNONYMS = {"device": "accelerator", "devices": "accelerator", "gpu": "accelerator", "gpus": "accelerator"}
"""The last parts of keys in other programs -> those in Attest, where the texts are too different to find them."""


def did_you_mean(word: str, known: Iterable[str], where: str = "") -> str:
    """Return " Did you mean NAME?" with the nearest known name, or the empty string if none is near.

    `where` is the key below which the known names stand; it is put in front of the name.
    """
    names = sorted(known)
    near = [name for name in names if last_part(name) == SYNONYMS.get(last_part(word))]
    near = near or difflib.get_close_matches(word, names, n=1, cutoff=0.75)
    if not near:  # a right word in the wrong place: lr for optimizer.lr, trainer.max_epochs for protocol.epochs
        by_last_part = {last_part(name): name for name in reversed(names)}
        near = [
            by_last_part[part] for part in difflib.get_close_matches(last_part(word), by_last_part, n=1, cutoff=0.7)
        ]
    near = near or difflib.get_close_matches(word, names, n=1, cutoff=0.5)
    return f" Did you mean {dotted_key(where, near[0])}?" if near else ""


def last_part(key: str) -> str:
    """Return what follows the last dot of a key."""
    return key.rpartition(".")[2]


def list_known_keys(names: Iterable[str]) -> str:
    """Return a sentence that lists the known keys, with a space in front, to end an error text."""
    return f" There are: {', '.join(sorted(names))}."


def dotted_key(where: str, key: object) -> str:
    """Return the dotted key of `key` below `where`, which is empty at the top."""
    return f"{where}.{key}" if where else str(key)


def type_texts(hint: Any) -> list[str]:
    """Return what a type hint accepts in words, such as a whole number, without ranges; nothing for None."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        is_name = any(isinstance(rule, DottedName) for rule in arguments[1:])
        return [OWN_CLASS_TEXT] if is_name else type_texts(arguments[0])
    if origin is Literal:
        return [str(value) for value in arguments]
    if dataclasses.is_dataclass(hint) or (isinstance(origin, type) and issubclass(origin, Mapping)):
        return ["keys and values"]
    if isinstance(origin, type) and issubclass(origin, Iterable):
        return ["a list"]
    return [] if hint is types.NoneType else SCALARS.get(hint, getattr(hint, "__name__", str(hint))).split(" or ")


def wrong_type_error(where: str, expected: str, value: Any) -> SettingsError:
    """Return the error of a value of another type than the expected one."""
    hint = ""
    if expected.startswith("text") and isinstance(value, bool):
        hint = "; YAML reads yes, no, on and off as true or false unless they are in quotes"
    elif expected.startswith("text") and isinstance(value, int | float):
        hint = "; put a text of digits into quotes"
    return SettingsError(f"{where}: expected {expected}, got {value!r}{hint}")
