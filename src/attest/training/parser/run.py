"""Train one parser and record it, or return the record of a finished one."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch

from attest.config.flat import to_plain
from attest.data.inputs import check_inputs, device_input
from attest.errors import DataError
from attest.models.sizes import trained_parameters
from attest.runs.identity import digest
from attest.runs.lifecycle import run_once
from attest.runs.observers import Observers, ObserveWork, no_observers
from attest.runs.records import Record, utc_now
from attest.syntax.parsers.learned import LearnedParser
from attest.syntax.parsers.registry import VERSIONS, parser_settings
from attest.syntax.parsers.span_scorer import SpanScorer
from attest.system import checkout, environment
from attest.system.random_streams import torch_seed
from attest.system.torch_state import restored_torch_state
from attest.training.extensions import check_extension_classes, describe_callbacks
from attest.training.inputs import treebank_inputs
from attest.training.loop import train_module
from attest.training.parser.agreement import baseline_f1, treebank_f1
from attest.training.parser.batches import TreeBatches
from attest.training.parser.settings import ParserTrainingSettings
from attest.training.parser.task import ParserTask
from attest.training.parser.treebanks import Treebanks, read_treebanks


def run(settings: ParserTrainingSettings, observe: ObserveWork = no_observers, *, waits: bool = False) -> Record:
    """Return the record of the parser: train, evaluate and record it unless it is finished already.

    Where another process trains it, raise BusyError or, if `waits`, wait for it.
    """
    check_extension_classes(settings.trainer, settings.packages)
    code = checkout.checkout_state()  # at the end of the run, the checkout may hold other code
    data = Path(settings.paths.data)
    check_inputs([device_input(settings.trainer), *treebank_inputs(settings.datasets, data)])
    treebanks = read_treebanks(settings.datasets, data)
    identity = digest([parser_settings(settings.parsing, settings.scale), VERSIONS, treebanks.facts["fingerprint"]])
    batches = training_batches(settings, treebanks)
    return run_once(
        identity,
        settings,
        lambda: observe(f"parser {'+'.join(settings.parsing.treebanks)} seed={settings.seed}", batches.stop),
        lambda observers: (train(settings, treebanks, identity, code, batches, observers), None),
        partial(record_of, settings, treebanks, identity, code=code),
        waits=waits,
    )


def training_batches(settings: ParserTrainingSettings, treebanks: Treebanks) -> TreeBatches:
    """Return training batches of the sentences of at least 3 and at most `parsing.longest` words.

    Shorter sentences have only one binary tree. Raise DataError if no sentence is left.
    """
    parsing, protocol = settings.parsing, settings.protocol
    trees = [tree for tree in treebanks.all("train") if 2 < len(tree.words) <= parsing.longest]
    if not trees:
        raise DataError(f"longest: no training sentence has 3 to {parsing.longest} words; raise longest")
    batches = TreeBatches(trees, parsing.scorer.rows, protocol.batch_size, parsing.batch_words, settings.seed)
    batches.stop = math.ceil(parsing.epochs * batches.steps_per_epoch)
    return batches


@restored_torch_state()
def train(
    settings: ParserTrainingSettings,
    treebanks: Treebanks,
    identity: str,
    code: Mapping[str, Any],
    batches: TreeBatches,
    observers: Observers,
) -> Record:
    """Train from the last checkpoint, or from the first step, evaluate the best weights, and return the record."""
    folder = Path(settings.paths.runs) / identity
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(torch_seed(settings.seed, "weights"))
    scorer = SpanScorer(**to_plain(settings.parsing.scorer))
    module = ParserTask(scorer, settings.parsing.learning_rate, batches.stop)
    parser = LearnedParser(scorer, identity)

    def evaluate_splits(splits: Sequence[str]) -> dict[str, float]:
        return {key: value for split in splits for key, value in treebank_f1(parser, treebanks, split).items()}

    outcome = train_module(settings, module, batches, evaluate_splits, folder, observers, code)
    metrics: dict[str, float] = {"parameters": trained_parameters(scorer)}
    for split in ("dev", "test"):
        metrics |= treebank_f1(parser, treebanks, split)
        metrics |= baseline_f1(treebanks, split)
    return record_of(settings, treebanks, identity, code=outcome.code, metrics=metrics, **outcome.record_fields)


def record_of(
    settings: ParserTrainingSettings, treebanks: Treebanks, identity: str, *, code: Mapping[str, Any], **fields: Any
) -> Record:
    """Return the record of the parser: its settings, data, environment and time, and the given fields.

    `code` is the state of the checkout that the code of the run was loaded from.
    """
    return Record(
        id=identity,
        kind="parser",
        settings=parser_settings(settings.parsing, settings.scale),
        versions=VERSIONS,
        data=treebanks.facts,
        seed=settings.seed,
        environment={**environment.describe(code), **describe_callbacks(settings.trainer)},
        finished=utc_now(),
        **fields,
    )
