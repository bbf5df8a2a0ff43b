"""Tables that take rows from elsewhere: from another table (`extends`), or from a paper's open choices."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from attest.config.error_words import did_you_mean
from attest.errors import SettingsError
from attest.reproduction.specs import choices, files
from attest.reproduction.specs.printed_decimals import read_with_decimals

EXTENDS = "extends"
"""The key by which a table takes columns and rows from another one."""
KEEP = "keep"
"""The key by which a table chooses among the rows of the table that it extends."""


def fill_in_extended(data: Mapping[str, Any], name: str, extending: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the keys of the file of a table, with those that it takes from other files filled in.

    `extending` are the names of the tables that extend this one, which it cannot extend in turn.
    """
    data = dict(data)
    if "choices" in data:
        named = choices.load_choices(data["choices"])
        base = {key: value for key, value in data.items() if key != KEEP}
        columns = data.get("columns")
        base |= choices.table_rows(named, columns if isinstance(columns, Mapping) else (), texts_of(data.get("base")))
        data = extend(base, data)
    if EXTENDS not in data:
        return data
    extended = str(data.pop(EXTENDS))
    above = (*extending, name)
    known = [table for table in files.names("table") if table not in above]
    if extended in above:
        raise SettingsError(f"{EXTENDS}: {extended} is, or extends, this table; extend another one")
    if extended not in known:
        raise SettingsError(f"{EXTENDS}: there is no table {extended} to extend.{did_you_mean(extended, known)}")
    return extend(fill_in_extended(read_with_decimals(files.path_of(extended, "table", "")), extended, above), data)


def extend(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of a table that has the rows of the table `base`, or those that `keep` lists, and rows of `own`.

    Comparisons of rows that are left out are left out too.
    """
    if not isinstance(base.get("rows"), Mapping):
        raise SettingsError(f"{EXTENDS}: the extended table has no rows")
    keep = own.get(KEEP, list(base["rows"]))
    if not isinstance(keep, list):
        raise SettingsError(f"{KEEP}: expected a list of rows, got {keep!r}")
    for row in keep:
        if row not in base["rows"]:
            raise SettingsError(
                f"{KEEP}: the extended table has no row {row}.{did_you_mean(str(row), base['rows'])} "
                f"There are: {', '.join(base['rows'])}."
            )
    added = own.get("rows", {})
    if not isinstance(added, Mapping):
        raise SettingsError(f"rows: expected keys and values, got {added!r}")
    rows = {**{name: row for name, row in base["rows"].items() if name in keep}, **added}
    kept = [item for item in comparisons_of(base) if not misses_row(item, rows)]
    others = {key: value for key, value in own.items() if key != KEEP}
    return {**base, **others, "rows": rows, "comparisons": [*kept, *comparisons_of(own)]}


def texts_of(value: object) -> list[str]:
    """Return the texts of a list; a value of another kind has none, and is reported later."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def comparisons_of(data: Mapping[str, Any]) -> Sequence[Any]:
    """Return the comparisons of a table; raise SettingsError if they are no list."""
    value = data.get("comparisons", ())
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise SettingsError(f"comparisons: expected a list, got {value!r}")
    return value


def misses_row(comparison: object, rows: Collection[str]) -> bool:
    """Return whether a comparison names a row that is not among `rows`; others with mistakes are reported later."""
    named = {comparison.get(key) for key in ("first", "second")} if isinstance(comparison, Mapping) else set()
    return not named - {None} <= set(rows)
