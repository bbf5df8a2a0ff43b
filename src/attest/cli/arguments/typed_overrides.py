"""The overrides among the arguments of a command line, separated from all others."""

import re
import shlex
import sys
from collections.abc import Sequence

from attest.cli.arguments.accepted import accepted_by
from attest.cli.arguments.parser import FOLDER_FLAGS, SENTENCE_COMMANDS
from attest.config.error_words import did_you_mean

VALUE_FLAGS = (*FOLDER_FLAGS, "--to", "--words", "--figure", "--columns", "--labels", "--by")
"""The flags whose value is the word behind them, also if that looks like an override."""
ADDED = "with="
"""The beginning of an argument that adds rows to a table."""


def split_arguments(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the arguments for argparse, and the overrides for Hydra.

    Arguments after -- are never overrides, since a sentence may look like an override. The rows that with=... adds to
    a table are quoted, since they are overrides themselves.
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    pairs = list(zip(["", *arguments], arguments[:end], strict=False))
    typed = [text for flag, text in pairs if flag not in VALUE_FLAGS and is_override(text)]
    overrides = [text for text in typed if not text.startswith(ADDED)]
    if arguments and arguments[0] in SENTENCE_COMMANDS:
        refuse_sentences(overrides, arguments[0])
    if added := [text.removeprefix(ADDED) for text in typed if text.startswith(ADDED)]:
        from attest.config.overrides import quoted  # loads Hydra, which takes longer than most commands' arguments

        overrides.append(f"{ADDED}{quoted(','.join(added))}")
    words = [text for flag, text in pairs if flag in VALUE_FLAGS or not is_override(text)]
    return [*folder_first(words), *arguments[end:]], overrides


def refuse_sentences(overrides: Sequence[str], command: str) -> None:
    """Exit with what to type if an override is a sentence: its text is no word, and begins with no known setting."""
    for text in overrides:
        key = text.partition("=")[0]
        if text[0] not in "+~" and not re.fullmatch(r"[\w./]+=\S*", text):
            from attest.config.keys import known_keys  # reads conf/, which takes longer than a right command line

            if key.partition(".")[0] not in known_keys() | known_keys(accepted_by([command]).config):
                print(
                    f"attest {command}: {key}: unknown setting.{did_you_mean(key, known_keys())} Write -- in front of "
                    f"sentences that contain =, as in {SENTENCE_COMMANDS[command]} -- {shlex.quote(text)}",
                    file=sys.stderr,
                )
                sys.exit(2)


def folder_first(words: Sequence[str]) -> list[str]:
    """Return the words of a command line with --config-dir right behind the command.

    Argparse takes a list of names for empty if an option stands in front of it, as in attest data list -cd mine snli.
    """
    place = folder_place(words)
    return [*words[:1], *words[place], *words[1 : place.start], *words[place.stop :]]


def without_folder(arguments: Sequence[str]) -> list[str]:
    """Return the arguments of a command without --config-dir and its folder."""
    place = folder_place(arguments)
    return [*arguments[: place.start], *arguments[place.stop :]]


def folder_place(words: Sequence[str]) -> slice:
    """Return the place of --config-dir and its folder behind the command; an empty one at the end if they are not
    there."""
    for number, word in enumerate(words):
        flag, equals, _ = word.partition("=")
        if number and flag in FOLDER_FLAGS:
            return slice(number, number + (1 if equals else 2))
    return slice(len(words), len(words))


def is_override(text: str) -> bool:
    """Return whether an argument looks like key=value, +key=value or ~key. Hydra checks its grammar later."""
    key, equals, _ = text.partition("=")
    name = key.lstrip("+~")
    return bool(name) and not name.startswith("-") and not any(map(str.isspace, key)) and (bool(equals) or name != key)
