"""What a column shows of a run: a figure of its record, or of a record of what its encoder is worth elsewhere."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attest.identity import flatten
from attest.records import Record
from attest.transfer.settings import Transfer

TRANSFER = "transfer/"
"""How the metrics begin that records of `attest transfer` hold: transfer/MR/test."""
DIVIDED = "divided/"
"""divided/phrases/2: phrases of a sentence on level 2. divided/words/2: words of such a phrase."""


def metric(record: Record, name: str, transfers: Sequence[Record] = ()) -> float | None:
    """`transfers` are the records of transfer that count, the newest first."""
    if name.startswith(TRANSFER):
        wanted = name.removeprefix(TRANSFER)
        return next((one.metrics[wanted] for one in transfers_of(record, transfers) if wanted in one.metrics), None)
    if name.startswith(DIVIDED):
        return divided(record.data["splits"], *name.removeprefix(DIVIDED).split("/"))
    if name.startswith("cost/"):
        return None if record.cost is None else float(getattr(record.cost, name.removeprefix("cost/")))
    if name == "data/total":
        return sum(split["labelled"] for split in record.data["splits"].values())
    if name.startswith("data/"):
        return record.data["splits"].get(name.removeprefix("data/"), {}).get("labelled")
    return record.metrics.get(name)


def divided(splits: Mapping[str, Any], what: str, level: str) -> float | None:
    """The mean over all sentences of a set that have words."""
    found = [split["divided"] for split in splits.values() if "divided" in split]
    phrases = sum(one["phrases"][int(level) - 1] for one in found)
    if not phrases:
        return None
    if what == "phrases":
        return phrases / sum(one["sentences"] for one in found)
    return sum(one["words"] for one in found) / phrases


def usual_transfers(records: Iterable[Record]) -> list[Record]:
    """The records of transfer by SentEval's protocol as it stands, the newest first."""
    usual = flatten(Transfer())
    found = (record for record in records if record.kind == "transfer" and record.status == "done")
    same = [record for record in found if all(record.settings.get(key) == value for key, value in usual.items())]
    return sorted(same, key=lambda record: (record.finished, record.id), reverse=True)


def transfers_of(record: Record, transfers: Sequence[Record]) -> list[Record]:
    """Those that judge the encoder of this run."""
    return [one for one in transfers if record.id in one.parents]


def transfer_deviations(transfer: Record) -> list[str]:
    """In what the sets of a record of transfer were less than official."""
    found = []
    for split, official in transfer.data["expected"]["splits"].items():
        used = transfer.data["splits"][split]["used"]
        if used != official:
            found.append(f"{split}: {used:,} of {official:,} examples")
    return found
