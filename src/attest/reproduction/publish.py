"""Copies of finished records in the folder that git tracks."""

import shutil
from collections.abc import Iterable
from pathlib import Path

from attest.reproduction.tables.table import Table
from attest.runs.store import Store
from attest.system.files import atomic_path


def copy_table_records(table: Table, results: Path, tracked: Path) -> list[str]:
    """Copy all records that a table shows or lists to another results folder; return the ids of the copies."""
    results_shown = [result for row in table.rows for result in row.results]
    ids = [
        identity
        for result in results_shown
        for identity in (*result.ids, *(transfer.id for transfer in result.transfers))
    ]
    return copy_records(ids, results, tracked)


def copy_records(ids: Iterable[str], results: Path, tracked: Path) -> list[str]:
    """Copy records and their ancestors, such as the parser behind a run's phrases; return the ids of the copies.

    A record that the folder `tracked` has already is copied only if it replaces one of uncommitted code.
    """
    store, target, copied = Store(results / "records"), Store(tracked / "records"), []
    for identity in with_parents(ids, store):
        record, known = store.get(identity), target.get(identity)
        if record is None or (known is not None and (record.uncommitted or not known.uncommitted)):
            continue
        for source, place in ((store.arrays_path(identity), target.arrays_path(identity)),
                              (store.record_path(identity), target.record_path(identity))):  # fmt: skip
            if source.is_file():
                with atomic_path(place) as temporary:
                    shutil.copyfile(source, temporary)
        copied.append(identity)
    return copied


def with_parents(ids: Iterable[str], store: Store) -> list[str]:
    """Return each id once, followed by the ids of all ancestors, that is, parents of records and their parents."""
    family = list(dict.fromkeys(ids))
    for identity in family:  # the list grows on the way
        record = store.get(identity)
        family += [parent for parent in (record.parents if record is not None else ()) if parent not in family]
    return family
