"""The record of the run that the beginning of an id names, or an error that says what the id is instead."""

from collections.abc import Sequence
from pathlib import Path

from attest.config.compose import compose_unchecked
from attest.config.overrides import path_overrides
from attest.errors import RecordError
from attest.runs.known_stores import all_stores
from attest.runs.records import Record
from attest.runs.store import find_record
from attest.runs.unlaunched_runs import check_ended

OTHER_KINDS = {
    "attention": "these are attention maps",
    "bench": "this is a benchmark",
    "parser": "this is a parser",
    "parser_test": "this is the test of a parser",
    "subset": "this is the list of a test set's hard pairs",
    "transfer": "this is an evaluation on SentEval's tasks",
}
"""A kind of record without an encoder -> its description in errors."""
COMPUTED_BY_RUNS = ("attention", "transfer")
"""The kinds of records whose first parent is a run with an encoder, if they have a parent."""


def find_run(prefix: str, overrides: Sequence[str] = ()) -> Record:
    """Return the record of the run whose id begins with `prefix`.

    Raise RecordError if there is none, or several, if the run has not ended, or if the id is that of a record without
    an encoder.
    """
    known = all_stores(overrides)
    try:
        return find_record(prefix, known)
    except RecordError as error:
        check_ended(prefix, Path(compose_unchecked(path_overrides(overrides)).paths.runs))
        try:
            other = find_record(prefix, known, kind=None)
        except RecordError:
            raise error from None
        computed = other.kind in COMPUTED_BY_RUNS and other.parents
        hint = f"its run is {other.parents[0]}" if computed else "`attest runs` lists runs"
        raise RecordError(f"{other.id}: {OTHER_KINDS[other.kind]}, not a run with an encoder; {hint}") from error
