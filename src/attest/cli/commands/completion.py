"""attest completion: scripts that complete commands, names and settings in bash, zsh and fish.

A script calls `attest completion SHELL --line LINE`, which prints the possible completions of the last word of the
line. Hydra's own plugin completes settings.
"""

import argparse
import re
from collections.abc import Sequence
from itertools import chain
from typing import Any, Literal, cast, get_args, get_origin

from hydra import initialize_config_dir
from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra.core.global_hydra import GlobalHydra
from hydra.plugins.completion_plugin import DefaultCompletionPlugin
from omegaconf import DictConfig, OmegaConf

from attest.cli.arguments.accepted import HYDRA, accepted_by, roots_of
from attest.cli.arguments.commands import parser
from attest.cli.arguments.names import argument_names
from attest.cli.arguments.parser import commands_of
from attest.cli.arguments.typed_overrides import folder_place, without_folder
from attest.cli.completion_scripts import SCRIPTS
from attest.config.fit_overrides import allowed_types, type_of
from attest.config.hydra.cache import VERSION
from attest.config.keys import groups_of
from attest.config.overrides import override_value
from attest.config.own_folders import add_own_folder, choices
from attest.config.paths import shipped_folder
from attest.config.settings import Settings
from attest.reproduction.specs import files
from attest.reproduction.specs.table import load_table


class ListlessLoader(ConfigLoaderImpl):
    """Hydra's loader with null in place of every list, since its plugin takes the numbers of items for keys."""

    def load_configuration(self, *args: Any, **options: Any) -> DictConfig:
        """Return the configuration that Hydra loads, without its lists."""
        values = OmegaConf.to_container(super().load_configuration(*args, **options), resolve=False)
        return OmegaConf.create(cast("dict[str, Any]", without_lists(values)))


def without_lists(value: Any) -> Any:
    """Return nested dicts with None in place of every list."""
    if isinstance(value, dict):
        return {key: without_lists(item) for key, item in value.items()}
    return None if isinstance(value, list) else value


def completion(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Print the completion script of a shell or, with --line, the completions of the last word of that line."""
    if parsed.line is None:
        print(SCRIPTS[parsed.shell])
    else:
        for word in completions(parsed.line):
            print(word)


def completions(line: str) -> list[str]:
    """Return the possible completions of the last word of a command line, sorted."""
    _, *words = line.split(" ") if line else [""]
    *before, word = [text for text in words[:-1] if text] + words[-1:] or [""]
    commands = commands_of(parser())
    if not before:
        return with_prefix([*commands, "--help", "--version"], word)
    if (command := before[0]) not in commands:
        return []
    before = use_own_folder(before)
    if word.startswith("-"):
        return with_prefix(long_flags(commands[command]), word)
    if "=" in word:
        return override_completions(before, word)
    flag = commands[command]._option_string_actions.get(before[-1])
    values = [str(value) for value in flag.choices or ()] if flag else []
    if flag and values and flag.nargs is None:
        return with_prefix(values, word)
    arguments = possible_arguments(before, commands[command])
    return sorted({*with_prefix([*values, *arguments], word), *override_completions(before, word)})


def use_own_folder(words: Sequence[str]) -> list[str]:
    """Return the words of a line without --config-dir, whose folder is used from now on."""
    match list(words[folder_place(words)]):
        case [_, folder]:
            add_own_folder(folder)
        case [word] if "=" in word:
            add_own_folder(word.partition("=")[2])
        case _:
            return list(words)
    return without_folder(words)


def with_prefix(candidates: Sequence[str], prefix: str) -> list[str]:
    """Return the candidates that begin with a prefix, sorted."""
    return sorted(candidate for candidate in candidates if candidate.startswith(prefix))


def long_flags(command: argparse.ArgumentParser) -> list[str]:
    """Return the flags of a command that begin with two dashes."""
    return [flag for action in command._actions for flag in action.option_strings if flag.startswith("--")]


def possible_arguments(words: Sequence[str], arguments: argparse.ArgumentParser) -> list[str]:
    """Return the words that can follow as an argument: fixed choices, or names of tables, rows, figures or data sets.

    The command and its arguments so far are `words`.
    """
    command = words[0]
    if command == "show" and (rows := row_names(words)):
        return rows
    fixed = [str(name) for action in arguments._actions if not action.option_strings for name in action.choices or ()]
    return [*fixed, *chain.from_iterable(argument_names(command).values())]


def row_names(words: Sequence[str]) -> list[str]:
    """Return the names of the rows that are run of a table that a word names, also as table=NAME; none without one."""
    tables = {text.removeprefix("table=") for text in words} & {*files.names("table")}
    return [row for name in tables for row in load_table(name).run_rows]


def override_completions(words: Sequence[str], word: str) -> list[str]:
    """Return the overrides that begin with `word`: groups, choices and dotted keys of the settings of a command.

    The command and its arguments are `words`.
    """
    accepted, overrides = accepted_by(words), words[1:]
    roots = roots_of(accepted) | ({HYDRA} if accepted.hydra else set())
    if not roots:
        return []
    config, own = accepted.config, accepted.own
    group, equals, value = word.partition("=")
    if equals and (names := names_of(group, words)):
        earlier = value[: value.rfind(",") + 1]
        words = with_prefix([f"{group}={earlier}{name}" for name in names], word)
    elif equals:
        words = [text for text in hydra_completions(config, overrides, word) if not text.endswith((".", "="))]
        words += with_prefix([f"{group}={value}" for value in fixed_values(group.lstrip("+"))], word.lstrip("+"))
    else:
        words = [*hydra_completions(config, overrides, word), *with_prefix([f"{name}=" for name in own], word)]
    groups = groups_of(config)  # Hydra takes a group whose choices are in folders for a folder itself
    words = [re.sub("/$", "=", text) if text[:-1] in groups else text for text in words]
    words = [text for text in words if "/" not in text.partition("=")[0] or re.match(f"[+~]*{HYDRA}/", text)]
    return sorted({text for text in words if re.split("[.=/]", text.lstrip("+~"))[0] in roots})


def names_of(key: str, words: Sequence[str]) -> list[str]:
    """Return the names that can follow KEY=: choices of a group, tables, or rows of a table; none for other keys.

    Hydra's plugin knows neither choices in folders nor values of a sweep.
    """
    accepted = accepted_by(words)
    if key in groups_of(accepted.config):
        return list(choices(key))
    if key == "table" and key in accepted.own:
        return files.names("table")
    return row_names(words) if key in ("row", "rows") and key in accepted.own else []


def fixed_values(key: str) -> list[str]:
    """Return the values that a setting of a run can have, or none if they are not a few fixed ones."""
    kinds = allowed_types(type_of(Settings, key))
    literals = [value for kind in kinds if get_origin(kind) is Literal for value in get_args(kind)]
    return [override_value(value) for value in [*literals, *([True, False] if bool in kinds else [])]]


def hydra_completions(config: str, overrides: Sequence[str], word: str) -> list[str]:
    """Return the completions of `word` by Hydra's plugin, for a primary config and the overrides before the word."""
    with initialize_config_dir(str(shipped_folder("conf")), version_base=VERSION):
        loader = ListlessLoader(GlobalHydra.instance().config_loader().get_search_path())
        line = " ".join([*(text for text in overrides if "=" in text), word])
        return DefaultCompletionPlugin(loader)._query(config, line)
