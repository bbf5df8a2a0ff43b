"""The filter of `attest runs` and `attest compare`: the table, status and time of the runs that they select."""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from attest.config.constraints import AtLeastOne
from attest.config.overrides import root_of, split_overrides
from attest.config.schema import from_plain
from attest.errors import SettingsError
from attest.runs.records import Record

AGES = {"m": 60, "h": 3600, "d": 86400}
"""The last letter of an age -> its unit in seconds."""
DATE = re.compile(r"\d{4}-\d\d(-\d\d(T\d\d(:\d\d(:\d\dZ?)?)?)?)?")


@dataclass(frozen=True, kw_only=True)
class RunFilter:
    """The settings of `attest runs` that select runs by more than their settings."""

    table: str | None = None
    """The table that the runs belong to, as disan/table1; null: any or none."""
    row: str | None = None
    """The row of the table; null: all rows."""
    status: Literal["done", "failed"] | None = None
    """The status of the runs; null: both."""
    since: str | None = None
    """The earliest end of a run: a date such as 2026-01-31, or an age such as 2d, 3h or 30m."""
    until: str | None = None
    """The latest end of a run, in the same form."""
    limit: Annotated[int, AtLeastOne] = 20
    """The number of runs that are listed."""

    def passes(self, record: Record) -> bool:
        """Return whether a run has the status and ended in the time that the filter asks for."""
        return (
            self.status in (None, record.status)
            and (self.since is None or record.finished >= self.since)
            and (self.until is None or record.finished[: len(self.until)] <= self.until)
        )


def split_query(overrides: Sequence[str]) -> tuple[RunFilter, list[str]]:
    """Return the filter in the overrides, and the settings that runs have to have; the paths are left out."""
    values, others = split_overrides(overrides, RunFilter.__dataclass_fields__)
    times = {key: moment(key, str(values[key])) for key in ("since", "until") if values.get(key) is not None}
    return from_plain(RunFilter, {**values, **times}), [text for text in others if root_of(text) != "paths"]


def moment(key: str, text: str) -> str:
    """Return a date as it is, and an age such as 2d as the time in UTC so long ago."""
    if match := re.fullmatch(r"(\d{1,5})([mhd])", text):
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - int(match[1]) * AGES[match[2]]))
    if not (DATE.fullmatch(text) and is_date(text)):
        raise SettingsError(f"{key}={text}: neither a date nor an age; type {key}=2026-01-31, or {key}=2d for two days")
    return text


def is_date(text: str) -> bool:
    """Return whether a text of the form DATE names a day of the calendar, or the beginning of one such as 2026-01."""
    whole = text.removesuffix("Z") + "2000-01-01T00:00:00"[len(text.removesuffix("Z")) :]
    try:
        datetime.fromisoformat(whole)
    except ValueError:
        return False
    return True
