"""attest import: weights that the authors' code trained, as a run without figures."""

import argparse
from pathlib import Path

from attest.config.compose import compose
from attest.inference.imported import import_run


def import_weights(parsed: argparse.Namespace, overrides: list[str]) -> None:
    """Record the weights of a file as a run, which the settings in the overrides describe, and print its id."""
    words = Path(parsed.words) if parsed.words else None
    record = import_run(Path(parsed.file), words, compose(overrides))
    head = "" if record.data["imported"]["head"] else ", without a classifier"
    print(f"run {record.id}: {parsed.file}{head}, by the names of {record.data['imported']['code']}")
