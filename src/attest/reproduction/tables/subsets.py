"""Accuracy on subsets of the test set, from the predictions that a run left; no run is trained for it.

A column of a table names a subset after its metric, as in test/accuracy@hard. The facts of a subset (its record, its
size and how it deviates) are added under the key "subsets" to the data of a run's record in memory.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from attest.reproduction.specs.metric_names import HARD, SUBSET_MARK, SUBSET_METRIC, subset_of
from attest.runs.records import Record
from attest.runs.store import Store, first_arrays


@dataclass(frozen=True, eq=False)
class SubsetMask:
    """The test pairs of one run that belong to a subset."""

    mask_N: np.ndarray
    """True at the test pairs that belong to the subset."""
    subset: str = ""
    """The id of the record that lists the subset; empty if it follows from the run's own arrays."""
    deviation: str = ""
    """The difference of the subset from the paper's, in words; empty if there is none."""
    is_derived: bool = False
    """True if the subset is derived, and not the published one."""


Arrays = Mapping[str, np.ndarray]


def hard_mask(record: Record, arrays: Arrays, subsets: Sequence[Record], stores: Sequence[Store]) -> SubsetMask | None:
    """Return the pairs whose label cannot be predicted from the hypothesis alone; None if no list of them is known.

    Published lists come first, then those derived from most training pairs.
    """
    content = sha256_of_test_set(record)
    known = [
        subset for subset in subsets if subset.settings["subset"] == HARD and sha256_of_test_set(subset) == content
    ]
    for subset in sorted(known, key=preference_key):
        if (rows := first_arrays(subset.id, stores)) is not None:
            derived = subset.settings["origin"] == "derived"
            note = derived_note(subset) if derived else partial_note(subset)
            return SubsetMask(np.isin(arrays["rows"], rows["rows"]), subset.id, note, derived)
    return None


def distinct_mask(
    record: Record, arrays: Arrays, subsets: Sequence[Record], stores: Sequence[Store]
) -> SubsetMask | None:
    """Return the pairs whose sentences, as prepared, are not the same bag of words; None if that was not recorded."""
    return SubsetMask(~arrays["same_bag"]) if "same_bag" in arrays else None


SUBSET_MASKS: Mapping[str, Callable[[Record, Arrays, Sequence[Record], Sequence[Store]], SubsetMask | None]] = {
    HARD: hard_mask,
    "distinct": distinct_mask,
}
"""The name of a subset -> the function that returns its mask."""


def with_subsets(records: Iterable[Record], subsets: Sequence[Record], stores: Sequence[Store]) -> Iterator[Record]:
    """Yield the records with their accuracy on every known subset among their metrics, where predictions are kept."""
    for record in records:
        classified = record.status == "done" and SUBSET_METRIC in record.metrics
        arrays = first_arrays(record.id, stores) if classified else None
        yield with_subset_metrics(record, arrays, subsets, stores) if arrays and "labels" in arrays else record


def with_subset_metrics(record: Record, arrays: Arrays, subsets: Sequence[Record], stores: Sequence[Store]) -> Record:
    """Return the record with its accuracy on every known subset, and the facts of the subsets under `subsets`."""
    right_N = arrays["predictions"] == arrays["labels"]
    masks = {name: mask for name, mask_of in SUBSET_MASKS.items() if (mask := mask_of(record, arrays, subsets, stores))}
    metrics = {f"{SUBSET_METRIC}{SUBSET_MARK}{name}": 100 * float(right_N[mask.mask_N].mean())
               for name, mask in masks.items() if mask.mask_N.any()}  # fmt: skip
    facts = {name: {"subset": mask.subset, "deviation": mask.deviation, "derived": mask.is_derived,
                    "pairs": int(mask.mask_N.sum())} for name, mask in masks.items()}  # fmt: skip
    return replace(record, metrics={**record.metrics, **metrics}, data={**record.data, "subsets": facts})


def subset_deviations(records: Iterable[Record], metrics: Sequence[str]) -> list[str]:
    """Return the deviations of the subsets on which the metrics of the records are measured."""
    return texts_of_subsets(records, metrics, "deviation")


def subsets_behind(records: Iterable[Record], metrics: Sequence[str]) -> list[str]:
    """Return the ids of the subset records that list the pairs on which the metrics of the records are measured."""
    return texts_of_subsets(records, metrics, "subset")


def texts_of_subsets(records: Iterable[Record], metrics: Sequence[str], key: str) -> list[str]:
    """Return one text, such as "deviation", of the subsets that the metrics of the records name, each text once."""
    known = subset_facts(records, metrics)
    return [text for text in dict.fromkeys(facts.get(key, "") for facts in known) if text]


def subset_facts(records: Iterable[Record], metrics: Sequence[str]) -> list[Mapping[str, Any]]:
    """Return the facts of the subset of each record and metric; empty ones if the metric names no known subset."""
    return [record.data.get("subsets", {}).get(subset_of(metric), {}) for record in records for metric in metrics]


def is_derived(records: Iterable[Record], metric: str) -> bool:
    """Return whether the subset that a metric names is derived for one of the records."""
    return any(facts.get("derived", False) for facts in subset_facts(records, [metric]))


def partial_note(subset: Record) -> str:
    """Return the deviation that tables list for published pairs of which the test set lacks some; empty if none."""
    found, published = subset.metrics[f"test/{HARD}"], subset.data["splits"].get(HARD, {}).get("labelled", 0)
    return f"hard pairs: our test set has {found:,.0f} of the {published:,} published ones" if found < published else ""


def derived_note(subset: Record) -> str:
    """Return the deviation that tables list for a derived subset."""
    total, known = subset.data["splits"]["test"]["labelled"], subset.data["splits"]["train"]["labelled"]
    pairs, right = subset.metrics[f"test/{HARD}"], subset.metrics["test/accuracy"]
    return (
        f"hard pairs derived, not the published ones: {pairs:,.0f} of {total:,} test pairs, those that a classifier of "
        f"the hypothesis alone gets wrong ({right:.1f}% right; trained on {known:,} pairs; record {subset.id})"
    )


def preference_key(subset: Record) -> tuple[bool, int, str]:
    """Return a sort key of lists of a subset: published ones first, then those derived from most training pairs."""
    derived = subset.settings["origin"] == "derived"
    return derived, -subset.data["splits"]["train"]["labelled"] if derived else 0, subset.id


def sha256_of_test_set(record: Record) -> str:
    """Return the hash of the file of the test set."""
    return record.data["splits"].get("test", {}).get("sha256", "")
