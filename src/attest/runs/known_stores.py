"""The stores of this machine's records and of the tracked ones."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from attest.config.compose import compose_unchecked
from attest.config.overrides import path_overrides
from attest.config.paths import tracked_results
from attest.runs.records import Record
from attest.runs.store import Store, put_preferred


def all_stores(overrides: Sequence[str] = ()) -> list[Store]:
    """Return the stores of records: this machine's at scale paper and at scale mini, then the tracked results."""
    return [*local_stores(overrides), Store(tracked_results() / "records")]


def local_stores(overrides: Sequence[str] = ()) -> list[Store]:
    """Return this machine's stores of records, those at scale paper first, then those at scale mini."""
    paths = path_overrides(overrides)  # other overrides may not compose without the settings of the run
    return [Store(Path(compose_unchecked([f"scale={scale}", *paths]).paths.records)) for scale in ("paper", "mini")]


def all_records(stores: Iterable[Store]) -> list[Record]:
    """Return the records of several stores, each id once: a finished record counts, else that of an earlier store."""
    by_id: dict[str, Record] = {}
    for store in stores:
        for record in store:
            put_preferred(by_id, record)
    return list(by_id.values())


def scale_and_results(overrides: Sequence[str]) -> tuple[str, list[Path]]:
    """Return the scale, and the results folders to read: the local one and, at scale=paper, the tracked one after
    it."""
    settings = compose_unchecked(overrides)
    results = Path(settings.paths.results)
    return settings.scale, [results] if settings.scale == "mini" else [results, tracked_results()]
