"""The text on the settings of a command at the end of its --help, read from conf/."""

import re
from collections.abc import Mapping
from pathlib import Path
from textwrap import fill
from typing import Any

from attest.cli.accepted import ACCEPTED, QUERY_KEYS
from attest.cli.setting_examples import LAUNCHERS, MOST_USED, QUERY, REPRODUCE, RUN_SETTINGS, TUNE
from attest.config.keys import UNCHOSEN, dotted_keys, groups_of
from attest.config.overrides import format_value
from attest.config.own_folders import choices
from attest.config.paths import shipped_folder
from attest.config.settings import Settings
from attest.config.yaml_files import read_yaml

WIDTH = 110


def run_settings() -> str:
    """Return the text of `attest encode --help`, and of other commands on a finished run, on what may be set for it."""
    return "\n".join(example_rows("that a finished run accepts", RUN_SETTINGS, 40))


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
    return "\n".join(
        [
            *lines,
            "",
            "What each setting means: attest settings. All settings of a run: attest train --cfg",
            f"All experiments: ls {experiments}",
        ]
    )


def reproduce_settings() -> str:
    """Return the text of `attest reproduce --help` on the settings that select runs, and on those of the runs."""
    from attest.reproduction.tables.budget import budget_values

    machine = {**MOST_USED["the machine"], "hydra/launcher=joblib": LAUNCHERS}
    keys = ", ".join(sorted(budget_values(Settings)))
    lines = [*example_rows("that select runs", REPRODUCE), "", *example_rows("of the machine", machine)]
    changed = fill(f"settings of the runs that may differ from the table's: {keys}", WIDTH, subsequent_indent="  ")
    return "\n".join([*lines, "", changed])


def tune_settings() -> str:
    """Return the text of `attest tune --help` on settings."""
    return "\n".join(example_rows("of the search", TUNE))


def example_rows(title: str, settings: Mapping[str, str], width: int = 30) -> list[str]:
    """Return the lines on settings with an example of a value, a heading first."""
    rows = [f"  {setting:<{width}}{text}" for setting, text in settings.items()]
    return [f"settings {title}, with an example of a value", *rows]


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
            "settings that depend on the scale, with those of scale=paper",
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
            rows.append(format_row(f"{key}={format_value(value)}", comments.get(key.rpartition(".")[2], ""), 30))
    return rows


def comments_of(path: Path) -> dict[str, str]:
    """Return the comment behind each setting of a file, by the last part of its key."""
    return dict(re.findall(r"^ *(\w+): .*?  # (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE))


def group_rows(name: str) -> list[str]:
    """Return the lines on the groups of a primary config, a heading first."""
    rows = [
        format_row(group, format_choices(group, default) + (f" (default: that of {of})" if of else ""))
        for group, default in groups_of(name).items()
        for of in [UNCHOSEN.get(group)]
    ]
    return ["settings, as key=value: choices of a group (* is the default)", *rows]


def format_choices(group: str, default: str | None) -> str:
    """Return the choices of a group as text, * at the default; choices in a folder are written as disan/{snli,sst}."""
    by_folder: dict[str, list[str]] = {}
    for name in choices(group):
        folder, _, leaf = name.rpartition("/")
        by_folder.setdefault(folder, []).append(f"{leaf}*" if name == default else leaf)
    single = by_folder.pop("", [])
    shared = [f"{folder}/{{{','.join(names)}}}" for folder, names in sorted(by_folder.items())]
    return " ".join(
        [*single, *(text.replace("{", "").replace("}", "") if "," not in text else text for text in shared)]
    )


def format_row(name: str, text: str, width: int = 12) -> str:
    """Return a line with a name and a text, which is wrapped beside the name."""
    start = f"  {name:<{width}}" if len(name) < width else f"  {name}  "
    return fill(
        f"{start}{text}", WIDTH, subsequent_indent=" " * (width + 2), break_long_words=False, break_on_hyphens=False
    )
