"""What a column shows of a run: a figure of its record, or of a record of what its encoder is worth elsewhere."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attest.config.schema import flatten
from attest.reproduction.specs.metric_names import DATA, DIVIDED, TRANSFER
from attest.runs import versions
from attest.runs.records import Record
from attest.transfer.settings import Transfer


def metric_value(record: Record, name: str, transfers: Sequence[Record] = ()) -> float | None:
    """`transfers` are the records of transfer that count, the newest first."""
    if name.startswith(TRANSFER):
        transfer = transfer_behind(record, name, transfers)
        return None if transfer is None else transfer.metrics[name.removeprefix(TRANSFER)]
    if name.startswith(DIVIDED):
        return phrase_statistic(record.data["splits"], *name.removeprefix(DIVIDED).split("/"))
    if name.startswith("cost/"):
        return None if record.cost is None else float(getattr(record.cost, name.removeprefix("cost/")))
    if name.startswith(DATA):
        return labelled_examples(record.data["splits"], *name.removeprefix(DATA).split("/", 1))
    return record.metrics.get(name)


def labelled_examples(splits: Mapping[str, Any], split: str, genre: str | None = None) -> float | None:
    """None where a record does not say; 0 where the set has this genre in other splits."""
    wanted = splits.values() if split == "total" else [splits.get(split, {})]
    found = [one.get("labelled") if genre is None else one.get("genres", {}).get(genre) for one in wanted]
    return None if None in found else sum(found)


def phrase_statistic(splits: Mapping[str, Any], what: str, level: str) -> float | None:
    """The mean over all sentences of a set that have words."""
    found = [split["divided"] for split in splits.values() if "divided" in split]
    phrases = sum(one["phrases"][int(level) - 1] for one in found)
    if not phrases:
        return None
    if what == "phrases":
        return phrases / sum(one["sentences"] for one in found)
    return sum(one["words"] for one in found) / phrases


def standard_transfers(records: Iterable[Record]) -> list[Record]:
    """The records of transfer by SentEval's protocol as it stands, the newest first."""
    usual = flatten(Transfer())
    found = (record for record in records if record.kind == "transfer" and record.status == "done")
    same = [
        record
        for record in found
        if record.versions["transfer"] == versions.TRANSFER
        and all(record.settings.get(key) == value for key, value in usual.items())
    ]
    return sorted(same, key=lambda record: (record.finished, record.id), reverse=True)


def transfer_behind(record: Record, name: str, transfers: Sequence[Record]) -> Record | None:
    """The one that a figure of this run comes from."""
    wanted = name.removeprefix(TRANSFER)
    return next((one for one in transfers if record.id in one.parents and wanted in one.metrics), None)


def transfer_deviations(transfer: Record) -> list[str]:
    """In what the sets of a record of transfer were less than official, and whose trees they had."""
    parser = transfer.data.get("parser")
    found = [f"sentences of transfer parsed by: {parser['identity']}"] if parser else []
    for split, official in transfer.data["expected"]["splits"].items():
        used = transfer.data["splits"][split]["used"]
        if used != official:
            found.append(f"{split}: {used:,} of {official:,} examples")
    return found
