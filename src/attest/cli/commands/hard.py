"""attest hard: the test pairs that a classifier of the hypothesis alone gets wrong."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from attest.config.compose import compose
from attest.config.settings import Settings
from attest.data.mini.provide import provide_data
from attest.runs.records import Record
from attest.runs.store import Store


def hard(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Find the hard test pairs of a data set, record them, and print how many there are."""
    from attest.reproduction.tables.hard_pairs import hard_pairs_record

    settings = compose([f"dataset={parsed.dataset}", *overrides])
    provide_data(settings)
    print("\n".join(report_lines(hard_pairs_record(settings), settings)))


def report_lines(record: Record, settings: Settings) -> Iterator[str]:
    """Yield the lines that the command prints: how many pairs are hard, how they were found, and the record's path."""
    splits, metrics = record.data["splits"], record.metrics
    total = splits["test"]["labelled"]
    yield (
        f"{settings.dataset.name}: {metrics['test/hard']:,.0f} of {total:,} test pairs are hard, "
        f"{record.settings['origin']}"
    )
    if record.settings["origin"] == "derived":
        if settings.dataset.hard and settings.scale != "mini":
            yield f"the published file is not here: {Path(settings.paths.data) / settings.dataset.hard}"
        known, expected = splits["train"]["labelled"], record.data["expected"]["splits"].get("train")
        official = "" if expected is None or settings.scale == "mini" else f" of {expected:,}"
        right = {split: f"{metrics[f'{split}/accuracy']:.1f}%" for split in ("test", "train")}
        yield f"a classifier of the hypothesis alone, trained on {known:,}{official} pairs, labels"
        yield f"{right['test']} of the test pairs rightly ({right['train']} of the training pairs)"
    yield f"record {record.id}: {Store(Path(settings.paths.records)).record_path(record.id)}"
