"""The parser of the command line, and the separation of overrides from all other arguments."""

import argparse
import importlib
from collections.abc import Sequence
from typing import Any

from attest.config.schema import did_you_mean


class Parser(argparse.ArgumentParser):
    """An argparse parser that suggests the nearest command for an unknown one and lists settings in its help."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """Parse as argparse does, but exit with a suggestion if the command does not exist."""
        words = [word for word in args or () if not word.startswith("-")]
        commands = commands_of(self)
        if words and commands and words[0] not in commands:
            near = did_you_mean(words[0], commands).replace("mean ", f"mean {self.prog} ")
            self.exit(2, f"{self.prog}: {words[0]}: unknown command.{near or f' {self.prog} --help lists them.'}\n")
        return super().parse_known_args(args, namespace)

    def format_help(self) -> str:
        """Return argparse's help, followed by the settings of the command if it has any."""
        text, source = super().format_help(), self.get_default("settings_help")
        if source is None:
            return text
        module, _, function = source.partition(":")  # imported here, since reading conf/ takes longer than the rest
        return f"{text}\n{getattr(importlib.import_module(module), function)()}\n"


def commands_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of a parser's commands by name."""
    actions = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return {name: command for action in actions for name, command in action.choices.items()}


def split_arguments(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the arguments for argparse, and the overrides for Hydra.

    Arguments after -- are never overrides, since a sentence may look like an override.
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    overrides = [text for text in arguments[:end] if is_override(text)]
    return [*(text for text in arguments[:end] if not is_override(text)), *arguments[end:]], overrides


def is_override(text: str) -> bool:
    """Return whether an argument looks like key=value, +key=value or ~key. Hydra checks its grammar later."""
    key, equals, _ = text.partition("=")
    name = key.lstrip("+~")
    return bool(name) and not name.startswith("-") and not any(map(str.isspace, key)) and (bool(equals) or name != key)
