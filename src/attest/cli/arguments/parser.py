"""The parser of the command line, and the names that it knows."""

import argparse
import re
from collections.abc import Callable
from shutil import get_terminal_size
from typing import Any, NoReturn

from attest.cli.arguments.accepted import accepted_by
from attest.cli.arguments.mistakes import explain_missing, explain_unknown
from attest.config.error_words import did_you_mean

NewCommand = Callable[[str, str, str], argparse.ArgumentParser]
"""A function that adds a command: its name, the function that runs it as "module:function", and its description."""
FOLDER_FLAGS = ("--config-dir", "-cd")
"""The flags that name a folder of the user's own, which every command has."""
SENTENCE_COMMANDS = {"attend": "attest attend RUN", "parser": "attest parser parse"}
"""The commands that take sentences -> what stands in front of these."""
SETTINGS = "[key=value ...]"
"""The end of the usage of a command that accepts settings."""


class Parser(argparse.ArgumentParser):
    """An argparse parser that lists commands under headings, and the names and settings that a command accepts.

    It suggests the nearest command for an unknown one, and says what to type for an argument that is missing.
    """

    def __init__(self, *positional: Any, **options: Any) -> None:
        super().__init__(*positional, **options)
        self.headings: dict[str, list[str]] = {}
        """A heading of --help -> the names of the commands under it, of a parser that has commands."""

    @property
    def command(self) -> str:
        """The name of the command whose arguments are parsed."""
        return self.prog.rpartition(" ")[2]

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """Parse as argparse does, but exit with the help if no command is given, or with a suggestion if it does not
        exist."""
        words = [word for word in args or () if not word.startswith("-")]
        commands = commands_of(self)
        if commands and not args:
            self.exit(2, self.format_help())
        if words and commands and words[0] not in commands:
            near = did_you_mean(words[0], commands).replace("mean ", f"mean {self.prog} ")
            self.exit(2, f"{self.prog}: {words[0]}: unknown command.{near or f' `{self.prog} --help` lists them'}\n")
        return super().parse_known_args(args, namespace)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """Parse as argparse does, but exit with what to type instead of an argument that does not exist."""
        parsed, unknown = self.parse_known_args(args, namespace)
        if unknown:
            command = next((word for word in args or () if word in commands_of(self)), "")
            options = commands_of(self)[command]._option_string_actions if command else ()
            self.exit(2, f"{self.prog} {command}: {explain_unknown(unknown[0], args or (), command, tuple(options))}\n")
        return parsed

    def error(self, message: str) -> NoReturn:
        """Exit with the usage and argparse's message; one about a wrong choice or a missing argument says what to
        type."""
        if match := re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message):
            choices = re.findall(r"[\w-]+", match[2])
            message = f"{match[1]}: no such choice.{did_you_mean(match[1], choices)} There are: {', '.join(choices)}."
        elif match := re.search(r"arguments are required: (.*)", message):
            message = explain_missing(match[1].split(", "), self._actions, self.prog)
        super().error(message)

    def format_usage(self) -> str:
        """Return argparse's usage, with the settings at its end if the command accepts any."""
        usage = super().format_usage()
        accepted = accepted_by([self.command])
        if not accepted.own and accepted.roots == ():
            return usage
        last = usage.rstrip("\n").rpartition("\n")[2]
        fits = len(f"{last} {SETTINGS}") <= get_terminal_size().columns - 2
        return f"{usage.rstrip()}{' ' if fits else chr(10) + ' ' * len(f'usage: {self.prog} ')}{SETTINGS}\n"

    def format_help(self) -> str:
        """Return the help: commands under their headings, or argparse's help of a command, followed by what it says on
        sentences, names and settings."""
        if self.headings:
            return self.format_commands()
        text = super().format_help().replace(super().format_usage(), self.format_usage(), 1)
        if start := SENTENCE_COMMANDS.get(self.command):
            text += f'\nWrite -- in front of sentences that contain =, as in\n  {start} -- "x=y"\n'
        from attest.cli.arguments.settings_help import (
            names_and_settings,  # reads conf/, which takes longer than the rest
        )

        listed = names_and_settings(self.command)
        return f"{text}\n{listed}\n" if listed else text

    def format_commands(self) -> str:
        """Return the help of a parser that has commands."""
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        actions = (action for action in self._actions if isinstance(action, argparse._SubParsersAction))
        lines = {line.dest: line for action in actions for line in action._choices_actions}
        for heading, names in self.headings.items():
            formatter.start_section(heading)
            formatter.add_arguments([lines[name] for name in names])
            formatter.end_section()
        formatter.start_section("options")
        formatter.add_arguments([action for action in self._actions if action.option_strings])
        formatter.end_section()
        for paragraph in (self.epilog or "").split("\n"):
            formatter.add_text(paragraph)
        return formatter.format_help()


def commands_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of a parser's commands by name."""
    actions = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return {name: command for action in actions for name, command in action.choices.items()}
