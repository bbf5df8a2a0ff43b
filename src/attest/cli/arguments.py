"""The parser of the command line, and the names that it knows."""

import argparse
import importlib
import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from attest.cli.accepted import accepted_by
from attest.config.error_words import did_you_mean

NewCommand = Callable[[str, str, str], argparse.ArgumentParser]
"""A function that adds a command: its name, the function that runs it as "module:function", and its description."""
FOLDER_FLAGS = ("--config-dir", "-cd")
"""The flags that name a folder of the user's own, which every command has."""
SENTENCE_COMMANDS = {"attend": "attest attend RUN", "parser": "attest parser parse"}
"""The commands that take sentences -> what stands in front of these."""
FLAGS_OF_HYDRA = {
    "config_name": "the configuration is always conf/config.yaml; choose experiment=NAME, also one of your own, in a "
    "folder given with --config-dir",
    "config_path": "the configuration is always conf/config.yaml; add a folder of your own with --config-dir",
    "run": "a single run is the default; leave this flag out",
    "version": "type attest --version",
    **dict.fromkeys(("sc", "shell_completion"), "type attest completion bash, zsh or fish"),
    "experimental_rerun": "give the overrides again; the same command continues a run",
}
"""Flags of other Hydra applications -> what to type instead."""


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

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """Parse as argparse does, but exit with what to type instead of an argument that does not exist."""
        parsed, unknown = self.parse_known_args(args, namespace)
        if unknown:
            command = next((word for word in args or () if word in commands_of(self)), "")
            options = commands_of(self)[command]._option_string_actions if command else ()
            self.exit(2, f"{self.prog} {command}: {explain_unknown(unknown[0], args or (), command, tuple(options))}\n")
        return parsed

    def error(self, message: str) -> NoReturn:
        """Exit with argparse's message and the usage; the nearest choice is added to one about a wrong choice."""
        if match := re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message):
            choices = re.findall(r"[\w-]+", match[2])
            message = f"{match[1]}: no such choice.{did_you_mean(match[1], choices)} There are: {', '.join(choices)}."
        elif re.search(r"arguments are required: .*\bfile\b", message):
            message += f"; write -- in front of a name that contains =, as in {self.prog} ... -- a=b.txt"
        super().error(message)

    def format_help(self) -> str:
        """Return argparse's help, followed by what the command says on sentences and settings, if it takes them."""
        text, source = super().format_help(), self.get_default("settings_help")
        if start := SENTENCE_COMMANDS.get(self.prog.rpartition(" ")[2]):
            text += f'\nWrite -- in front of sentences that contain =, as in {start} -- "x=y"\n'
        if source is None:
            return text
        module, _, function = source.partition(":")  # imported here, since reading conf/ takes longer than the rest
        return f"{text}\n{getattr(importlib.import_module(module), function)()}\n"


def commands_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of a parser's commands by name."""
    actions = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return {name: command for action in actions for name, command in action.choices.items()}


def explain_unknown(argument: str, arguments: Sequence[str], command: str, options: Sequence[str]) -> str:
    """Return what to type instead of an argument that a command does not have, which has these options."""
    if not argument.startswith("-"):
        from attest.config.keys import groups_of  # reads conf/, which takes longer than a right command line

        behind = [*arguments[arguments.index(argument) + 1 :], "NAME"] if argument in arguments else ["NAME"]
        if argument in groups_of() and not behind[0].startswith("-"):
            return f"{argument}: a choice of a group is written with =; type {argument}={behind[0]}"
        return f"{argument}: this word is not expected here; see `attest {command} --help`"
    flag, equals, value = argument.partition("=")
    name = flag.lstrip("-").replace("-", "_")
    if name in FLAGS_OF_HYDRA:
        return f"{flag}: {FLAGS_OF_HYDRA[name]}"
    if not equals:
        behind = arguments[arguments.index(argument) + 1 :] if argument in arguments else ()
        value = behind[0] if behind and not behind[0].startswith("-") else "VALUE"
    from attest.config.keys import known_keys  # reads conf/, which takes longer than a right command line

    accepted = accepted_by([command])
    known = known_keys(accepted.config) | set(accepted.own)
    if name not in known and (near := get_close_matches(flag, options, n=1, cutoff=0.7)):
        return f"{flag}: unknown option. Did you mean {near[0]}?"
    ending = [key for key in sorted(known) if key.rpartition(".")[2] == name]
    keys = [name] if name in known else ending or get_close_matches(name, sorted(known), n=1, cutoff=0.5)
    if keys:
        return f"{flag}: settings are written key=value, without dashes; type {keys[0]}={value}"
    return f"{flag}: unknown option; `attest {command} --help` lists options and settings"
