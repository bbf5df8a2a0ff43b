"""Records that no run has left, for tests that need no settings of one; reproduction/made_up.py has those of tables."""

from typing import Any

from attest.runs.records import Record


def made_record(identity: str = "abc", **changes: Any) -> Record:
    """Return the record of a finished run; `changes` are its further fields."""
    facts = {"status": "done", "settings": {}, "versions": {}, "seed": 1, "data": {"fingerprint": "f"}}
    return Record(id=identity, **{**facts, **changes})
