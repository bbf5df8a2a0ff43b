"""Rows that a command adds to a table: `with=model=mine` adds a row of the settings `model=mine`.

Such a row is named by its settings, so that a record that names its row is enough to find its cell again.
"""

import re
from dataclasses import replace
from shlex import quote

from attest.config.overrides import key_of
from attest.errors import SettingsError
from attest.reproduction.specs.rows import Comparison, Row
from attest.reproduction.specs.table import TableSpec, check_spec

ADDED_ROWS_KEY = "with"
"""The word of the command line that adds rows."""
REFUSED = ("scale", "seed", "label", "paths", "logger", "trainer", "protocol.fold")
"""The settings that all rows of a table share, or that tell the runs of a row apart."""
OUTSIDE = r"(?:\[(?:[^\[\]]|\[[^\[\]]*\])*\]|'[^']*'|\{[^}]*\}|[^\[\]'{}%s]|[\[\]'{}])+"
"""The pattern of what stands between separators that are in no brackets and no quotes."""


def row_names(text: str) -> list[str]:
    """Return the names of the rows in a text: commas separate rows, and spaces the settings of a row."""
    return [" ".join(settings_of(row)) for row in re.findall(OUTSIDE % ",", text) if row.strip()]


def settings_of(name: str) -> list[str]:
    """Return the settings of the row of this name."""
    return re.findall(OUTSIDE % r"\s", name)


def is_added(row: str) -> bool:
    """Return whether a row of this name is one that a command added: names in files hold no equals sign."""
    return "=" in row


def added_rows_words(spec: TableSpec) -> list[str]:
    """Return the words of a command that add the same rows to a table again, quoted for a shell; none if none are
    added."""
    added = [row for row in spec.rows if is_added(row)]
    return [quote(f"{ADDED_ROWS_KEY}={','.join(added)}")] if added else []


def with_rows(spec: TableSpec, text: str) -> TableSpec:
    """Return the table with the rows that a text adds, such as "model=mine,model=other hidden_size=100".

    Each is compared with the row that has the name of the paper, if there is one.
    """
    if not text:
        return spec
    rows = dict(spec.rows)
    for name in row_names(text):
        rows[name] = Row(title=f"`{name}`", set=checked_settings(name))
    main, column = spec.name.partition("/")[0], next(iter(spec.columns))
    asked = "Our question, with a row that was added to the table"
    added = [name for name in rows if name not in spec.rows]
    comparisons = [
        Comparison(first=name, second=main, column=column, text=asked, printed=False)
        for name in added
        if main in spec.run_rows
    ]
    extended = replace(spec, rows=rows, comparisons=[*spec.comparisons, *comparisons])
    check_spec(extended)
    return extended


def checked_settings(name: str) -> list[str]:
    """Return the settings of a row; raise SettingsError if one is no override, or belongs to the command."""
    settings = settings_of(name)
    for text in settings:
        if "=" not in text:
            raise SettingsError(f"{ADDED_ROWS_KEY}={name}: {text} is no setting; type {ADDED_ROWS_KEY}=model=NAME")
        key = key_of(text)
        if any(key == refused or key.startswith(f"{refused}.") for refused in REFUSED):
            raise SettingsError(
                f"{ADDED_ROWS_KEY}={name}: {key} applies to all rows of the table; type it as an argument of its own"
            )
    return settings
