"""attest completion: scripts that complete commands, names and settings in bash, zsh and fish.

The scripts ask `attest completion SHELL --line LINE` for the words that the last word of the line can become. Settings
are completed by Hydra's own plugin.
"""

import argparse
import re
from collections.abc import Sequence

from hydra import initialize_config_dir
from hydra.core.config_loader import ConfigLoader
from hydra.core.global_hydra import GlobalHydra
from hydra.plugins.completion_plugin import DefaultCompletionPlugin

from attest.cli.arguments import commands_of
from attest.config.compose import groups_of
from attest.config.hydra_cache import VERSION
from attest.config.paths import shipped_folder
from attest.config.yaml_files import read_yaml, yaml_names
from attest.reproduction.specs import files

BASH = """_attest_completion() {
    local line="${COMP_LINE:0:$COMP_POINT}" word prefix
    word="${line##* }"
    prefix="${word%"${word##*[=:]}"}"
    mapfile -t COMPREPLY < <(attest completion bash --line "$line" 2>/dev/null)
    COMPREPLY=("${COMPREPLY[@]#"$prefix"}")
    [[ "${COMPREPLY[*]}" != *[=./] ]] || compopt -o nospace 2>/dev/null
}
complete -F _attest_completion attest"""

ZSH = """_attest_completion() {
    local -a found open
    found=("${(@f)$(attest completion zsh --line "${(j: :)words[1,CURRENT]}" 2>/dev/null)}")
    open=(${(M)found:#*[=./]})
    compadd -Q -S '' -- $open
    compadd -Q -- ${found:#*[=./]}
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _attest_completion attest"""

FISH = """function __attest_completion
    attest completion fish --line (commandline --cut-at-cursor | string collect) 2>/dev/null
end
complete --command attest --no-files --arguments '(__attest_completion)'"""

SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}

RUN_COMMANDS = ("train", "tune", "reproduce", "describe", "doctor", "hard", "attend", "submit")
"""The commands that take the settings of a run."""
PLACES_COMMANDS = ("show", "figures", "publish", "bench", "data")
"""The commands that take no settings but the scale and places."""
PLACES = ("scale", "paths")
CONFIGS = {"transfer": "transfer", "parser": "parser_training"}
"""Command -> the primary config of its own that its settings are in."""
OWN_SETTINGS = {
    "reproduce": ["rows=", "seeds="],
    "tune": ["runs=", "minutes=", "at_once="],
}
"""Command -> the settings that it takes besides those of the config."""
NAMES: dict[str, Sequence[files.Kind]] = {
    "show": ["table"], "reproduce": ["table"], "describe": ["table"], "figures": ["figure"],
    "publish": ["table", "figure"], "tune": ["search"], "choices": ["open choices"],
}  # fmt: skip
"""Command -> the kinds of files in reproduce/ whose names it takes."""
GROUPS = {"data": ("dataset", "vectors"), "hard": ("dataset",)}
"""Command -> the groups of conf/ whose names it takes."""


LISTS = ("packages.", "tasks.", "treebanks.")
"""Settings that hold lists, which Hydra's plugin completes as if they held keys."""


def completion(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Print the script of a shell, or with --line the words that can stand at the end of a line."""
    if parsed.line is None:
        print(SCRIPTS[parsed.shell])
    else:
        for word in completions(parsed.line):
            print(word)


def completions(line: str) -> list[str]:
    """Return the words that the last word of a command line can become, sorted."""
    _, *words = line.split(" ") if line else [""]
    *before, word = [text for text in words[:-1] if text] + words[-1:] or [""]
    commands = commands_of(program())
    if not before:
        return matching([*commands, "--help", "--version"], word)
    if (command := before[0]) not in commands:
        return []
    if word.startswith("-"):
        return matching(flags(commands[command]), word)
    if "=" in word:
        return settings(command, before[1:], word)
    return sorted({*matching(names(command, commands[command]), word), *settings(command, before[1:], word)})


def program() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    from attest.cli import parser  # imported here, since attest.cli imports the modules of its commands by name

    return parser()


def matching(candidates: Sequence[str], word: str) -> list[str]:
    """Return the candidates that begin with a word, sorted."""
    return sorted(candidate for candidate in candidates if candidate.startswith(word))


def flags(command: argparse.ArgumentParser) -> list[str]:
    """Return the long flags of a command."""
    return [flag for action in command._actions for flag in action.option_strings if flag.startswith("--")]


def names(command: str, parser: argparse.ArgumentParser) -> list[str]:
    """Return what the arguments of a command can be: its fixed choices, or names of tables, figures, data and so on."""
    fixed = [str(name) for action in parser._actions if not action.option_strings for name in action.choices or ()]
    specs = [name for kind in NAMES.get(command, ()) for name in files.names(kind)]
    groups = [name for group in GROUPS.get(command, ()) for name in yaml_names(shipped_folder("conf") / group)]
    benchmarks = yaml_names(shipped_folder("reproduce") / files.BENCHMARKS) if command == "bench" else []
    return [*fixed, *specs, *groups, *benchmarks]


def settings(command: str, overrides: Sequence[str], word: str) -> list[str]:
    """Return the overrides that a word can become: groups, choices and dotted keys of the command's settings."""
    if command not in (*RUN_COMMANDS, *PLACES_COMMANDS, *CONFIGS):
        return []
    config = CONFIGS.get(command, "config")
    roots = PLACES if command in PLACES_COMMANDS else roots_of(config) if command in CONFIGS else None
    group, equals, value = word.partition("=")
    if equals and group in groups_of(config):  # Hydra's plugin knows neither folders of choices nor values of a sweep
        earlier = value[: value.rfind(",") + 1]
        words = matching([f"{group}={earlier}{name}" for name in yaml_names(shipped_folder("conf") / group)], word)
    else:
        words = [f"{text[:-1]}=" if text in LISTS else text for text in hydra_completions(config, overrides, word)]
        words += matching(OWN_SETTINGS.get(command, []), word)
    return sorted({text for text in words if roots is None or re.split(r"[.=/]", text.lstrip("+~"))[0] in roots})


def roots_of(config: str) -> set[str]:
    """Return the first parts of the keys that a command with a primary config of its own takes."""
    files = [shipped_folder("conf") / f"{config}.yaml", *(shipped_folder("conf") / config).glob("*.yaml")]
    return {*groups_of(config), *(key for path in files for key in read_yaml(path))} - {"defaults", "dataset"}


def hydra_completions(config: str, overrides: Sequence[str], word: str) -> list[str]:
    """Return the overrides that Hydra's plugin finds for a word, with a primary config and earlier overrides."""
    with initialize_config_dir(str(shipped_folder("conf")), version_base=VERSION):
        loader: ConfigLoader = GlobalHydra.instance().config_loader()
        line = " ".join([*(text for text in overrides if "=" in text), word])
        return DefaultCompletionPlugin(loader)._query(config, line)
