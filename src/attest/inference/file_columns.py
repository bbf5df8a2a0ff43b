"""The columns of a file of labelled examples: those that a user names, and those of the run's own data set."""

import re
from collections.abc import Sequence

from attest.config.error_words import did_you_mean
from attest.config.settings import Dataset
from attest.data.readers.columns import SENTENCES
from attest.errors import SettingsError

COLUMNS = "--columns"
"""The option that names the columns of a file."""
NEXT_ROLE = re.compile(r",(?=\w+=)")
"""The commas between columns, and not those within the name of a column."""
LABEL_OF_NLI = "gold_label"
"""The name of the label in the files of SNLI and MultiNLI, and in those that follow them, such as HANS."""
Column = str | int


def needed_roles(sides: int, *, scored: bool) -> tuple[str, ...]:
    """Return the roles of the columns that examples of `sides` sentences need, with a score or else a label."""
    return (*SENTENCES[sides - 1], "score" if scored else "label")


def file_columns(dataset: Dataset, roles: Sequence[str], form: str, text: str | None) -> dict[str, Column]:
    """Return the column of each role by its name, or by its number from 1, in a file of the format `form`.

    `text` is what a user typed, such as "sentence=text,label=verdict". Roles that it does not name have the column of
    the run's own data set, else a column of their own name.
    """
    typed = typed_columns(text, roles, form)
    if any(isinstance(column, int) for column in typed.values()):
        if missing := [role for role in roles if not isinstance(typed.get(role), int)]:
            example = ",".join(f"{role}={number}" for number, role in enumerate(roles, 1))
            raise SettingsError(
                f"{COLUMNS} {text}: a file without a line of names needs a number for each column, also "
                f"for {' and '.join(missing)}; type it as in {COLUMNS} {example}"
            )
        return typed
    own = {role: column for role, column in dataset.columns.items() if role in roles}
    numbered = any(isinstance(column, int) for column in own.values())
    if len(own) < len(roles) or (numbered and (typed or form == "jsonl")):  # names and numbers cannot be mixed
        own = {"label": LABEL_OF_NLI} if dataset.format == "nli" else {}
    return {role: typed.get(role, own.get(role, role)) for role in roles}


def typed_columns(text: str | None, roles: Sequence[str], form: str) -> dict[str, Column]:
    """Return the columns that a user typed by role; raise SettingsError for a role that the examples do not have."""
    columns: dict[str, Column] = {}
    for item in NEXT_ROLE.split(text) if text else ():
        role, _, name = item.partition("=")
        if role not in roles:
            example = ",".join(f"{role}=NAME" for role in roles)
            raise SettingsError(
                f"{COLUMNS} {text}: {role} is not a role of a column.{did_you_mean(role, roles)} Name those of this "
                f"run as in {COLUMNS} {example}; for the metrics of each value of another column, add --by NAME"
            )
        if not name:
            raise SettingsError(f"{COLUMNS} {text}: {item} names no column; type {role}=NAME")
        if role in columns:
            raise SettingsError(f"{COLUMNS} {text}: {role} is named twice; name one column for it")
        is_number = form != "jsonl" and re.fullmatch("[1-9][0-9]{0,3}", name)
        columns[role] = int(name) if is_number else name
    return columns
