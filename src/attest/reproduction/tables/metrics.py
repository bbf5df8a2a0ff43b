"""The value of a metric for a run: from its record, or from the record of an evaluation of its encoder on other
tasks."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attest.reproduction.specs.metric_names import COST, DATA, PHRASES_PREFIX, TRANSFER
from attest.reproduction.tables.compose_cache import cached_protocol
from attest.runs import versions
from attest.runs.records import Record


def metric_value(record: Record, name: str, transfers: Sequence[Record] = ()) -> float | None:
    """Return the value of a metric for a run, or None if there is none.

    `transfers` are the records of transfer that count, the newest first.
    """
    if name.startswith(TRANSFER):
        transfer = transfer_behind(record, name, transfers)
        return None if transfer is None else transfer.metrics[name.removeprefix(TRANSFER)]
    if name.startswith(PHRASES_PREFIX):
        return phrase_statistic(record.data["splits"], *name.removeprefix(PHRASES_PREFIX).split("/"))
    if name.startswith(COST):
        return None if record.cost is None else float(getattr(record.cost, name.removeprefix(COST)))
    if name.startswith(DATA):
        return labelled_count(record.data["splits"], *name.removeprefix(DATA).split("/", 1))
    return record.metrics.get(name)


def labelled_count(splits: Mapping[str, Any], split: str, genre: str | None = None) -> float | None:
    """Return the number of labelled examples of a split, or of all splits for total, of one genre or of all.

    None if the record does not hold it.
    """
    facts = splits.values() if split == "total" else [splits.get(split, {})]
    counts = [fact.get("labelled") if genre is None else fact.get("genres", {}).get(genre) for fact in facts]
    return None if None in counts else sum(counts)


def phrase_statistic(splits: Mapping[str, Any], kind: str, level: str) -> float | None:
    """Return the mean number of phrases of a sentence on a level, or of words of such a phrase, over all splits.

    None if the record counts no phrases on this level.
    """
    counts = [split["divided"] for split in splits.values() if "divided" in split]
    phrases = sum(count["phrases"][int(level) - 1] for count in counts)
    if not phrases:
        return None
    if kind == "phrases":
        return phrases / sum(count["sentences"] for count in counts)
    return sum(count["words"] for count in counts) / phrases


def overlap_of_splits(record: Record) -> float:
    """Return the size of the test set by that of training and dev set together, if replicates share data: folds, or
    splits that the seed draws.

    The run is trained on the one and selected on the other: a dev set is often a part of the training set. 0 for runs
    on one split. Folds of a column of the data set are counted in the data of the record, and random folds in its
    settings.
    """
    if record.settings.get("protocol.fold") is not None:
        folds = record.data.get("folds") or record.settings["protocol.folds"]
        return 1 / (int(folds) - 1)
    drawn = record.data.get("drawn")
    return drawn["test"] / (drawn["train"] + drawn["dev"]) if drawn else 0.0


def standard_transfers(records: Iterable[Record]) -> list[Record]:
    """Return the finished records of transfer by the current version of SentEval's standard protocol, the newest
    first."""
    defaults = cached_protocol()
    finished = (record for record in records if record.kind == "transfer" and record.status == "done")
    standard = [
        record
        for record in finished
        if record.versions["transfer"] == versions.TRANSFER
        and all(record.settings.get(key) == value for key, value in defaults.items())
    ]
    return sorted(standard, key=lambda record: (record.finished, record.id), reverse=True)


def transfer_behind(record: Record, name: str, transfers: Sequence[Record]) -> Record | None:
    """Return the newest record of transfer that holds a metric for a run, or None if there is none."""
    metric = name.removeprefix(TRANSFER)
    return next(
        (transfer for transfer in transfers if record.id in transfer.parents and metric in transfer.metrics), None
    )


def runs_with_transfers(
    runs: Iterable[Record], metrics: Iterable[str], transfers: Sequence[Record]
) -> list[tuple[Record, Record]]:
    """Return each run with each transfer record that one of the metrics of a table takes a figure of it from."""
    names = [name for name in metrics if name.startswith(TRANSFER)]
    pairs = [(run, transfer_behind(run, name, transfers)) for run in runs for name in names]
    return [(run, transfer) for run, transfer in pairs if transfer is not None]


def has_less_transfer_data(transfer: Record) -> bool:
    """Return whether a transfer evaluation had fewer examples than the official data."""
    splits = transfer.data["splits"]
    return any(splits[name]["used"] < official for name, official in transfer.data["expected"]["splits"].items())


def transfer_deviations(transfer: Record) -> list[str]:
    """Return the deviations of a transfer evaluation from the official data: missing examples, trees
    of a parser, or a number format."""
    parser = transfer.data.get("parser")
    deviations = [f"sentences of transfer parsed by: {parser['identity']}"] if parser else []
    if "precision" in transfer.data:
        deviations.append(f"sentences of transfer encoded in {transfer.data['precision']} instead of fp32")
    for split, official in transfer.data["expected"]["splits"].items():
        used = transfer.data["splits"][split]["used"]
        if used != official:
            deviations.append(f"{split}: {used:,} of {official:,} examples")
    return deviations
