"""Views: accuracy on a part of the test set, from the predictions that a run left. No run is made for one.

A column of a table names one behind its metric: test/accuracy@hard.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from attest.reproduction.specs.metric_names import HARD, MEASURED, SUBSET, subset_of
from attest.runs.records import Record, Store


@dataclass(frozen=True, eq=False)
class SubsetMask:
    """Some of the test pairs of one run."""

    mask_N: np.ndarray
    subset: str = ""
    """The id of the record that says which."""
    deviation: str = ""
    """In what they are not the paper's."""


Arrays = Mapping[str, np.ndarray]


def hard(record: Record, arrays: Arrays, subsets: Sequence[Record], stores: Sequence[Store]) -> SubsetMask | None:
    """The pairs that cannot be told by the hypothesis alone: published ones, or those derived from most pairs."""
    content = test_sha256(record)
    of_this_set = [found for found in subsets if found.settings["subset"] == HARD and test_sha256(found) == content]
    for subset in sorted(of_this_set, key=preference):
        if (rows := arrays_of(subset.id, stores)) is not None:
            return SubsetMask(np.isin(arrays["rows"], rows["rows"]), subset.id, derived_note(subset))
    return None


def distinct(record: Record, arrays: Arrays, subsets: Sequence[Record], stores: Sequence[Store]) -> SubsetMask | None:
    """The pairs whose sentences are not the same bag of words once they are prepared."""
    return SubsetMask(~arrays["same_bag"]) if "same_bag" in arrays else None


SUBSET_MASKS: Mapping[str, Callable[[Record, Arrays, Sequence[Record], Sequence[Store]], SubsetMask | None]] = {
    HARD: hard,
    "distinct": distinct,
}


def with_subsets(records: Iterable[Record], subsets: Sequence[Record], stores: Sequence[Store]) -> Iterator[Record]:
    """The records with what every view says of them, as metrics and beside their data."""
    for record in records:
        classified = record.status == "done" and MEASURED in record.metrics
        arrays = arrays_of(record.id, stores) if classified else None
        yield with_subset_metrics(record, arrays, subsets, stores) if arrays and "labels" in arrays else record


def with_subset_metrics(record: Record, arrays: Arrays, subsets: Sequence[Record], stores: Sequence[Store]) -> Record:
    right_N = arrays["predictions"] == arrays["labels"]
    found = {name: part for name, view in SUBSET_MASKS.items() if (part := view(record, arrays, subsets, stores))}
    metrics = {f"{MEASURED}{SUBSET}{name}": 100 * float(right_N[part.mask_N].mean())
               for name, part in found.items() if part.mask_N.any()}  # fmt: skip
    told = {name: {"subset": part.subset, "deviation": part.deviation, "pairs": int(part.mask_N.sum())}
            for name, part in found.items()}  # fmt: skip
    return replace(record, metrics={**record.metrics, **metrics}, data={**record.data, "views": told})


def subset_deviations(records: Iterable[Record], metrics: Sequence[str]) -> list[str]:
    """What the figures of some runs are not, as far as they are views."""
    return view_facts(records, metrics, "deviation")


def subsets_behind(records: Iterable[Record], metrics: Sequence[str]) -> list[str]:
    """The ids of the subset records that the figures of some runs go back to."""
    return view_facts(records, metrics, "subset")


def view_facts(records: Iterable[Record], metrics: Sequence[str], key: str) -> list[str]:
    """What is known of the views behind some metrics, each thing once."""
    views = [record.data.get("views", {}).get(subset_of(metric), {}) for record in records for metric in metrics]
    return [text for text in dict.fromkeys(view.get(key, "") for view in views) if text]


def derived_note(subset: Record) -> str:
    """A derived subset is never shown without this."""
    if subset.settings["origin"] != "derived":
        return ""
    total, known = subset.data["splits"]["test"]["labelled"], subset.data["splits"]["train"]["labelled"]
    pairs, right = subset.metrics[f"test/{HARD}"], subset.metrics["test/accuracy"]
    return (
        f"hard pairs derived, not the published ones: {pairs:,.0f} of {total:,} test pairs, those that a classifier of "
        f"the hypothesis alone gets wrong ({right:.1f}% right; trained on {known:,} pairs; record {subset.id})"
    )


def preference(subset: Record) -> tuple[bool, int, str]:
    derived = subset.settings["origin"] == "derived"
    return derived, -subset.data["splits"]["train"]["labelled"] if derived else 0, subset.id


def test_sha256(record: Record) -> str:
    """Of the file of the test set."""
    return record.data["splits"].get("test", {}).get("sha256", "")


def arrays_of(identity: str, stores: Sequence[Store]) -> Arrays | None:
    """The arrays beside a record, from the first store that has them."""
    return next((store.predictions(identity) for store in stores if store.arrays(identity).is_file()), None)
