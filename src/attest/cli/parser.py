"""attest parser."""

import argparse
import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from omegaconf import OmegaConf

from attest.configuration import compose, provide_data
from attest.errors import SettingsError
from attest.parsing.settings import Parsing, parsing_of
from attest.progress import progress
from attest.records import Record
from attest.schema import closest
from attest.settings import Dataset, Settings
from attest.treebanks import ParserRun, run
from attest.watching import Watcher

OURS = set(Parsing.__dataclass_fields__)
THEIRS = {"scale", "paths", "trainer", "retry_failed"}
"""Settings of a run that mean something here too."""


def parser(parsed: argparse.Namespace, overrides: list[str]) -> None:
    if parsed.action == "train":
        train(overrides)
    else:
        parse(parsed.sentences, overrides)


def train(overrides: Sequence[str]) -> None:
    logging.basicConfig(format="%(message)s", stream=sys.stderr)
    changes, theirs = divided(overrides)
    composed = compose(theirs)
    provide_data(composed)
    print("\n".join(shown(run(run_of(composed, changes), watch))))


def run_of(composed: Settings, changes: dict[str, Any] | None = None) -> ParserRun:
    """The training of one parser, with the places, the scale and the machine of these settings."""
    parsing = parsing_of(composed.scale, changes)
    return ParserRun(
        parsing=parsing,
        datasets=[dataset_of(name, composed.scale) for name in parsing.treebanks],
        scale=composed.scale,
        trainer=composed.trainer,
        paths=composed.paths,
        retry_failed=composed.retry_failed,
    )


def dataset_of(name: str, scale: str) -> Dataset:
    return compose([f"dataset={name}", f"scale={scale}"]).dataset
