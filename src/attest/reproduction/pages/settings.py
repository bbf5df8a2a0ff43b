"""The tables of docs/reference/settings.md: every setting of a run, section by section."""

from itertools import groupby

from attest.config.setting_docs import SettingDoc, setting_docs
from attest.reproduction.pages.markdown_parts import table_row

TOP = "Settings without a section"
HEAD = [table_row(["Setting", "Values", "Default", "In the id", "Meaning"]), table_row(["---"] * 5)]


def render_settings() -> str:
    """Return a heading and a table for each section of the settings; those without a section come first."""
    lines = []
    for title, items in groupby(sorted(setting_docs(), key=lambda item: bool(section_of(item))), section_of):
        lines += ["", f"## {title or TOP}", "", *HEAD, *map(setting_row, items)]
    return "\n".join([*lines, "", ""])


def section_of(item: SettingDoc) -> str:
    """Return the first part of a setting's key; empty if it has only one."""
    return item.key.partition(".")[0] if "." in item.key else ""


def setting_row(item: SettingDoc) -> str:
    """Return the row of a setting in the table of its section."""
    default = "none" if item.default is None else f"`{item.default}`" if item.default else "empty"
    return table_row([f"`{item.key}`", item.values, default, item.in_id, item.meaning])
