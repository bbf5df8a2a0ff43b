"""attest settings: what each setting of a run means, which values it accepts, and its default."""

import argparse
import inspect
from collections.abc import Iterator, Mapping, Sequence
from textwrap import fill, indent

from attest.cli.line_width import line_width
from attest.config.components import COMPONENTS
from attest.config.compose import compose_unchecked
from attest.config.error_words import did_you_mean
from attest.config.setting_docs import InId, SettingDoc, argument_docs, setting_docs
from attest.errors import SettingsError

EFFECTS: Mapping[InId, str] = {
    "yes": "another value makes another experiment",
    "replicate": "another value makes another replicate of the same experiment",
    "as deviation": "another value makes another run of the same row of a table, with a deviation",
    "through others": "part of the run's id through other settings, such as those of model and head",
    "no": "not part of the run's id",
}


def settings(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Print what there is to know about the settings whose keys contain a typed word.

    Overrides choose the model, the head and the optimiser. Without a word, these are explained, or else all settings.
    """
    typed = {override.partition("=")[0].partition(".")[0].lstrip("+~") for override in overrides}
    words = parsed.words or [f"{name}." for name in COMPONENTS if name in typed]
    print("\n\n".join(explanations(words, overrides)))


def explanations(words: Sequence[str], overrides: Sequence[str]) -> Iterator[str]:
    """Yield a text on each setting whose key contains one of the words, and on the class behind an argument before its
    first one. Raise SettingsError for a word that is in no key."""
    chosen = compose_unchecked(overrides)
    classes = {name: argument_docs(chosen, name) for name in COMPONENTS}
    listed = [*setting_docs(), *(item for _, arguments in classes.values() for item in arguments)]
    for word in words:
        if not any(word in item.key for item in listed):
            near = did_you_mean(word, [item.key for item in listed])
            raise SettingsError(f"{word}: no setting has this in its key.{near or ' `attest settings` lists all.'}")
    explained = set()
    for item in listed:
        if any(word in item.key for word in words or [""]):
            name = item.key.partition(".")[0]
            if name in classes and "." in item.key and name not in explained:
                explained.add(name)
                cls, _ = classes[name]
                target = getattr(chosen, name)["_target_"]
                yield f"{name}: {target}\n{indented(inspect.getdoc(cls) or '')}".rstrip()
            yield explain(item)


def explain(item: SettingDoc) -> str:
    """Return the text on a setting: its key and default, the values that it accepts, and its meaning."""
    first = item.key if item.default is None else f"{item.key}={item.default}"
    accepted = f"accepts {item.values}" if item.values else ""
    lines = ["; ".join(filter(None, [accepted, EFFECTS[item.in_id]])), item.meaning]
    return "\n".join([first, *(indented(fill(line, line_width() - 4)) for line in lines if line)])


def indented(text: str) -> str:
    """Return a text with four blanks in front of each line."""
    return indent(text, " " * 4)
