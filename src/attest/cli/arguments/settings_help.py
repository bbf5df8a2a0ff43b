"""The text at the end of the --help of a command: the names and the settings that it accepts, read from conf/."""

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from textwrap import fill
from typing import Any

from attest.cli.arguments.accepted import ACCEPTED, QUERY_KEYS
from attest.cli.arguments.names import argument_names
from attest.cli.arguments.setting_examples import LAUNCHERS, MOST_USED, QUERY, REPRODUCE, SETTINGS, TUNE
from attest.cli.line_width import line_width
from attest.config.keys import UNCHOSEN, dotted_keys, groups_of
from attest.config.overrides import override_value
from attest.config.own_folders import choices
from attest.config.paths import shipped_folder
from attest.config.settings import Settings
from attest.config.yaml_files import read_yaml


def names_and_settings(command: str) -> str:
    """Return the names that can be arguments of a command, and the settings that it accepts; empty if it has none."""
    sections = []
    if names := argument_names(command):
        rows = [format_row(title, *fold_names(known)) for title, known in names.items()]
        sections.append("\n".join(["names that arguments can have", *rows]))
    if command in TEXTS:
        sections.append(TEXTS[command]())
    elif command in SETTINGS:
        sections.append("\n".join(example_rows("", SETTINGS[command])))
    return "\n\n".join(sections)


def query_settings() -> str:
    """Return the text of `attest runs --help` on the settings that select runs."""
    return "\n".join(example_rows("that select runs", QUERY))


def compare_settings() -> str:
    """Return the text of `attest compare --help` on the settings that select runs, without those of `attest runs`
    alone."""
    refused = {*QUERY_KEYS} - {*ACCEPTED["compare"].own}
    query = {setting: text for setting, text in QUERY.items() if setting.partition("=")[0] not in refused}
    return "\n".join(example_rows("that select runs", query))


def train_settings() -> str:
    """Return the text of `attest train --help` on config groups, their choices, and the most used settings."""
    lines = group_rows("config")
    for title, settings in MOST_USED.items():
        lines += ["", *example_rows(f"of {title}", settings)]
    experiments = shipped_folder("conf") / "experiment"
    ending = "`attest settings` explains each setting, `attest train --cfg` prints all those of a run"
    return "\n".join([*lines, "", wrap(ending), wrap(f"All experiments: ls {experiments}")])


def reproduce_settings() -> str:
    """Return the text of `attest reproduce --help` on the settings that select runs, and on those of the runs."""
    from attest.reproduction.tables.allowed_deviations import allowed_deviations

    machine = {**MOST_USED["the machine"], "hydra/launcher=joblib": LAUNCHERS}
    keys = ", ".join(sorted(allowed_deviations(Settings)))
    lines = [*example_rows("that select runs", REPRODUCE), "", *example_rows("of the machine", machine)]
    changed = wrap(f"settings of the runs that may differ from the table's: {keys}", "  ")
    return "\n".join([*lines, "", changed])


def tune_settings() -> str:
    """Return the text of `attest tune --help` on settings."""
    return "\n".join(example_rows("of the search", TUNE))


def example_rows(title: str, settings: Mapping[str, str]) -> list[str]:
    """Return the lines on settings with an example of a value, a heading first."""
    rows = [format_row(setting, text, width=30) for setting, text in settings.items()]
    return [f"{f'settings {title}'.strip()}, with an example of a value", *rows]


def transfer_settings() -> str:
    """Return the text of `attest transfer --help` on settings."""
    return config_settings("transfer")


def parser_settings() -> str:
    """Return the text of `attest parser --help` on the settings of training."""
    return config_settings("parser_training")


def config_settings(name: str) -> str:
    """Return a text on the groups of a primary config with their choices, and on its settings with their defaults.

    The comment behind a setting in its file is its description.
    """
    path, group = shipped_folder("conf") / f"{name}.yaml", shipped_folder("conf") / name
    lines = [*group_rows(name), "", "settings, with their defaults", *default_rows(path)]
    if group.is_dir():
        lines += [
            "",
            wrap("settings that depend on the scale, with those of scale=paper", "  "),
            *default_rows(group / "paper.yaml"),
        ]
    return "\n".join(lines)


def default_rows(path: Path) -> list[str]:
    """Return a line for each setting of a file: its default, and the comment behind it."""
    values, comments = read_yaml(path), comments_of(path)
    rows = []
    for key in dotted_keys({key: value for key, value in values.items() if key not in ("defaults", "dataset")}):
        value: Any = values
        for part in key.split("."):
            value = value[part]
        if not isinstance(value, dict):
            rows.append(
                format_row(f"{key}={override_value(value)}", comments.get(key.rpartition(".")[2], ""), width=30)
            )
    return rows


def comments_of(path: Path) -> dict[str, str]:
    """Return the comment behind each setting of a file, by the last part of its key."""
    return dict(re.findall(r"^ *(\w+): .*?  # (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE))


def group_rows(name: str) -> list[str]:
    """Return the lines on the groups of a primary config, a heading first."""
    rows = [
        format_row(group, *format_choices(group, default), *([f"(default: that of {of})"] if of else []))
        for group, default in groups_of(name).items()
        for of in [UNCHOSEN.get(group)]
    ]
    return ["settings, as key=value: choices of a group (*: default)", *rows]


def format_choices(group: str, default: str | None) -> list[str]:
    """Return the choices of a group as texts, * at the default."""
    return fold_names(f"{name}*" if name == default else name for name in choices(group))


def fold_names(names: Iterable[str]) -> list[str]:
    """Return names as texts: those without a folder, then those of each folder, written as disan/{snli, sst}."""
    by_folder: dict[str, list[str]] = {}
    for name in names:
        folder, _, leaf = name.rpartition("/")
        by_folder.setdefault(folder, []).append(leaf)
    single = by_folder.pop("", [])
    shared = [
        f"{folder}/{leaves[0]}" if len(leaves) == 1 else f"{folder}/{{{', '.join(leaves)}}}"
        for folder, leaves in sorted(by_folder.items())
    ]
    return [*([" ".join(single)] if single else []), *shared]


def format_row(name: str, *texts: str, width: int = 14) -> str:
    """Return lines with a name and texts, each of which begins and is wrapped beside the name."""
    start = f"  {name:<{width}}" if len(name) < width else f"  {name}  "
    indent = " " * (width + 2)
    return "\n".join(wrap(f"{start if number == 0 else indent}{text}", indent) for number, text in enumerate(texts))


def wrap(text: str, indent: str = "") -> str:
    """Return a text in lines as wide as the terminal, all but the first with an indent."""
    width = line_width() - 2
    return fill(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


TEXTS: Mapping[str, Callable[[], str]] = {
    "train": train_settings,
    "reproduce": reproduce_settings,
    "tune": tune_settings,
    "runs": query_settings,
    "compare": compare_settings,
    "transfer": transfer_settings,
    "parser": parser_settings,
}
"""The commands whose settings are many -> the function that returns the text on them."""
